import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import type { AgentStatus } from '../../src-shared/agents.ts';
import type { Preferences } from '../../src-shared/api.ts';
import { loadAgents, useAgents } from '../state/agents.ts';
import { changePreferences } from '../state/preferences.ts';
import { Button, Chip, FailureBox, Fold, MachineBox, SeatBadge, TextField } from '../ui/index.ts';
import { InstallHint } from './InstallHint.tsx';

/** How each agent stands: where it was found, or where it was looked for and how to install it. */
export function AgentsSection({ executables }: { executables: Preferences['executables'] }) {
  const { agents, status, failure } = useAgents();
  return (
    <section aria-label="Agents">
      <div className="mb-1.5 flex items-center gap-2">
        <h2 className="flex-1 text-sm font-medium">Agents</h2>
        <Button size="small" disabled={status === 'loading'} onClick={() => void loadAgents(true)}>
          <RotateCw size={13} aria-hidden="true" />
          {status === 'loading' ? 'Looking…' : 'Look again'}
        </Button>
      </div>
      {failure !== null && <FailureBox sentence={failure.message} hint={failure.hint} />}
      <ul className="space-y-2">
        {agents.map(
          (agent) =>
            agent.availability.kind !== 'by-definition' && (
              <li key={agent.id} className="rounded-lg border border-line bg-raised px-3 py-2.5">
                <Agent agent={agent} override={executables[agent.id]} executables={executables} />
              </li>
            ),
        )}
      </ul>
    </section>
  );
}

function Agent({
  agent,
  override,
  executables,
}: {
  agent: AgentStatus;
  override: string | undefined;
  executables: Preferences['executables'];
}) {
  const [path, setPath] = useState(override ?? '');
  const { availability } = agent;
  const isEmbedded = agent.id === 'guide';

  async function save(wanted: string) {
    const { [agent.id]: _before, ...others } = executables;
    await changePreferences({ executables: wanted === '' ? others : { ...others, [agent.id]: wanted } });
    await loadAgents(true);
  }

  return (
    <div className="space-y-2">
      <div className="flex items-center gap-2">
        <SeatBadge letter={agent.letter} hue={agent.hue} />
        <span className="font-medium">{agent.label}</span>
        {availability.kind === 'found' ? (
          <span className="machine text-ink-2">{availability.version ?? 'version not reported'}</span>
        ) : (
          <Chip tone="warn">not found</Chip>
        )}
        <span className="ml-auto text-sm text-ink-3">tested with {agent.testedVersion}</span>
      </div>
      <p className="text-sm text-ink-2">{agent.description}</p>
      {availability.kind === 'found' ? (
        <p className="machine text-ink-2 wrap-anywhere select-text">{availability.path}</p>
      ) : (
        availability.kind === 'not-found' && (
          <>
            <InstallHint agent={agent} />
            <Fold summary={`Where it was looked for (${availability.searched.length})`}>
              <MachineBox
                label="Searched directories"
                text={availability.searched.join('\n')}
                className="mt-1 max-h-40 rounded-md"
              />
            </Fold>
          </>
        )
      )}
      {!isEmbedded && (
        <TextField
          label={`Path of ${agent.label}`}
          machine
          value={path}
          placeholder="found on PATH"
          onChange={(event) => setPath(event.target.value)}
          action={
            <Button disabled={path.trim() === (override ?? '')} onClick={() => void save(path.trim())}>
              Use
            </Button>
          }
        />
      )}
    </div>
  );
}
