import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { createGate, say, stream, useTool, waitFor } from '../loopback-model/index.ts';
import { useCodex } from '../window/fakeCodex.ts';
import {
  articles,
  attachmentList,
  conversationPane,
  dropFiles,
  messageBox,
  send,
  startConversation,
  transcript,
  untilIdle,
} from '../window/operator.ts';
import { expect, installProgram, test } from './codex.ts';

const review = (page: Page): Locator => page.getByRole('complementary', { name: 'Review' });
const openTab = (page: Page, name: string) => review(page).getByRole('tab', { name }).click();
const evidenceRows = (page: Page): Locator => page.getByRole('table', { name: 'Command evidence' }).getByRole('row');

test('a first conversation: a dropped image, live output, the answer, evidence, artifacts, and the thread resumed', async ({
  launch,
  place,
  codex,
  model,
  home,
}) => {
  const { page } = await launch({ env: codex.env });
  await startConversation(page, { cwd: place.cwd, agent: 'Codex' });
  await dropFiles(page, conversationPane(page), [place.picture]);
  await expect(attachmentList(page).getByRole('button', { name: 'Remove sunset.png' })).toBeVisible();

  const [looking, ending] = [createGate(), createGate()];
  model.script(
    stream(say('First I look around.'), useTool('exec_command', { cmd: 'echo one; exit 0' })),
    stream(waitFor(looking), useTool('exec_command', { cmd: "printf 'two\\n'; exit 3" })),
    stream(useTool('exec_command', { cmd: 'sleep 1000', yield_time_ms: 250 })),
    stream(waitFor(ending), say('It is a **sunset**.')),
  );
  await send(page, 'What is in the picture?');

  // The model waits: what is shown now was shown while Codex runs.
  await looking.reached;
  await openTab(page, 'Live');
  const live = page.getByRole('region', { name: 'Live output' });
  await expect(live).toContainText('{"type":"thread.started"');
  await expect(live).toContainText('"exit_code":0');
  await expect(articles(page, 'Codex')).toContainText('First I look around.');
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeVisible();
  looking.open();
  await ending.reached;
  await expect(live).toContainText('"exit_code":3');
  await expect(live).toContainText('sleep 1000');
  ending.open();
  await untilIdle(page);

  const reply = articles(page, 'Codex').last();
  await expect(reply.locator('strong')).toHaveText('sunset');
  await expect(reply).toContainText('1 of 1 image delivered');
  await expect(transcript(page)).not.toContainText('agent_message');

  const { input } = await model.turn(0);
  const [stored] = await storedImages(page);
  expect(input?.userTexts.at(-1)).toContain('What is in the picture?');
  expect(input?.userTexts.at(-1)).toContain(stored?.path ?? 'no path');
  expect(input?.userTexts.at(-1)).toContain('image/png');
  expect(input?.images.map(({ mime }) => mime)).toEqual(['image/png']);
  expect(input?.images[0]?.bytes.equals(readFileSync(place.picture))).toBe(true);
  expect(stored?.path.startsWith(join(home, 'attachments'))).toBe(true);

  await openTab(page, 'Evidence');
  // The heading and two commands: the one that still ran when the turn ended has no row.
  await expect(evidenceRows(page)).toHaveCount(3);
  await expect(evidenceRows(page).nth(1)).toContainText(/echo one.*0.*one.*codex/);
  await expect(evidenceRows(page).nth(2)).toContainText(/printf.*3.*two.*codex/);

  const tape = codex.tape(0);
  await openTab(page, 'Artifacts');
  const tree = page.getByRole('tree', { name: 'Artifacts' });
  const viewer = page.getByRole('region', { name: 'Artifact', exact: true });
  for (const [kind, bytes, excerpt] of [
    ['prompt.md', tape.stdin, 'What is in the picture?'],
    ['stdout.log', tape.stdout, '{"type":"thread.started"'],
    ['stderr.log', tape.stderr, ''],
  ] as const) {
    const item = tree.getByRole('treeitem', { name: new RegExp(`\\.${kind.replace('.', '\\.')}`) });
    await item.click();
    await expect(viewer).toContainText(excerpt);
    expect((await artifactBytes(page, `.${kind}`)).equals(bytes)).toBe(true);
  }
  await tree.getByRole('treeitem', { name: /\.meta\.json/ }).click();
  await expect(viewer).toContainText('"commandLine"');

  model.script(stream(say('Yes, and it is still there.')));
  await send(page, 'Do you remember it?');
  await expect(articles(page, 'Codex').last()).toContainText('Yes, and it is still there.');
  await untilIdle(page);
  const thread = /"thread_id":"([^"]+)"/.exec(tape.stdout.toString())?.[1] ?? 'no thread';
  await openTab(page, 'Run');
  await expect(page.getByRole('region', { name: 'Run details' })).toContainText(thread);
  await expect(articles(page, 'Codex').last()).toContainText('resumed');
  const resumed = model.turns.at(-1)?.input;
  expect(resumed?.userTexts.at(-1)).toBe('Do you remember it?');
  expect(resumed?.images).toHaveLength(1);
  expect(resumed?.model).toBe(input?.model);
  const lines = await commandLines(page);
  const rights = (line: readonly string[]) => [line[line.indexOf('-C') + 1], line[line.indexOf('-s') + 1]];
  expect(lines.map(rights)).toEqual([
    [place.cwd, 'read-only'],
    [place.cwd, 'read-only'],
  ]);
  expect(lines[1]?.slice(-3)).toEqual(['resume', thread, '-']);
});

test('access holds: a read-only seat does not write, one that can writes in its directory and not beside the images', async ({
  launch,
  place,
  codex,
  model,
  home,
}) => {
  const { page } = await launch({ env: codex.env });
  const write = () => {
    const cmd = `touch inside.txt; find ${JSON.stringify(join(home, 'attachments'))} -type d -exec touch {}/spoilt \\; ; ls`;
    return [stream(useTool('exec_command', { cmd })), stream(say('Tried.'))];
  };
  for (const [access, written] of [
    ['Read-only', false],
    ['Can write', true],
  ] as const) {
    model.script(...write());
    await startConversation(page, { cwd: place.cwd, agent: 'Codex', access });
    await dropFiles(page, conversationPane(page), [place.picture]);
    await expect(attachmentList(page).getByRole('button', { name: 'Remove sunset.png' })).toBeVisible();
    await send(page, 'Write a file.');
    await expect(articles(page, 'Codex').last()).toContainText('Tried.');
    await untilIdle(page);
    const output = model.turns.at(-1)?.input?.toolResults.at(-1)?.output ?? '';
    expect(output.includes('\ninside.txt')).toBe(written);
    expect(output.match(/spoilt': Read-only file system/g)?.length).toBeGreaterThan(0);
  }
});

test('an exit code that was not reported is shown as not reported', async ({ launch, place, codex }) => {
  const { page } = await launch({ env: codex.env });
  const program = `#!/bin/sh
cat >/dev/null
cat <<'END'
{"type":"thread.started","thread_id":"0199a213-81c0-7800-8aa1-000000000001"}
{"type":"item.completed","item":{"id":"item_0","type":"command_execution","command":"make","aggregated_output":"built\\n","status":"completed"}}
{"type":"item.completed","item":{"id":"item_1","type":"agent_message","text":"Built."}}
{"type":"turn.completed","usage":{}}
END
`;
  await useCodex(page, installProgram(join(place.root, 'programs'), 'terse', program));
  await startConversation(page, { cwd: place.cwd, agent: 'Codex' });
  await send(page, 'Build.');
  await expect(articles(page, 'Codex').last()).toContainText('Built.');
  await openTab(page, 'Evidence');
  await expect(evidenceRows(page)).toHaveCount(2);
  await expect(evidenceRows(page).nth(1)).toContainText('not reported');
});

test('a message of nearly all that Codex takes goes out whole, and so does one that begins with a dash', async ({
  launch,
  place,
  codex,
  model,
}) => {
  const { page } = await launch({ env: codex.env });
  await startConversation(page, { cwd: place.cwd, agent: 'Codex' });
  model.otherwise(stream(say('Read.')));
  for (const text of [`--help me\n${'a long log line\n'.repeat(60_000)}end`, '-']) {
    // Typing a megabyte is not what is tested here: the text is there at once.
    await messageBox(page).evaluate((box, whole) => {
      if (!(box instanceof HTMLTextAreaElement)) throw new Error('the message is no text area');
      box.setRangeText(whole, 0, box.value.length, 'end');
      box.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText' }));
    }, text);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expect(messageBox(page)).toHaveValue('');
    await untilIdle(page);
    expect(model.turns.at(-1)?.input?.userTexts.at(-1)).toBe(text);
  }
});

/** The snapshot of the only conversation, as the window’s own bridge gives it. */
async function snapshot(page: Page) {
  const found = await page.evaluate(async () => {
    const bridge = window.parley;
    if (bridge === undefined) return null;
    const listed = await bridge.call('listConversations', {});
    const first = listed.ok ? listed.value.conversations[0] : undefined;
    const opened = first === undefined ? null : await bridge.call('openConversation', { conversationId: first.id });
    return opened?.ok === true ? opened.value : null;
  });
  if (found === null) throw new Error('there is no conversation');
  return found;
}

async function storedImages(page: Page) {
  return (await snapshot(page)).turns.flatMap((turn) => turn.attachments);
}

async function commandLines(page: Page): Promise<string[][]> {
  const { turns } = await snapshot(page);
  return turns.flatMap((turn) => turn.invocations.map((invocation) => invocation.started?.commandLine ?? []));
}

/** The artifact of the first run whose name ends so. */
async function artifactBytes(page: Page, ending: string): Promise<Buffer> {
  const run = (await snapshot(page)).turns[0]?.run;
  if (run === undefined) throw new Error('there is no run');
  const bytes = await page.evaluate(
    async ([of, suffix]) => {
      const bridge = window.parley;
      if (bridge === undefined) return null;
      const listed = await bridge.call('listArtifacts', { run: of });
      const name = listed.ok
        ? listed.value.artifacts.find((artifact) => artifact.name.endsWith(suffix))?.name
        : undefined;
      const read = name === undefined ? null : await bridge.call('readArtifact', { run: of, name });
      return read?.ok === true ? [...read.value.bytes] : null;
    },
    [run, ending] as const,
  );
  if (bytes === null) throw new Error(`there is no artifact ${ending}`);
  return Buffer.from(bytes);
}
