import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Lines of codex-cli 0.171 for {@link installPrinter}. */
export const eventLine = (event: unknown): string => `${JSON.stringify(event)}\n`;

export const THREAD = '0199a213-81c0-7800-8aa1-0000000000aa';

export const opening = eventLine({ type: 'thread.started', thread_id: THREAD }) + eventLine({ type: 'turn.started' });
export const closing =
  eventLine({ type: 'item.completed', item: { id: 'answer', type: 'agent_message', text: 'All printed.' } }) +
  eventLine({ type: 'turn.completed', usage: { input_tokens: 1_234, cached_input_tokens: 1_000, output_tokens: 56 } });

export function finishedCommand(id: string, command: string, output: string, exitCode: number | undefined): string {
  const reported = exitCode === undefined ? {} : { exit_code: exitCode };
  const status = exitCode === 0 ? 'completed' : 'failed';
  return eventLine({
    type: 'item.completed',
    item: { id, type: 'command_execution', command, aggregated_output: output, ...reported, status },
  });
}

/**
 * Puts a program in the place of the Codex CLI that prints exactly these bytes, whatever it is asked. Returns its path.
 */
export async function installPrinter(directory: string, stdout: Uint8Array, stderr = ''): Promise<string> {
  await mkdir(directory, { recursive: true });
  const path = join(directory, 'codex');
  await writeFile(join(directory, 'stdout'), stdout);
  await writeFile(join(directory, 'stderr'), stderr);
  await writeFile(
    path,
    `#!/bin/sh
if [ "$1" = --version ]; then echo 'codex-cli 0.171.0'; exit; fi
here=$(dirname "$0")
cat > /dev/null
cat "$here/stdout"
cat "$here/stderr" >&2
`,
  );
  await chmod(path, 0o755);
  return path;
}
