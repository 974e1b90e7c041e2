import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { codex, home, ok } from './engine.harness.ts';

async function codexAvailability(versions: boolean) {
  const { agents } = await ok('listAgents', { versions });
  return agents.find(({ id }) => id === 'codex')?.availability;
}

it('tells a found agent at once, and its version when the program has said it', async () => {
  const gate = join(home, 'gate');
  await codex(`while [ ! -e '${gate}' ]; do sleep 0.05; done; echo 'codex-cli 9.9.9'`);
  expect(await codexAvailability(false)).toMatchObject({ kind: 'found', asking: true, version: null });
  await writeFile(gate, '');
  expect(await codexAvailability(true)).toMatchObject({ kind: 'found', asking: false, version: '9.9.9' });
  expect(await codexAvailability(false)).toMatchObject({ asking: false, version: '9.9.9' });
});
