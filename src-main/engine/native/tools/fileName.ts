import { createHash } from 'node:crypto';

const MAX_LENGTH = 48;

/** A name that is one path segment everywhere, made of an id that a provider chose. Two ids never share one. */
export function fileName(id: string): string {
  const plain = id.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, MAX_LENGTH);
  if (plain === id && plain !== '' && /^[A-Za-z0-9]/.test(plain)) return plain;
  return `call-${createHash('sha256').update(id).digest('hex').slice(0, 16)}`;
}
