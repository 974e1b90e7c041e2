import { describe, expect, it } from 'vitest';
import { hear } from './intents.ts';

const intentsOf = (text: string) => hear(text).intents.map(({ intent }) => intent);

describe('hear', () => {
  it.each([
    ['What is in this picture?', ['images']],
    ['Which colours does the screenshot have?', ['images']],
    ['What is this project?', ['project']],
    ['How big is the repository?', ['project', 'size']],
    ['what changed lately', ['changes']],
    ['What did I ask before?', ['memory']],
    ['How do I add Codex?', ['agents']],
    ['help', ['help']],
    ['The weather is fine.', []],
    ['', []],
  ])('%s', (text, intents) => {
    expect(intentsOf(text)).toEqual(intents);
  });

  it.each([
    ['Please fix the login test', 'fix'],
    ['write me a poem', 'write'],
    ['Look at it. Then explain the loop', 'explain'],
    ['Why does it fail?', 'why'],
    ['can you refactor this', 'refactor'],
  ])('knows that “%s” is beyond it', (text, word) => {
    expect(hear(text).beyond).toBe(word);
  });

  it('does not take a noun for an order', () => {
    expect(hear('How big is the test folder?').beyond).toBeNull();
    expect(hear('What did the last build change?').beyond).toBeNull();
  });

  it('takes the words of a very long message from its beginning, in little time', () => {
    const text = `project ${'a '.repeat(2_000_000)} picture`;
    expect(intentsOf(text)).toEqual(['project']);
  });
});
