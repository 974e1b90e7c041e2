import { RotateCw } from 'lucide-react';
import type { CallOutput } from '../../src-shared/api.ts';
import type { Preferences } from '../../src-shared/preferences.ts';
import { loadAgents, useAgents } from '../state/agents.ts';
import { Button, FailureBox, Fold, MachineBox } from '../ui/index.ts';
import { AgentCard } from './AgentCard.tsx';

/** How each agent stands on this machine, what can be set for it, and where all of them are looked for. */
export function AgentsSection({ preferences }: { preferences: Preferences }) {
  const { agents, search, status, failure } = useAgents();
  return (
    <section aria-label="Agents" className="space-y-3">
      <div className="flex flex-wrap items-center gap-2">
        <p className="min-w-0 flex-1 basis-64 text-sm text-ink-2">
          An agent is a CLI that you use already. Parley runs it as you would, with your account.
        </p>
        <Button size="small" disabled={status === 'loading'} onClick={() => void loadAgents(true)}>
          <RotateCw size={13} aria-hidden="true" />
          {status === 'loading' ? 'Looking…' : 'Find again'}
        </Button>
      </div>
      {failure !== null && <FailureBox sentence={failure.message} hint={failure.hint} />}
      <ul aria-label="Agents" className="space-y-2">
        {agents
          .filter(({ availability }) => availability.kind !== 'by-definition')
          .map((agent) => (
            <li key={agent.id} className="rounded-lg border border-line bg-raised px-3 py-2.5">
              <AgentCard agent={agent} preferences={preferences} />
            </li>
          ))}
      </ul>
      {search !== null && <Search search={search} />}
    </section>
  );
}

function Search({ search }: { search: CallOutput<'listAgents'>['search'] }) {
  return (
    <section aria-label="Where agents are looked for" className="space-y-1">
      <p className="text-sm text-ink-2">{describeShell(search)}</p>
      <Fold summary={`Directories that are searched (${search.path.length})`}>
        <MachineBox
          label="Searched directories"
          text={search.path.join('\n')}
          className="mt-1 max-h-40 rounded-md border border-line"
        />
      </Fold>
    </section>
  );
}

/** What part the login shell had in the search. */
export function describeShell({ loginShell, shell }: CallOutput<'listAgents'>['search']): string {
  switch (loginShell) {
    case 'asked':
      return `The login shell ${shell ?? ''} told its PATH; known directories are searched after it.`;
    case 'waiting':
      return `The login shell ${shell ?? ''} has not told its PATH yet. Parley goes on without it and takes it when it comes.`;
    case 'no-answer':
      return `The login shell ${shell ?? ''} did not tell its PATH. Parley’s own PATH and known directories are searched.`;
    case 'not-asked':
      return 'No login shell was asked: Parley has the PATH that it was started with. Known directories are searched after it.';
    default:
      return loginShell satisfies never;
  }
}
