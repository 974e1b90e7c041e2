import { expect, test } from 'vitest';
import { contains } from './contains.ts';

test.each([
  ['/a', '/a'],
  ['/a', '/a/b/c'],
  ['/', '/a'],
  ['/a/', '/a/b'],
  // A name that only begins like the way up.
  ['/a', '/a/..b'],
  ['/a', '/a/b/../c'],
])('%s contains %s', (directory, path) => {
  expect(contains(directory, path)).toBe(true);
});

test.each([
  ['/a', '/'],
  ['/a', '/ab'],
  ['/a', '/b'],
  ['/a', '/a/../b'],
  ['/a/b', '/a'],
])('%s does not contain %s', (directory, path) => {
  expect(contains(directory, path)).toBe(false);
});
