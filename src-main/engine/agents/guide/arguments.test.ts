import { describe, expect, it } from 'vitest';
import { parseArguments } from './arguments.ts';

const parse = (line: string) => parseArguments(line.split(' '));

describe('parseArguments', () => {
  it('takes a first turn with images', () => {
    expect(parse('exec --json --skip-git-repo-check -C /work -s read-only -i /a.png -i /b.png -')).toEqual({
      kind: 'turn',
      arguments: { cwd: '/work', images: ['/a.png', '/b.png'], resume: null },
    });
  });

  it('takes a resumed turn, with images on either side', () => {
    expect(parse('exec --json -C /work -s workspace-write -i /a.png resume ID -i /b.png -')).toEqual({
      kind: 'turn',
      arguments: { cwd: '/work', images: ['/a.png', '/b.png'], resume: 'ID' },
    });
  });

  it.each([
    ['', 'the first argument has to be exec'],
    ['exec -C /work -', '--json is missing; there is no other form of output'],
    ['exec --json -', '-C DIRECTORY is missing'],
    ['exec --json -C /work', '- is missing; the message is read from standard input'],
    ['exec --json -C /work --yolo -', '--yolo is not known here'],
    ['exec --json -C /work -s danger -', 'danger is not a mode; read-only and workspace-write are'],
    ['exec --json -C /work - -i', '-i needs a value'],
  ])('refuses “%s” with a sentence', (line, sentence) => {
    expect(parse(line)).toEqual({ kind: 'wrong', sentence });
  });
});
