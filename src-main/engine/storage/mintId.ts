import { randomBytes } from 'node:crypto';
import { formatId } from '../../../src-shared/ids.ts';

/** A new id such as `turn-20261201-150102-1a2b3c4d`, checked and branded by its schema's `parse`. */
export function mintId<Id>(prefix: string, schema: { parse(value: unknown): Id }): Id {
  return schema.parse(formatId(prefix, Date.now(), randomBytes(4).toString('hex')));
}
