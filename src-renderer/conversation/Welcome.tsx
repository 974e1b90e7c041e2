import { useAgents } from '../state/agents.ts';
import { openDialog } from '../state/stage.ts';
import { Button, Empty } from '../ui/index.ts';
import { ShowSidebar } from './Header.tsx';

/** What the window shows while no conversation is open. */
export function Welcome({ isSidebarShown, hasConversations }: { isSidebarShown: boolean; hasConversations: boolean }) {
  const isAgentMissing = useAgents(
    ({ agents }) =>
      agents.length > 0 && !agents.some((agent) => agent.id !== 'guide' && agent.availability.kind === 'found'),
  );
  return (
    <div className="flex h-full flex-col">
      <header className="flex min-h-11 items-center px-4">{!isSidebarShown && <ShowSidebar />}</header>
      <div className="flex flex-1 flex-col justify-center overflow-y-auto pb-16">
        <Empty
          level="h1"
          title={hasConversations ? 'No conversation is open' : 'Welcome to Parley'}
          actions={
            <>
              <Button look="primary" onClick={() => openDialog({ kind: 'new-conversation' })}>
                Start a conversation
              </Button>
              {isAgentMissing && (
                <Button onClick={() => openDialog({ kind: 'settings', section: 'agents' })}>How to add an agent</Button>
              )}
            </>
          }
        >
          {hasConversations ? (
            <p>Choose one on the left, or start another.</p>
          ) : (
            <>
              <p>Talk with the agents on this machine about a directory, and see exactly what each run did.</p>
              <ol className="mt-4 space-y-2 text-left">
                <Step number={1}>
                  Choose the directory it is about. A seat only reads there, unless you say otherwise.
                </Step>
                <Step number={2}>Write a message; drop, paste or pick images into it.</Step>
                <Step number={3}>Review on the right what the agent was given, printed, ran and left behind.</Step>
              </ol>
              {isAgentMissing && (
                <p className="mt-4 text-left">
                  No other agent was found on this machine yet. The Guide ships with Parley and needs no account: it
                  looks at your images and the directory, and shows how everything works.
                </p>
              )}
            </>
          )}
        </Empty>
      </div>
    </div>
  );
}

function Step({ number, children }: { number: number; children: string }) {
  return (
    <li className="flex gap-2.5">
      <span
        aria-hidden="true"
        className="mt-px grid size-5 shrink-0 place-items-center rounded-full bg-accent-soft text-2xs font-semibold text-accent"
      >
        {number}
      </span>
      {children}
    </li>
  );
}
