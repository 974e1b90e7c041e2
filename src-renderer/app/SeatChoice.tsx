import { RotateCw } from 'lucide-react';
import { useId } from 'react';
import type { AgentId, AgentStatus } from '../../src-shared/agents.ts';
import { InstallHint } from '../settings/index.tsx';
import { loadAgents, useAgents } from '../state/agents.ts';
import { Button, Chip, classes, FailureBox, SeatBadge } from '../ui/index.ts';

/** Who takes a seat: one agent in a chat, any number of them in a talk. */
export function SeatChoice({
  kind,
  chosen,
  onChange,
}: {
  kind: 'chat' | 'talk';
  chosen: readonly AgentId[];
  onChange: (chosen: readonly AgentId[]) => void;
}) {
  const { agents, status, failure } = useAgents();
  const name = useId();
  const isAnyMissing = agents.some((agent) => agent.availability.kind === 'not-found');

  function toggle(agent: AgentId, isChecked: boolean) {
    if (kind === 'chat') onChange([agent]);
    else onChange(isChecked ? [...chosen, agent] : chosen.filter((each) => each !== agent));
  }

  return (
    <fieldset aria-label="Seats">
      <div className="mb-1 flex items-center gap-2">
        <span className="text-sm font-medium" aria-hidden="true">
          Seats
        </span>
        {isAnyMissing && (
          <Button size="small" look="quiet" disabled={status === 'loading'} onClick={() => void loadAgents(true)}>
            <RotateCw size={13} aria-hidden="true" />
            Look again
          </Button>
        )}
      </div>
      {status === 'loading' && agents.length === 0 && (
        <p className="text-sm text-ink-2">Looking for agents on this machine…</p>
      )}
      {failure !== null && <FailureBox sentence={failure.message} hint={failure.hint} />}
      <div className="space-y-1.5">
        {agents.map((agent) => (
          <Choice
            key={agent.id}
            agent={agent}
            name={name}
            type={kind === 'chat' ? 'radio' : 'checkbox'}
            isChosen={chosen.includes(agent.id)}
            onToggle={(isChecked) => toggle(agent.id, isChecked)}
          />
        ))}
      </div>
      {kind === 'talk' && chosen.length === 0 && <p className="mt-1 text-sm text-warn">Choose at least one seat.</p>}
    </fieldset>
  );
}

function Choice({
  agent,
  name,
  type,
  isChosen,
  onToggle,
}: {
  agent: AgentStatus;
  name: string;
  type: 'radio' | 'checkbox';
  isChosen: boolean;
  onToggle: (isChecked: boolean) => void;
}) {
  const id = `${name}-${agent.id}`;
  const isFound = agent.availability.kind === 'found';
  return (
    <div
      className={classes(
        'rounded-lg border has-focus-visible:outline-2 has-focus-visible:outline-accent',
        isChosen ? 'border-accent bg-accent-soft' : 'border-line bg-raised hover:border-line-strong',
      )}
    >
      <label className="flex items-start gap-2 px-2.5 py-1.5">
        <input
          type={type}
          name={name}
          checked={isChosen}
          onChange={(event) => onToggle(event.target.checked)}
          aria-labelledby={`${id}-label`}
          aria-describedby={`${id}-hint`}
          className="mt-1 accent-accent outline-none"
        />
        <SeatBadge letter={agent.letter} hue={agent.hue} />
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-center gap-x-2">
            <span id={`${id}-label`} className="font-medium">
              {agent.label}
            </span>
            {agent.availability.kind === 'found' ? (
              agent.availability.version !== null && (
                <span className="machine text-ink-2">{agent.availability.version}</span>
              )
            ) : (
              <Chip tone="warn">not found</Chip>
            )}
          </span>
          <span id={`${id}-hint`} className="block text-sm text-ink-2">
            {agent.description}
          </span>
        </span>
      </label>
      {!isFound && (
        <div className="px-2.5 pb-2">
          <InstallHint agent={agent} />
        </div>
      )}
    </div>
  );
}
