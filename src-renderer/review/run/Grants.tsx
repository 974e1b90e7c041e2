import type { Grant } from '../../../src-shared/events.ts';
import { Chip } from '../../ui/index.ts';
import { Machine } from './Facts.tsx';

/** Every widening of the sandbox: what, why, and how the CLI was told. */
export function Grants({ grants }: { grants: readonly Grant[] }) {
  if (grants.length === 0) return 'none';
  return (
    <ul aria-label="Grants" className="flex flex-col gap-2">
      {grants.map((grant) => (
        <li key={`${grant.right} ${grant.directory}`}>
          <Chip tone={grant.right === 'write' ? 'warn' : 'plain'}>{grant.right}</Chip>{' '}
          <Machine>{grant.directory}</Machine>
          <p className="text-ink-2">
            {grant.reason.replace(/\.$/, '')};{' '}
            {grant.expressedAs === 'none needed' ? 'the agent may anyway, no flag needed' : 'told as '}
            {grant.expressedAs !== 'none needed' && <Machine>{grant.expressedAs}</Machine>}
          </p>
        </li>
      ))}
    </ul>
  );
}
