import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './app.ts';
import { articles, messageBox, send, startConversation, transcript, untilIdle } from './operator.ts';

/** Longer than a text box is given, and than any window. */
const LINES = 60_000;

async function workTree(home: string): Promise<string> {
  const cwd = join(home, 'work-tree');
  await mkdir(cwd, { recursive: true });
  return cwd;
}

/** How far the end of the transcript is below what is shown, in CSS pixels. */
const distanceFromEnd = (page: Page) =>
  transcript(page).evaluate((log) => Math.round(log.scrollHeight - log.scrollTop - log.clientHeight));

const scrollTop = (page: Page) => transcript(page).evaluate((log) => Math.round(log.scrollTop));

test('the transcript follows its end only while it is there, and is found again where it was left', async ({
  launch,
  home,
}) => {
  const { page } = await launch();
  await startConversation(page, { cwd: await workTree(home), agent: 'Guide' });
  const tall = Array.from({ length: 40 }, (_, index) => `line ${index}`).join('\n');
  for (const number of [1, 2, 3]) {
    await send(page, `message ${number}\n${tall}`);
    await untilIdle(page);
  }
  await expect.poll(() => distanceFromEnd(page)).toBeLessThanOrEqual(1);

  // What is being read stays where it is while a reply comes in below.
  await transcript(page).hover();
  await page.mouse.wheel(0, -900);
  await expect(page.getByRole('button', { name: 'Jump to latest' })).toBeVisible();
  const left = await scrollTop(page);
  await send(page, 'message 4');
  await untilIdle(page);
  expect(await scrollTop(page)).toBe(left);

  await startConversation(page, { cwd: await workTree(home), agent: 'Guide' });
  await page
    .getByRole('list', { name: 'Conversations' })
    .getByRole('button', { name: 'message 1', exact: true })
    .click();
  await expect.poll(() => scrollTop(page)).toBe(left);

  // Back at the end it follows again.
  await page.getByRole('button', { name: 'Jump to latest' }).click();
  await expect.poll(() => distanceFromEnd(page)).toBeLessThanOrEqual(1);
  await send(page, `message 5\n${tall}`);
  await untilIdle(page);
  await expect(articles(page, 'Guide').last()).toContainText('I found no word in your message');
  await expect.poll(() => distanceFromEnd(page)).toBeLessThanOrEqual(1);
});

test('a text of megabytes is sent whole, with what was written after it', async ({ launch, home }) => {
  const { app, page } = await launch();
  await startConversation(page, { cwd: await workTree(home), agent: 'Guide' });
  const log = 'some line of a log, with words in it, again and again and again\n'.repeat(LINES);
  await app.evaluate(({ clipboard }, text) => clipboard.writeText(text), log);
  await page.keyboard.press('Control+V');
  // The text box stays light: the log is named beside it.
  await expect(page.getByText('3,840,000 characters, sent whole')).toBeVisible();
  await expect(messageBox(page)).toHaveValue('');
  await messageBox(page).fill('And that was the log.');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(messageBox(page)).toHaveValue('');
  await untilIdle(page);
  await expect(page.getByText('characters, sent whole')).toBeHidden();
  const sent = await page.evaluate(async () => {
    const listed = await window.parley?.call('listConversations', {});
    const id = listed?.ok ? listed.value.conversations[0]?.id : undefined;
    const opened = id === undefined ? undefined : await window.parley?.call('openConversation', { conversationId: id });
    return opened?.ok ? opened.value.turns[0]?.text : undefined;
  });
  expect(sent === `${log}And that was the log.`).toBe(true);
});
