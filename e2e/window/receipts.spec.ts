import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import type { CommandDefinition } from '../../src-shared/commandDefinition.ts';
import { definitionId } from '../../src-shared/commandDefinition.ts';
import { expect, test } from './app.ts';
import { type FakeCodex, installFakeCodex, useCodex } from './fakeCodex.ts';
import {
  articles,
  attachmentList,
  conversationPane,
  dropFiles,
  queuedList,
  send,
  seriousFindings,
  startConversation,
  untilIdle,
} from './operator.ts';
import { writePictures } from './pictures.ts';

/** What a turn was given, what it may, how it ended and what comes next: shown, and never guessed. */

const FAR_AWAY = 'at Jan 1st, 2099 12:00 AM';
/** Long enough to schedule a message for then, and to close the application before. */
const SOON_SECONDS = 8;

const review = (page: Page): Locator => page.getByRole('complementary', { name: 'Review' });
const run = (page: Page): Locator => page.getByRole('region', { name: 'Run details' });
/** What stands behind a term of the Run tab, in the block of that title. */
const fact = (page: Page, block: string, term: string): Locator =>
  run(page)
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: block }) })
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${term}$`) })
    .locator('xpath=following-sibling::dd[1]');
const alertOf = (page: Page, name: string): Locator => articles(page, name).last().getByRole('alert');
const progress = (page: Page): Locator => page.getByRole('status').filter({ hasText: 'Codex is working' });
const seatButton = (page: Page): Locator => page.getByRole('list', { name: 'Seats' }).getByRole('button');
const settingsOf = (page: Page, name: string): Locator => page.getByRole('dialog', { name: `Settings of ${name}` });
const freshNote = (page: Page): Locator => conversationPane(page).getByText('The next message starts a fresh session');

async function workTree(home: string): Promise<string> {
  const cwd = join(home, 'work-tree');
  await mkdir(cwd, { recursive: true });
  return cwd;
}

async function begin(page: Page, home: string): Promise<FakeCodex> {
  const codex = await installFakeCodex(join(home, 'fake'));
  await useCodex(page, codex.path);
  await startConversation(page, { cwd: await workTree(home), agent: 'Codex' });
  return codex;
}

const lastPrompt = async (codex: FakeCodex): Promise<string> => (await codex.turns()).at(-1)?.prompt ?? '';

test('a run shows what it was given and denied, and how long it still may work', async ({ launch, home }) => {
  const pictures = await writePictures(join(home, 'pictures'));
  const { page } = await launch();
  const codex = await begin(page, home);
  await dropFiles(page, conversationPane(page), [pictures.path('png')]);
  await expect(attachmentList(page).getByRole('button', { name: 'View shot.png' })).toBeVisible();
  await send(page, 'deny that');
  await untilIdle(page);

  const delivered = run(page).getByRole('list', { name: 'Delivered images' });
  await expect(delivered).toContainText('40 × 30 px');
  await expect(delivered).toContainText('readable just before the start');
  // Codex is handed the image with the request and does not say that it looks at it.
  await expect(delivered).toContainText('Opening it: not reported');
  const hash = createHash('sha256')
    .update(await readFile(pictures.path('png')))
    .digest('hex');
  await expect(delivered).not.toContainText(hash);
  await delivered.getByRole('button', { name: `sha256 ${hash.slice(0, 12)}` }).click();
  await expect(delivered).toContainText(hash);
  await expect(run(page).getByRole('list', { name: 'Grants' })).toContainText('no flag needed');
  await expect(run(page).getByRole('list', { name: 'What stays open' })).toContainText('outside the working directory');
  await expect(fact(page, 'Receipts', 'Asked for')).toContainText('first turn');
  await expect(fact(page, 'Time and usage', 'Cost')).toHaveText('not reported');

  const denied = run(page).getByRole('list', { name: 'Denied calls' });
  await expect(denied).toContainText("/bin/bash -lc 'rm -rf build'");
  await expect(denied).toContainText('declined');
  await expect(articles(page, 'Codex').locator('summary')).toContainText('denied');
  await review(page).getByRole('tab', { name: 'Evidence' }).click();
  await expect(review(page).getByText('No command was reported')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Denied' })).toContainText('rm -rf build');
  expect(await seriousFindings(page)).toEqual([]);
  await review(page).getByRole('tab', { name: 'Run' }).click();

  await send(page, 'hold on');
  await expect(progress(page)).toContainText(/5\d min left · idle limit in (30|2\d) min/);
  await expect(progress(page)).toHaveAttribute('aria-live', 'off');
  await conversationPane(page).getByRole('button', { name: 'Give it more time' }).click();
  await expect(progress(page)).toContainText(/1 h 2\d min left · idle limit in (5\d min|1 h)/);
  await expect(fact(page, 'Time and usage', 'Time limit')).toContainText(/1 h 2\d min left/);
  await run(page).getByRole('button', { name: 'Give it more time' }).click();
  await expect(fact(page, 'Time and usage', 'Time limit')).toContainText(/1 h 5\d min left/);
  for (const term of ['Agent', 'Model', 'Access', 'Directory', 'Session']) {
    await expect(fact(page, 'Compared with', term)).toContainText('same');
  }
  expect(await seriousFindings(page)).toEqual([]);
  await codex.release();
  await untilIdle(page);
  await expect(progress(page)).toBeHidden();
});

test('a message waits for the end of a usage limit, through a restart, and goes out then', async ({ launch, home }) => {
  const first = await launch();
  let { page } = first;
  const codex = await begin(page, home);
  await codex.willReachLimit(FAR_AWAY);
  await send(page, 'the long way');
  await alertOf(page, 'Codex')
    .getByRole('button', { name: /^Continue on Jan 1, 2099 at / })
    .click();
  await expect(alertOf(page, 'Codex')).toContainText('It waits below');
  const waiting = queuedList(page).getByRole('listitem');
  await expect(waiting).toContainText('Goes out on Jan 1, 2099 at');
  expect(await seriousFindings(page)).toEqual([]);
  await waiting.getByRole('button', { name: 'Edit' }).click();
  await queuedList(page).getByRole('textbox', { name: 'Queued text' }).fill('the short way');
  await queuedList(page).getByRole('button', { name: 'Save' }).click();
  await waiting.getByRole('button', { name: 'Send now' }).click();
  await expect(articles(page, 'Codex').last()).toContainText('Heard: the short way');
  await expect(queuedList(page)).toBeHidden();
  await untilIdle(page);

  await codex.willReachLimit(`in ${SOON_SECONDS} seconds`);
  await send(page, 'a little later');
  await alertOf(page, 'Codex')
    .getByRole('button', { name: /^Continue at / })
    .click();
  await expect(queuedList(page)).toContainText('a little later');
  await first.close();
  ({ page } = await launch());
  await expect(articles(page, 'Codex').last()).toContainText('Heard: a little later');
  await expect(queuedList(page)).toBeHidden();
  const [refused, sent] = (await codex.turns()).slice(-2);
  expect((sent?.at ?? 0) - (refused?.at ?? 0)).toBeGreaterThanOrEqual(SOON_SECONDS * 1_000);
  await untilIdle(page);
});

test('a session that is lost or given up is told, and begun anew as the operator says', async ({ launch, home }) => {
  const { page } = await launch();
  const codex = await begin(page, home);
  await send(page, 'first');
  await untilIdle(page);
  await expect(freshNote(page)).toBeHidden();
  const chip = (text: string) => articles(page, 'Codex').last().getByText(text);
  await codex.forget('0199a213-81c0-7800-8aa1-000000000001');
  await send(page, 'second');
  const rejected = alertOf(page, 'Codex');
  await expect(rejected).toContainText('Codex no longer knows the session');
  await expect(rejected.getByRole('button', { name: 'Fresh session, empty' })).toBeVisible();
  await rejected.getByRole('button', { name: 'Fresh session, with the transcript' }).click();
  await expect(chip('replayed into')).toBeVisible();
  await untilIdle(page);
  expect(await lastPrompt(codex)).toContain('Heard: first');
  // What is sent again is not told as well.
  expect((await lastPrompt(codex)).split('second')).toHaveLength(2);
  await expect(fact(page, 'Receipts', 'Replay')).toContainText('told 1 turn of the transcript');
  await expect(fact(page, 'Receipts', 'Asked for')).toContainText('a new session: you asked for a fresh one');
  await expect(fact(page, 'Compared with', 'Model')).toContainText('same');

  // Another model is another session, and the operator says what it is told.
  await codex.willFail('The model `gpt-0` does not exist or you do not have access to it.');
  await send(page, 'third');
  await alertOf(page, 'Codex').getByRole('button', { name: 'Choose another model' }).click();
  const settings = settingsOf(page, 'Codex');
  await settings.getByRole('textbox', { name: 'Model' }).fill('gpt-9');
  await expect(settings).toContainText('The next message starts a fresh session');
  await settings.getByRole('textbox', { name: 'Idle limit, minutes' }).fill('');
  expect(await seriousFindings(page)).toEqual([]);
  await settings.getByRole('button', { name: 'Save' }).click();
  await expect(settings).toContainText('None: the next message opens one, because the seat’s model was changed.');
  await page.keyboard.press('Escape');
  await expect(settings).toBeHidden();
  await expect(freshNote(page)).toContainText('with Codex: the seat’s model was changed.');
  await expect(page.getByRole('checkbox', { name: 'Tell it the transcript so far' })).not.toBeChecked();
  await send(page, 'fourth');
  await expect(chip('Heard: fourth')).toBeVisible();
  await untilIdle(page);
  expect(await lastPrompt(codex)).toBe('fourth');
  await expect(freshNote(page)).toBeHidden();
  await expect(fact(page, 'Receipts', 'Asked for')).toContainText('the seat’s model was changed');
  await expect(fact(page, 'Compared with', 'Model')).toHaveText('changed from the agent’s default to gpt-9');
  await expect(fact(page, 'Time and usage', 'Idle limit')).toHaveText('none');

  // Another agent too; what was done before stays with the name of who did it.
  await seatButton(page).click();
  await settings.getByRole('combobox', { name: 'Agent' }).selectOption('Guide');
  await settings.getByRole('checkbox', { name: 'Tell it the transcript so far' }).check();
  await settings.getByRole('button', { name: 'Save' }).click();
  await expect(settingsOf(page, 'Guide')).toContainText('because the seat’s agent was changed');
  await page.keyboard.press('Escape');
  await expect(freshNote(page)).toContainText('with Guide');
  await send(page, 'hello');
  await expect(articles(page, 'Guide')).toContainText('replayed into');
  await untilIdle(page);
  await expect(articles(page, 'Codex').last()).toContainText('Heard: fourth');
  await expect(fact(page, 'Compared with', 'Agent')).toHaveText('changed from Codex to Guide');
});

/** Opens the image that it is told of, in the event stream of Claude Code 2.1.197, and says what it cost. */
const LOOKER = `#!/usr/bin/env node
const prompt = require('node:fs').readFileSync(0, 'utf8');
const path = /^- (\\/.*) \\(image\\/png/m.exec(prompt)[1];
const session_id = '62a6cd56-1968-4b10-95c2-cac01fd21615';
const line = (event) => console.log(JSON.stringify({ ...event, session_id, parent_tool_use_id: null }));
const said = (content) => line({ type: 'assistant', message: { id: 'm' + content[0].type, role: 'assistant', content } });
line({ type: 'system', subtype: 'init', cwd: process.cwd(), model: 'm' });
said([{ type: 'tool_use', id: 't1', name: 'Read', input: { file_path: path } }]);
line({ type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }] } });
said([{ type: 'text', text: 'It is blue.' }]);
const usage = { input_tokens: 10, cache_read_input_tokens: 0, output_tokens: 3 };
line({ type: 'result', subtype: 'success', is_error: false, result: 'It is blue.', total_cost_usd: 0.0125, usage });
`;
const PLAIN = `#!/bin/sh
cat > /dev/null
echo 'I read text.'
`;

/** Puts two programs of the operator's at a table with Codex, and opens that talk. */
async function talkWithCommands(page: Page, home: string): Promise<void> {
  const codex = await installFakeCodex(join(home, 'fake'));
  const commandOf = async (id: string, name: string, source: string, more: Partial<CommandDefinition>) => {
    const program = join(home, id);
    await writeFile(program, source);
    await chmod(program, 0o755);
    const definition: CommandDefinition = {
      id: definitionId.parse(id),
      name,
      program,
      arguments: '',
      prompt: 'stdin',
      environment: [],
      encoding: 'utf-8',
      resume: { kind: 'none' },
      output: 'text',
      images: true,
      timeoutMs: null,
      idleTimeoutMs: null,
      ...more,
    };
    return definition;
  };
  const commands = [
    await commandOf('cmd_looker', 'Looker', LOOKER, { output: 'claude' }),
    await commandOf('cmd_plain0', 'Plain', PLAIN, { images: false }),
  ];
  const cwd = await workTree(home);
  const failed = await page.evaluate(
    async ([path, described, directory]) => {
      const bridge = window.parley;
      const saved = await bridge?.call('setPreferences', {
        preferences: { executables: { codex: path }, commands: described },
      });
      const made = await bridge?.call('createConversation', {
        cwd: directory,
        kind: 'talk',
        title: 'A table',
        seats: [{ agent: 'codex' }, ...described.map(({ id }) => ({ agent: 'command' as const, definitionId: id }))],
      });
      return [saved, made].find((result) => result?.ok !== true);
    },
    [codex.path, commands, cwd] as const,
  );
  expect(failed).toBeUndefined();
  await page.getByRole('list', { name: 'Conversations' }).getByRole('button', { name: 'A table' }).click();
}

test('who cannot take images says so before Send, and who opened one says so after', async ({ launch, home }) => {
  const pictures = await writePictures(join(home, 'pictures'));
  const { page } = await launch();
  await talkWithCommands(page, home);
  const blind = conversationPane(page).getByText('Plain cannot take images and will not see shot.png.');
  await expect(seatButton(page)).toHaveCount(3);
  await expect(blind).toBeHidden();
  await dropFiles(page, conversationPane(page), [pictures.path('png')]);
  await expect(blind).toContainText('The other seats take images.');
  await page.getByRole('combobox', { name: 'To' }).selectOption('To: Codex');
  await expect(blind).toBeHidden();
  await page.getByRole('combobox', { name: 'To' }).selectOption('To: everyone');
  await expect(blind).toBeVisible();
  expect(await seriousFindings(page)).toEqual([]);
  await send(page, 'what colour is it?');
  await untilIdle(page);

  await expect(articles(page, 'Plain')).toContainText('I read text.');
  await expect(articles(page, 'Looker')).toContainText('1 of 1 image delivered, 1 opened');
  const of = (name: string) =>
    articles(page, name)
      .getByRole('button', { name: `Review ${name}’s run` })
      .click();
  await of('Looker');
  await expect(run(page).getByRole('list', { name: 'Delivered images' })).toContainText('opened by Looker');
  await expect(fact(page, 'Time and usage', 'Cost')).toHaveText('$0.0125');
  await of('Plain');
  await expect(run(page).getByRole('list', { name: 'Delivered images' })).toContainText('not delivered');
  // It keeps no sessions: that is said before the next message, too.
  await expect(freshNote(page).filter({ hasText: 'with Plain: the agent keeps no sessions' })).toBeVisible();
});
