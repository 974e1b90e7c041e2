import { Tabs } from 'radix-ui';
import type { ReactNode } from 'react';
import type { ConversationId } from '../../src-shared/ids.ts';
import { useConversation } from '../state/conversation.ts';
import { type ReviewTab, selectedInvocation, useReview } from '../state/review.ts';
import { Empty } from '../ui/index.ts';
import { ArtifactsTab } from './artifacts/ArtifactsTab.tsx';
import { EvidenceTab } from './evidence/EvidenceTab.tsx';
import { LiveTab } from './live/LiveTab.tsx';
import { Picker } from './Picker.tsx';
import { RunTab } from './run/RunTab.tsx';
import type { Subject } from './subject.ts';
import { useSubject } from './useSubject.ts';

const TABS: readonly { value: ReviewTab; label: string }[] = [
  { value: 'run', label: 'Run' },
  { value: 'live', label: 'Live' },
  { value: 'artifacts', label: 'Artifacts' },
  { value: 'evidence', label: 'Evidence' },
];

/** What every run of a conversation was given, printed, executed and left behind. */
export function ReviewPane({ conversationId }: { conversationId: ConversationId }) {
  const tab = useReview((state) => state.tab);
  const showTab = useReview((state) => state.showTab);
  const subject = useSubject(conversationId);
  return (
    <aside aria-label="Review" className="flex h-full min-h-0 min-w-0 flex-col bg-pane">
      <Tabs.Root
        value={tab}
        onValueChange={(value) => {
          const chosen = TABS.find((candidate) => candidate.value === value);
          if (chosen !== undefined) showTab(chosen.value);
        }}
        className="flex min-h-0 flex-1 flex-col"
      >
        <Tabs.List aria-label="Review" className="flex shrink-0 gap-0.5 border-b px-3 pt-2">
          {TABS.map(({ value, label }) => (
            <Tabs.Trigger
              key={value}
              value={value}
              className="border-b-2 border-transparent px-2.5 pt-1.5 pb-2 text-sm text-ink-2 outline-offset-[-2px] hover:text-ink data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink"
            >
              {label}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <Picker conversationId={conversationId} />
        {TABS.map(({ value }) => (
          <Tabs.Content
            key={value}
            value={value}
            // Everything in a tab can be reached by itself; the panel need not be.
            tabIndex={-1}
            className="min-h-0 flex-1 outline-none data-[state=active]:flex data-[state=active]:flex-col"
          >
            <TabBody tab={value} conversationId={conversationId} subject={subject} />
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </aside>
  );
}

function TabBody({
  tab,
  conversationId,
  subject,
}: {
  tab: ReviewTab;
  conversationId: ConversationId;
  subject: Subject | null;
}): ReactNode {
  const chosen = useReview((state) => selectedInvocation(state, conversationId));
  const isLoading = useConversation((state) => state.view === null && state.failure === null);
  if (subject === null) return isLoading ? <Loading /> : <NothingYet tab={tab} />;
  switch (tab) {
    case 'run':
      return <RunTab subject={subject} />;
    case 'live':
      return <LiveTab subject={subject} />;
    case 'artifacts':
      // Following the latest must not take away what is being read; choosing another run shows its files.
      return <ArtifactsTab key={chosen ?? conversationId} subject={subject} />;
    case 'evidence':
      return <EvidenceTab conversationId={conversationId} subject={subject} />;
  }
}

function Loading() {
  return <p className="animate-appear-late p-4 text-sm text-ink-2">Loading…</p>;
}

const NOTHING_YET: Readonly<Record<ReviewTab, string>> = {
  run: 'When you send a message, this shows how each run was started, what it was given, and how it ended.',
  live: 'When you send a message, this shows what the agent’s process prints, as it prints it.',
  artifacts: 'Each run leaves its prompt, its output and a record of how it was started. They can be read here.',
  evidence: 'The commands that agents report are listed here, with the exit codes that they report.',
};

function NothingYet({ tab }: { tab: ReviewTab }) {
  return <Empty title="Nothing has run yet">{NOTHING_YET[tab]}</Empty>;
}
