import { openJournal } from './journal.ts';
import type { ChatMessage } from './messages.ts';

/**
 * A program for tests: writes numbered messages to a journal, says each number when it is written, and goes on until it
 * is killed. Arguments: the journal, `append` or `rewrite`, the length of a message.
 */
const [path = '', mode = '', length = ''] = process.argv.slice(2);
const journal = await openJournal(path);
const last = journal.messages.at(-1);

for (let number = last === undefined ? 0 : Number.parseInt(last.text, 10) + 1; ; number += 1) {
  const message: ChatMessage = {
    role: 'user',
    text: `${number} ${'x'.repeat(Number(length))}`,
    attachments: [],
    kind: 'prompt',
  };
  await (mode === 'append' ? journal.append([message]) : journal.rewrite([message]));
  process.stdout.write(`${number}\n`);
}
