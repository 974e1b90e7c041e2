import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';

const LOCK = path.join(import.meta.dirname, '..', 'e2e', 'clients', 'package-lock.json');

// A registry that lacks a platform's package makes `npm install` write a lock without it, and `npm ci` refuse that lock
// everywhere. Such an entry is put back by hand: name, version, platform, `optional`.
test('the lock of the real clients names every platform’s package', async () => {
  /** @type {{ packages: Record<string, { optionalDependencies?: Record<string, string> }> }} */
  const { packages } = JSON.parse(await readFile(LOCK, 'utf8'));
  const wanted = Object.values(packages).flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies));
  expect(wanted.length).toBeGreaterThan(0);
  expect(wanted.filter((name) => packages[`node_modules/${name}`] === undefined)).toEqual([]);
});
