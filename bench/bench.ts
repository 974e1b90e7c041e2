import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { benchStream, readThroughEngine, readWithReadline } from './stream.ts';
import { benchTurn } from './turn.ts';

const [role, path = '', work = '', events = '0'] = process.argv.slice(2);
switch (role) {
  case 'stream-readline':
    console.log(JSON.stringify(await readWithReadline(path)));
    break;
  case 'stream-engine':
    console.log(JSON.stringify(await readThroughEngine(path, work, Number(events))));
    break;
  default: {
    // Beside the code, not below the system's temporary directory: Codex warns about a home there.
    const directory = await mkdtemp(join(import.meta.dirname, 'work-'));
    try {
      if (role === undefined || role === 'turn') await benchTurn(directory);
      if (role === undefined || role === 'stream') await benchStream(directory);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }
}
