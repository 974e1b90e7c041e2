import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { fail, refuse, say, stream } from '../loopback-model/index.ts';
import { useCodex } from '../window/fakeCodex.ts';
import { articles, send as sendText, startConversation, untilIdle } from '../window/operator.ts';
import { expect, installProgram, test } from './codex.ts';

/** The last reply. The transcript keeps only what is near the view in the page, and follows its end. */
const lastReply = (page: Page): Locator => articles(page, 'Codex').last();
/** How the last reply failed. */
const lastAlert = (page: Page): Locator => lastReply(page).getByRole('alert');

async function send(page: Page, text: string): Promise<void> {
  await sendText(page, text);
  await expect(articles(page, 'Operator').last()).toContainText(text);
}

const RESETS_AT_SECONDS = 4_070_908_800;
const USAGE_LIMIT = { type: 'usage_limit_reached', plan_type: 'plus', resets_at: RESETS_AT_SECONDS };

test('what the provider refuses has its own words and a next step, and the conversation goes on', async ({
  launch,
  place,
  codex,
  model,
}) => {
  const { page } = await launch({ env: { ...codex.env, TZ: 'UTC' } });
  await startConversation(page, { cwd: place.cwd, agent: 'Codex' });

  model.script(refuse(429, { error: USAGE_LIMIT }));
  await send(page, 'One.');
  await expect(lastAlert(page)).toContainText('Codex’s usage limit is reached. It resets at Jan 1st, 2099 12:00 AM.');
  await expect(lastAlert(page).getByRole('button', { name: 'Try again' })).toBeVisible();

  model.otherwise(refuse(429, { error: { message: 'Slow down.' } }, { 'retry-after': '0' }));
  await send(page, 'Two.');
  await expect(lastAlert(page)).toContainText('rate limit');

  model.otherwise(stream(fail('context_length_exceeded', 'Too long.')));
  await send(page, 'Three.');
  await expect(lastAlert(page)).toContainText('no longer fits into the model’s context window');

  model.otherwise(refuse(401, { error: { message: 'Missing bearer or basic authentication in header' } }));
  codex.configure({ wantsAccount: true });
  await send(page, 'Four.');
  await expect(lastAlert(page)).toContainText('Codex is not signed in.');

  codex.configure({});
  model.otherwise(stream(say('Here I am again.')));
  await lastAlert(page).getByRole('button', { name: 'Try again' }).click();
  await expect(lastReply(page)).toContainText('Here I am again.');
  await untilIdle(page);
  // One thread all the way: what failed did not cost the session.
  await expect(lastReply(page)).toContainText('resumed');
  expect(model.turns.at(-1)?.input?.userTexts.at(-1)).toBe('Four.');
});

test('a Codex that is missing, silent, confused or gone at once is told as that', async ({
  launch,
  place,
  codex,
  model,
}) => {
  const { page } = await launch({ env: codex.env });
  const programs = join(place.root, 'programs');
  await useCodex(page, join(programs, 'nowhere', 'codex'));
  await startConversation(page, { cwd: place.cwd, agent: 'Codex' });
  await send(page, 'Are you there?');
  await expect(lastAlert(page)).toContainText('Codex was not found on this machine.');
  await expect(lastAlert(page).getByRole('button', { name: 'Check agents' })).toBeVisible();

  await useCodex(page, installProgram(programs, 'silent', '#!/bin/sh\ncat >/dev/null\n'));
  await send(page, 'Say something.');
  await expect(lastAlert(page)).toContainText('Codex ended without an answer.');

  await useCodex(page, installProgram(programs, 'exits', '#!/bin/sh\necho "cannot open the door" >&2\nexit 7\n'));
  await send(page, 'And now?');
  await expect(lastAlert(page)).toContainText('Codex exited with code 7.');
  await lastAlert(page).getByText('The end of its error output', { exact: true }).click();
  await expect(lastAlert(page)).toContainText('cannot open the door');

  const garbage = String.raw`#!/bin/sh
cat >/dev/null
printf '\377\376\000{"type":"item.completed"\n{"type":"item.completed","item":{"type":"agent_message"}}\n\033]0;x\007{}[]\n'
`;
  await useCodex(page, installProgram(programs, 'garbage', garbage));
  await send(page, 'Pardon?');
  await expect(lastAlert(page)).toContainText('Codex ended without an answer.');
  await expect(lastReply(page)).not.toContainText('item.completed');

  await useCodex(page, codex.path);
  model.script(stream(say('There you are.')));
  await send(page, 'Hello?');
  await expect(lastReply(page)).toContainText('There you are.');
  await untilIdle(page);
});

test('a session that Codex no longer knows is said, and a fresh one goes on', async ({
  launch,
  place,
  codex,
  model,
}) => {
  const { page } = await launch({ env: codex.env });
  await startConversation(page, { cwd: place.cwd, agent: 'Codex' });
  model.script(stream(say('First.')));
  await send(page, 'Begin.');
  await expect(lastReply(page)).toContainText('First.');
  await untilIdle(page);

  codex.forget();
  await send(page, 'Go on.');
  await expect(lastAlert(page)).toContainText('Codex no longer knows the session');

  model.script(stream(say('Second.')));
  await lastAlert(page).getByRole('button', { name: 'Fresh session, empty' }).click();
  await expect(lastReply(page)).toContainText('Second.');
  await expect(lastReply(page)).toContainText('fresh');
  await untilIdle(page);
});
