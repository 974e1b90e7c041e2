import { useMemo } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { InvocationId } from '../../../src-shared/ids.ts';
import { nameThen } from '../../conversation/seats.ts';
import { useAgent, useAgents } from '../../state/agents.ts';
import { useConversation } from '../../state/conversation.ts';
import { SeatBadge } from '../../ui/index.ts';
import { DenialList } from '../DenialList.tsx';
import { denialsOf } from '../denials.ts';
import { type Subject, subjects } from '../subject.ts';

/** What agents were refused, of the loaded turns or of one run: no evidence, but never passed over. */
export function Denied({ invocationId }: { invocationId: InvocationId | null }) {
  const states = useConversation(
    useShallow(({ view }) => (view === null ? [] : denyingIn(subjects(view), invocationId).map(({ state }) => state))),
  );
  const denials = useMemo(() => {
    const { view } = useConversation.getState();
    const all = view === null ? [] : subjects(view);
    return states.flatMap((state) => {
      const subject = all.find((candidate) => candidate.state.invocationId === state.invocationId);
      return denialsOf(state).map((denial) => ({
        ...denial,
        id: `${state.invocationId} ${denial.id}`,
        who: subject === undefined ? null : <Who subject={subject} />,
      }));
    });
  }, [states]);
  if (denials.length === 0) return null;
  return (
    <section
      aria-label="Denied"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="max-h-[40%] shrink-0 overflow-y-auto border-t px-3 py-2 text-sm outline-offset-[-2px]"
    >
      <h2 className="mb-1.5 text-xs font-semibold text-ink-3">Denied</h2>
      <DenialList label="Denied calls" denials={denials} />
    </section>
  );
}

/** Oldest first, as the evidence is. */
function denyingIn(all: readonly Subject[], invocationId: InvocationId | null): Subject[] {
  return all
    .filter(({ state }) => state.deniedCount > 0 && (invocationId === null || state.invocationId === invocationId))
    .toReversed();
}

function Who({ subject: { state, seat } }: { subject: Subject }) {
  const agents = useAgents((store) => store.agents);
  const agent = useAgent(state.started?.agent ?? seat?.agent);
  const name = nameThen(state, seat, agents) ?? 'A seat that is gone';
  return (
    <span title={name} className="flex items-center">
      {agent !== undefined && <SeatBadge letter={agent.letter} hue={agent.hue} />}
      <span className={agent === undefined ? '' : 'sr-only'}>{name}: </span>
    </span>
  );
}
