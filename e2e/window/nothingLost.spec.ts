import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import { expect, test } from './app.ts';
import { installFakeCodex, isAlive, type TakenTurn, useCodex } from './fakeCodex.ts';
import {
  articles,
  attachmentList,
  conversationPane,
  dropFiles,
  messageBox,
  queuedList,
  send,
  startConversation,
  transcript,
  untilIdle,
} from './operator.ts';
import { writePictures } from './pictures.ts';

async function workTree(home: string, name = 'work-tree'): Promise<string> {
  const cwd = join(home, name);
  await mkdir(cwd, { recursive: true });
  return cwd;
}

const conversation = (page: Page, title: string) =>
  page.getByRole('list', { name: 'Conversations' }).getByRole('button', { name: title, exact: true });

/** Resolves when both the program and what it started are gone. */
async function expectTreeGone({ pid, grandchild }: TakenTurn): Promise<void> {
  await expect(async () => {
    expect([await isAlive(pid), await isAlive(grandchild ?? pid)]).toEqual([false, false]);
  }).toPass();
}

/** Answers the next question of the main process as the operator would, by the label of a button. */
async function answerNextQuestion(app: ElectronApplication, button: string): Promise<void> {
  await app.evaluate(({ dialog }, label) => {
    const answer = (...args: unknown[]) => {
      const options: unknown = args.at(-1);
      const buttons: unknown = typeof options === 'object' && options !== null ? Reflect.get(options, 'buttons') : [];
      Reflect.set(globalThis, 'asked', options);
      const response = Array.isArray(buttons) ? buttons.findIndex((each) => String(each).startsWith(label)) : -1;
      return Promise.resolve({ response, checkboxChecked: false });
    };
    Reflect.set(dialog, 'showMessageBox', answer);
  }, button);
}

test('a draft comes back after a switch, a reload and a restart, each with its own conversation', async ({
  launch,
  home,
}) => {
  const pictures = await writePictures(join(home, 'pictures'));
  const first = await launch();
  let { page } = first;
  await startConversation(page, { cwd: await workTree(home, 'one'), agent: 'Guide' });
  await send(page, 'The first conversation');
  await untilIdle(page);
  await messageBox(page).fill('A thought\nnot finished');
  await dropFiles(page, conversationPane(page), [pictures.path('png')]);
  await expect(attachmentList(page).getByRole('button', { name: 'View shot.png' })).toBeVisible();

  await startConversation(page, { cwd: await workTree(home, 'two'), agent: 'Guide' });
  await expect(messageBox(page)).toHaveValue('');
  await expect(attachmentList(page)).toBeHidden();
  await messageBox(page).fill('Another thought');

  await conversation(page, 'The first conversation').click();
  await expect(messageBox(page)).toHaveValue('A thought\nnot finished');
  await page.reload();
  await expect(messageBox(page)).toHaveValue('A thought\nnot finished');
  await expect(attachmentList(page).getByRole('button', { name: 'View shot.png' })).toBeVisible();

  await messageBox(page).fill('A thought, a moment before the end');
  await first.close();
  ({ page } = await launch());
  await expect(messageBox(page)).toHaveValue('A thought, a moment before the end');
  await expect(attachmentList(page).getByRole('button', { name: 'View shot.png' })).toBeVisible();
  await conversation(page, 'Untitled').click();
  await expect(messageBox(page)).toHaveValue('Another thought');
});

test('messages sent meanwhile are queued, changed, removed, and go out by themselves in order', async ({
  launch,
  home,
}) => {
  const codex = await installFakeCodex(join(home, 'fake'));
  const { app, page } = await launch();
  await useCodex(page, codex.path);
  await startConversation(page, { cwd: await workTree(home), agent: 'Codex' });
  await send(page, 'hold until I say so');
  await expect(articles(page, 'Codex')).toContainText('Working on it.');
  await expect(page.getByRole('status').filter({ hasText: 'Codex is working' })).toBeVisible();
  for (const text of ['second', 'third', 'fourth']) await send(page, text);
  const queued = queuedList(page).getByRole('listitem');
  await expect(queued).toHaveCount(3);

  await queued.filter({ hasText: 'third' }).getByRole('button', { name: 'Remove' }).click();
  await expect(queued).toHaveCount(2);
  // The last one is edited from the keyboard.
  await messageBox(page).focus();
  await page.keyboard.press('Alt+ArrowUp');
  const editor = queuedList(page).getByRole('textbox', { name: 'Queued text' });
  await expect(editor).toHaveValue('fourth');
  await editor.fill('fourth, corrected');
  await queuedList(page).getByRole('button', { name: 'Save' }).click();
  await expect(queued.last()).toContainText('fourth, corrected');

  // Quitting asks; staying keeps everything as it is.
  await answerNextQuestion(app, 'Keep working');
  await app.evaluate(({ app: electron }) => electron.quit());
  await expect
    .poll(() => app.evaluate(() => JSON.stringify(Reflect.get(globalThis, 'asked'))))
    .toContain('1 seat is working. End it and quit?');
  await expect(articles(page, 'Codex')).toContainText('Working on it.');
  await expect(queued).toHaveCount(2);

  await codex.release();
  await expect(articles(page, 'Codex').last()).toContainText('Heard: fourth, corrected');
  await untilIdle(page);
  const turns = await codex.turns();
  expect(turns.map(({ prompt }) => prompt)).toEqual(['hold until I say so', 'second', 'fourth, corrected']);
  // One thread, one turn at a time.
  expect(turns.map(({ args }) => args.includes('resume'))).toEqual([false, true, true]);
  await expect(queuedList(page)).toBeHidden();
});

test('after a crash in the middle of a turn nothing of it runs on, and what it printed is there', async ({
  launch,
  home,
}) => {
  const codex = await installFakeCodex(join(home, 'fake'));
  const before = await launch();
  await useCodex(before.page, codex.path);
  await startConversation(before.page, { cwd: await workTree(home), agent: 'Codex' });
  await send(before.page, 'hold the line');
  await expect(articles(before.page, 'Codex')).toContainText('Working on it.');
  await send(before.page, 'this one was queued');
  await expect(queuedList(before.page).getByRole('listitem')).toHaveCount(1);
  const [turn] = await codex.turns();
  if (turn?.grandchild == null) throw new Error('nothing runs');
  await before.kill();
  expect([await isAlive(turn.pid), await isAlive(turn.grandchild)]).toEqual([true, true]);

  const { app, page } = await launch();
  await expectTreeGone(turn);
  await conversation(page, 'hold the line').click();
  const article = articles(page, 'Codex').first();
  await expect(article).toContainText('Working on it.');
  await expect(article.getByRole('alert')).toContainText('Interrupted: Parley ended while Codex was working.');
  await expect(article.getByRole('alert')).toContainText(`(${turn.pid})`);
  await expect(article).toContainText('1 command');
  await page.getByRole('tab', { name: 'Evidence' }).click();
  await expect(page.getByRole('table', { name: 'Command evidence' })).toContainText('make check');
  await expect(page.getByRole('table', { name: 'Command evidence' })).not.toContainText('sleep 600');

  // What was queued waits for the operator, and then continues the thread.
  await expect(queuedList(page).getByRole('listitem')).toContainText('held');
  await page.getByRole('button', { name: 'Send now' }).click();
  await expect(articles(page, 'Codex').last()).toContainText('Heard: this one was queued');
  await expect(articles(page, 'Codex').last()).toContainText('resumed');
  const [, resumed] = await codex.turns();
  expect(resumed?.args.slice(resumed.args.indexOf('resume'))).toEqual([
    'resume',
    '0199a213-81c0-7800-8aa1-000000000001',
    '-',
  ]);

  // Quitting while a turn runs ends the whole tree.
  await send(page, 'hold again');
  await expect(articles(page, 'Codex').last()).toContainText('Working on it.');
  const third = (await codex.turns()).at(-1);
  if (third === undefined) throw new Error('nothing runs');
  await answerNextQuestion(app, 'End it and quit');
  const gone = app.waitForEvent('close');
  await app.evaluate(({ app: electron }) => electron.quit());
  await gone;
  await expectTreeGone(third);

  const last = await launch();
  await expect(articles(last.page, 'Codex').last()).toContainText('Working on it.');
  await expect(transcript(last.page)).toContainText('hold again');
  await expect(last.page.getByRole('button', { name: 'Stop', exact: true })).toBeHidden();
});
