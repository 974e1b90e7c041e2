import { Search } from 'lucide-react';
import { useState } from 'react';
import type { ConversationId } from '../../../src-shared/ids.ts';
import { Empty, FailureBox } from '../../ui/index.ts';
import { formatCount } from '../format.ts';
import { MAX_FOUND_EVIDENCE } from '../limits.ts';
import { Segments } from '../Segments.tsx';
import type { Subject } from '../subject.ts';
import { Denied } from './Denied.tsx';
import { EvidenceTable } from './EvidenceTable.tsx';
import type { EvidenceState } from './pages.ts';
import { useEvidence } from './useEvidence.ts';

const SCOPES = [
  { value: 'all', label: 'All runs' },
  { value: 'this', label: 'This run' },
] as const;

/** The commands that the agents reported as finished, with what they reported of them. */
export function EvidenceTab({ conversationId, subject }: { conversationId: ConversationId; subject: Subject }) {
  const [scope, setScope] = useState<'all' | 'this'>('all');
  const [text, setText] = useState('');
  const { state, need, find } = useEvidence(conversationId, scope === 'all' ? null : subject.state.invocationId);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 px-3 py-2">
        <Segments
          label="Which runs"
          value={scope}
          options={SCOPES}
          onChange={(chosen) => {
            setScope(chosen);
            setText('');
          }}
        />
        <div className="flex min-w-32 flex-1 items-center gap-1.5 rounded-md border border-line bg-raised px-1.5 focus-within:border-accent">
          <Search size={13} aria-hidden="true" className="shrink-0 text-ink-3" />
          <input
            type="text"
            aria-label="Filter the commands"
            placeholder="Filter"
            spellCheck={false}
            autoComplete="off"
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              find(event.target.value);
            }}
            className="min-h-6 w-full min-w-0 bg-transparent text-sm outline-none"
          />
        </div>
        <span role="status" className="text-xs text-ink-2">
          {countText(state)}
        </span>
      </div>
      {state.failure !== null && (
        <div className="px-3 pb-2">
          <FailureBox sentence={state.failure.message} hint={state.failure.hint} />
        </div>
      )}
      {state.total === null && state.failure === null && (
        <p className="animate-appear-late px-4 text-sm text-ink-2">Loading…</p>
      )}
      {state.total === 0 && <NoEvidence isOne={scope === 'this'} />}
      {state.total !== null && state.total > 0 && <EvidenceTable state={state} need={need} />}
      <Denied invocationId={scope === 'all' ? null : subject.state.invocationId} />
    </div>
  );
}

function countText({ total, found }: EvidenceState): string {
  if (total === null || total === 0) return '';
  if (found === null) return total === 1 ? '1 command' : `${formatCount(total)} commands`;
  if (found.isLimited) return `the first ${formatCount(MAX_FOUND_EVIDENCE)} matches`;
  if (found.searched < total) return `${formatCount(found.searched)} of ${formatCount(total)} searched`;
  return `${formatCount(found.rows.length)} of ${formatCount(total)}`;
}

function NoEvidence({ isOne }: { isOne: boolean }) {
  return (
    <Empty title={isOne ? 'This run reported no command' : 'No command was reported'}>
      Only commands that an agent’s own event stream reports as finished are listed. That an agent says it ran something
      is no evidence, and a command that was still running at the end of a turn is not listed either.
    </Empty>
  );
}
