import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * A hash of the contents of files and folders; what is not there counts as such.
 * @param {string} root
 * @param {readonly string[]} names relative to root
 */
export async function contentStamp(root, names) {
  const hash = createHash('sha256');
  for (const name of names) await addTo(hash, root, name);
  return hash.digest('hex');
}

/**
 * @param {import('node:crypto').Hash} hash
 * @param {string} root
 * @param {string} name
 */
async function addTo(hash, root, name) {
  const file = path.join(root, name);
  const found = await stat(file).catch(() => null);
  if (found === null) {
    hash.update(`absent ${name}\0`);
  } else if (found.isDirectory()) {
    for (const entry of (await readdir(file)).sort()) await addTo(hash, root, path.join(name, entry));
  } else {
    hash.update(`file ${name} ${found.size}\0`);
    hash.update(await readFile(file));
  }
}

/**
 * Whether sources differ from those that a stamp file was written for.
 * @param {string} stampFile
 * @param {string} root
 * @param {readonly string[]} names
 * @returns {Promise<{ changed: boolean, stamp: string }>}
 */
export async function changedSince(stampFile, root, names) {
  const stamp = `${process.version} ${await contentStamp(root, names)}`;
  const last = await readFile(stampFile, 'utf8').catch(() => null);
  return { changed: last !== stamp, stamp };
}

/**
 * @param {string} stampFile
 * @param {string} stamp
 */
export async function writeStamp(stampFile, stamp) {
  await mkdir(path.dirname(stampFile), { recursive: true });
  await writeFile(stampFile, stamp);
}
