import { expect, test } from 'vitest';
import type { CommandLine } from '../agents/index.ts';
import { argumentFault } from './preflight.ts';

const line = (...args: string[]): CommandLine => ({
  program: '/bin/tool',
  args,
  stdin: 'none',
  env: {},
  grants: [],
  routes: [],
  caveats: [],
});

test.runIf(process.platform === 'linux')('one argument may have 128 KiB with the NUL at its end, in bytes', () => {
  expect(argumentFault(line('-p', 'x'.repeat(128 * 1024 - 1)))).toBeNull();
  expect(argumentFault(line('-p', 'ü'.repeat(64 * 1024)))).toEqual({
    kind: 'argument-too-long',
    bytes: 128 * 1024 + 1,
    limitBytes: 128 * 1024,
  });
});

test('all arguments together have a limit, too', () => {
  const many = Array.from({ length: 10 }, () => 'x'.repeat(100_000));
  expect(argumentFault(line(...many))).toMatchObject({ kind: 'argument-too-long' });
  expect(argumentFault(line())).toBeNull();
});

test('no argument can hold a NUL', () => {
  expect(argumentFault(line('a\0b'))).toMatchObject({ kind: 'spawn' });
});
