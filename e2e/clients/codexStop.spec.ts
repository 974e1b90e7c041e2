import { createGate, say, stream, useTool, waitFor } from '../loopback-model/index.ts';
import { articles, send, startConversation, untilIdle } from '../window/operator.ts';
import { expect, test } from './codex.ts';
import { processesWith } from './processes.ts';

/** How long a stopped tree may take to be gone, ms. */
const STOP_LIMIT_MS = 5_000;

test('Stop ends a command that sleeps for ten minutes, its grandchildren too, and says what it ended', async ({
  launch,
  place,
  codex,
  model,
}) => {
  const { page } = await launch({ env: codex.env });
  await startConversation(page, { cwd: place.cwd, agent: 'Codex' });
  const mark = `600.${process.pid}2`;
  const gate = createGate();
  model.script(
    stream(
      say('I go to sleep.'),
      useTool('exec_command', { cmd: `(setsid sleep ${mark} &) ; sleep ${mark}`, yield_time_ms: 250 }),
    ),
    stream(waitFor(gate), say('Never heard.')),
  );
  await send(page, 'Sleep.');
  // Codex asks again as soon as the command runs in the background.
  await gate.reached;
  await expect(articles(page, 'Codex')).toContainText('I go to sleep.');
  expect(processesWith(`sleep ${mark}`).length).toBeGreaterThanOrEqual(2);

  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect.poll(() => processesWith(`sleep ${mark}`), { timeout: STOP_LIMIT_MS }).toEqual([]);
  await expect(articles(page, 'Codex')).toContainText(/Stopped\. Ended: .*codex.*sleep/, { timeout: STOP_LIMIT_MS });
  await untilIdle(page);
  expect(processesWith(place.cwd)).toEqual([]);
  // A command that never ended is no evidence.
  await expect(articles(page, 'Codex')).not.toContainText(/\d commands?/);

  model.script(stream(say('Awake again.')));
  await send(page, 'Wake up.');
  await expect(articles(page, 'Codex').last()).toContainText('Awake again.');
  await expect(articles(page, 'Codex').last()).toContainText('resumed');
});
