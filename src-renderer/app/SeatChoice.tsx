import { RotateCw } from 'lucide-react';
import { useId } from 'react';
import { InstallHint } from '../settings/index.tsx';
import { loadAgents, useAgents } from '../state/agents.ts';
import { usePreferences } from '../state/preferences.ts';
import { Button, Chip, classes, FailureBox, SeatBadge } from '../ui/index.ts';
import { pickKey, type SeatOffer, type SeatPick, seatOffers } from './seatPicks.ts';

/** Who takes a seat: one agent or command in a chat, any number of them in a talk. */
export function SeatChoice({
  kind,
  chosen,
  onChange,
}: {
  kind: 'chat' | 'talk';
  chosen: readonly SeatPick[];
  onChange: (chosen: readonly SeatPick[]) => void;
}) {
  const { agents, status, failure } = useAgents();
  const commands = usePreferences((state) => state.preferences.commands);
  const name = useId();
  const keys = chosen.map(pickKey);
  const isAnyMissing = agents.some((agent) => agent.availability.kind === 'not-found');

  function toggle(pick: SeatPick, isChecked: boolean) {
    if (kind === 'chat') onChange([pick]);
    else onChange(isChecked ? [...chosen, pick] : chosen.filter((each) => pickKey(each) !== pickKey(pick)));
  }

  return (
    <fieldset aria-label="Seats" className="min-w-0">
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
        {seatOffers(agents, commands).map((offer) => (
          <Choice
            key={pickKey(offer.pick)}
            offer={offer}
            name={name}
            type={kind === 'chat' ? 'radio' : 'checkbox'}
            isChosen={keys.includes(pickKey(offer.pick))}
            onToggle={(isChecked) => toggle(offer.pick, isChecked)}
          />
        ))}
      </div>
      {kind === 'talk' && chosen.length === 0 && <p className="mt-1 text-sm text-warn">Choose at least one seat.</p>}
    </fieldset>
  );
}

function Choice({
  offer,
  name,
  type,
  isChosen,
  onToggle,
}: {
  offer: SeatOffer;
  name: string;
  type: 'radio' | 'checkbox';
  isChosen: boolean;
  onToggle: (isChecked: boolean) => void;
}) {
  const { agent, label, description, command } = offer;
  const id = `${name}-${pickKey(offer.pick)}`;
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
              {label}
            </span>
            {agent.availability.kind === 'found' && agent.availability.version !== null && (
              <span className="machine text-ink-2">{agent.availability.version}</span>
            )}
            {agent.availability.kind === 'not-found' && <Chip tone="warn">not found</Chip>}
            {command !== null && !command.images && <Chip>no images</Chip>}
          </span>
          <span
            id={`${id}-hint`}
            className={classes('block text-sm text-ink-2', command !== null && 'machine truncate')}
          >
            {description}
          </span>
        </span>
      </label>
      {agent.availability.kind === 'not-found' && isChosen && (
        <div className="px-2.5 pb-2">
          <InstallHint agent={agent} />
        </div>
      )}
    </div>
  );
}
