import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

/** One turn's worth of events as Codex 0.171 prints them, of commands with outputs of ordinary sizes. */
function* events(): Generator<unknown> {
  const line =
    'src/components/table/row.tsx:128:  const height = measure(row) ?? fallbackHeight; // "quoted" \\ escaped\n';
  yield { type: 'thread.started', thread_id: '01999999-aaaa-7bbb-8ccc-0123456789ab' };
  yield { type: 'turn.started' };
  for (let index = 0; ; index++) {
    const id = `item_${index}`;
    if (index % 10 === 9) {
      const text = `Step ${index}: ${'the rows are measured before they are placed. '.repeat(8)}`;
      yield { type: 'item.completed', item: { id, type: 'agent_message', text } };
      continue;
    }
    const command = `/bin/bash -lc 'rg -n "measure" src | head -n ${index % 400}'`;
    const item = { id, type: 'command_execution', command };
    yield { type: 'item.started', item: { ...item, aggregated_output: '', exit_code: null, status: 'in_progress' } };
    const output = line.repeat(1 + ((index * 7919) % 160));
    yield {
      type: 'item.completed',
      item: { ...item, aggregated_output: output, exit_code: index % 3, status: 'completed' },
    };
  }
}

/** Writes a complete event stream of about `bytes` bytes, ending in an answer. Returns how many events it has. */
export async function generateStream(path: string, bytes: number): Promise<number> {
  const file = createWriteStream(path);
  let written = 0;
  let count = 0;
  const write = async (event: unknown) => {
    const text = `${JSON.stringify(event)}\n`;
    written += text.length;
    count++;
    if (!file.write(text)) await once(file, 'drain');
  };
  for (const event of events()) {
    await write(event);
    if (written >= bytes) break;
  }
  await write({ type: 'item.completed', item: { id: 'last', type: 'agent_message', text: 'the answer' } });
  await write({ type: 'turn.completed', usage: { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1 } });
  file.end();
  await once(file, 'finish');
  return count;
}
