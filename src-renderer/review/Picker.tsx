import { useShallow } from 'zustand/react/shallow';
import type { ConversationId } from '../../src-shared/ids.ts';
import { nameThen } from '../conversation/seats.ts';
import { useAgents } from '../state/agents.ts';
import { useConversation } from '../state/conversation.ts';
import { selectedInvocation, useReview } from '../state/review.ts';
import { standing, subjects } from './subject.ts';

const LATEST = 'latest';

/** One line for each invocation; lines are compared, so that a streamed word renders nothing here. */
function useChoices(): string[] {
  const agents = useAgents((state) => state.agents);
  return useConversation(
    useShallow(({ view }) =>
      view === null
        ? []
        : subjects(view).map(
            ({ turn, state, seat }) =>
              `${state.invocationId} Turn ${turn.position + 1} · ${nameThen(state, seat, agents) ?? 'Seat'} · ${standing(state)}`,
          ),
    ),
  );
}

/** Chooses what is reviewed. “Latest” goes on to the next run when it starts. */
export function Picker({ conversationId }: { conversationId: ConversationId }) {
  const choices = useChoices();
  const chosen = useReview((state) => selectedInvocation(state, conversationId));
  const ids = useConversation(
    useShallow(({ view }) => (view === null ? [] : subjects(view).map(({ state }) => state.invocationId))),
  );
  if (ids.length < 2) return null;
  const value = chosen !== null && ids.includes(chosen) ? chosen : LATEST;
  const words = (choice: string) => choice.slice(choice.indexOf(' ') + 1);
  return (
    <div className="flex items-center gap-2 px-3 pt-2">
      <select
        aria-label="Run under review"
        value={value}
        onChange={(event) => {
          const id = ids.find((candidate) => candidate === event.target.value) ?? null;
          useReview.getState().select(conversationId, id);
        }}
        className="min-h-7 min-w-0 flex-1 truncate rounded-md border border-line bg-raised px-1.5 text-sm text-ink-2 hover:text-ink"
      >
        <option value={LATEST}>Latest: {words(choices[0] ?? '')}</option>
        {choices.map((choice) => (
          <option key={choice} value={choice.slice(0, choice.indexOf(' '))}>
            {words(choice)}
          </option>
        ))}
      </select>
    </div>
  );
}
