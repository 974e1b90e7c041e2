import { createGate, say, stream, useTool, waitFor } from '../loopback-model/index.ts';
import { articles, send, startConversation, transcript, untilIdle } from '../window/operator.ts';
import { expect, test } from './codex.ts';
import { processesWith } from './processes.ts';

test('after a crash in the middle of a turn the tree is ended, what was said is there, and the thread goes on', async ({
  launch,
  place,
  codex,
  model,
}) => {
  const first = await launch({ env: codex.env });
  await startConversation(first.page, { cwd: place.cwd, agent: 'Codex' });
  const mark = `600.${process.pid}3`;
  const gate = createGate();
  model.script(
    stream(say('I begin.'), useTool('exec_command', { cmd: 'echo half; exit 5' })),
    stream(useTool('exec_command', { cmd: `(setsid sleep ${mark} &) ; sleep ${mark}`, yield_time_ms: 250 })),
    stream(waitFor(gate), say('Never heard.')),
  );
  await send(first.page, 'Begin.');
  await gate.reached;
  await expect(articles(first.page, 'Codex')).toContainText('1 command');
  await first.kill();
  expect(processesWith(`sleep ${mark}`).length).toBeGreaterThanOrEqual(2);

  const second = await launch({ env: codex.env });
  await second.page.getByRole('list', { name: 'Conversations' }).getByText('Begin.').first().click();
  const reply = articles(second.page, 'Codex').last();
  await expect(reply).toContainText('Interrupted: Parley ended while Codex was working. Ended: ');
  await expect(reply).toContainText('I begin.');
  await expect(reply).toContainText('1 command');
  expect(processesWith(`sleep ${mark}`)).toEqual([]);
  expect(processesWith(place.cwd).filter((pid) => processesWith('codex').includes(pid))).toEqual([]);

  model.script(stream(say('And on it goes.')));
  await send(second.page, 'Go on.');
  await expect(transcript(second.page)).toContainText('And on it goes.');
  await untilIdle(second.page);
  await expect(articles(second.page, 'Codex').last()).toContainText('resumed');
  // The thread knows what was said before the crash.
  expect(model.turns.at(-1)?.input?.userTexts).toEqual(expect.arrayContaining(['Begin.', 'Go on.']));
});
