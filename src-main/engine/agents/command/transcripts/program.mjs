// What the recordings in this directory are of: a program like one that an operator describes. It prints as it is asked
// to by its first argument, and reads its message from standard input, from the file or from the argument it is given.
import { existsSync, readFileSync } from 'node:fs';

const [way = 'plain', ...rest] = process.argv.slice(2);
/** @param {string} name */
const after = (name) => (rest.includes(name) ? rest[rest.indexOf(name) + 1] : undefined);
const images = rest.filter((_word, index) => rest[index - 1] === '--image');

function message() {
  return after('--message') ?? readFileSync(after('--file') ?? 0, 'utf8');
}

/** @param {object} event */
const line = (event) => process.stdout.write(`${JSON.stringify(event)}\n`);

switch (way) {
  case 'plain': {
    const session = after('--resume') ?? after('--session');
    process.stdout.write(`# Heard\n\n> ${message().split('\n')[0]}\n\n`);
    if (session !== undefined) process.stdout.write(`${rest.includes('--resume') ? 'Going on' : 'New'}: ${session}\n\n`);
    for (const image of images) process.stdout.write(`- an image of ${readFileSync(image).byteLength} bytes\n`);
    process.stdout.write('Grüße, 日本, \u{1f600}.\n');
    break;
  }
  case 'coloured':
    process.stdout.write('\u001b]0;program\u0007\u001b[2mthinking\u001b[0m\r\n10 %\r100 %\r\n\n\u001b[1;32mDone\u001b(B\u001b[m.\n');
    break;
  case 'shift-jis':
    // 「日本語です。」 and a line feed.
    process.stdout.write(Buffer.from('93fa967b8cea82c582b781420a', 'hex'));
    break;
  case 'nothing':
    process.stderr.write('nothing to say\n');
    break;
  case 'failed':
    process.stdout.write('Half an ans');
    process.stderr.write('\u001b[31mError:\u001b[0m the model is away\n');
    process.exitCode = 3;
    break;
  case 'killed':
    process.stdout.write('Half an answer.\n');
    process.kill(process.pid, 'SIGKILL');
    break;
  case 'events': {
    const session = after('--resume') ?? '0199a213-81c0-7800-8aa1-0000000000c0';
    line({ type: 'thread.started', thread_id: session });
    line({ type: 'turn.started' });
    const command = { id: 'item_0', type: 'command_execution', command: 'test -e README.md' };
    line({ type: 'item.started', item: { ...command, aggregated_output: '', exit_code: null, status: 'in_progress' } });
    const code = existsSync('README.md') ? 0 : 1;
    const status = code === 0 ? 'completed' : 'failed';
    line({ type: 'item.completed', item: { ...command, aggregated_output: '', exit_code: code, status } });
    line({ type: 'item.completed', item: { id: 'item_1', type: 'agent_message', text: `Heard: ${message()}` } });
    line({ type: 'turn.completed', usage: { input_tokens: 5, cached_input_tokens: 0, output_tokens: 4 } });
    break;
  }
  case 'events-without-end':
    line({ type: 'thread.started', thread_id: '0199a213-81c0-7800-8aa1-0000000000c1' });
    line({ type: 'item.completed', item: { id: 'item_0', type: 'agent_message', text: 'I begin.' } });
    process.exitCode = 1;
    break;
  default:
    process.stderr.write(`unknown way: ${way}\n`);
    process.exitCode = 64;
}
