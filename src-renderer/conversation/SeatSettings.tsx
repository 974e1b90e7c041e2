import { useState } from 'react';
import type { AgentStatus } from '../../src-shared/agents.ts';
import type { Seat } from '../../src-shared/conversations.ts';
import type { Failure } from '../../src-shared/failure.ts';
import { MAX_TIMEOUT_MS, MIN_TIMEOUT_MS } from '../../src-shared/limits.ts';
import { startFreshSession, updateSeat } from '../state/intents.ts';
import { Button, FailureBox, RadioRow, TextField } from '../ui/index.ts';
import { ACCESS_OPTIONS } from './AccessBox.tsx';

const MINUTE_MS = 60_000;

/** What a seat works with from the next turn on. */
export function SeatSettings({ seat, agent }: { seat: Seat; agent: AgentStatus | undefined }) {
  const [model, setModel] = useState(seat.model ?? '');
  const [minutes, setMinutes] = useState(String(seat.timeoutMs / MINUTE_MS));
  const [failure, setFailure] = useState<Failure | null>(null);
  const timeoutMs = Math.round(Number(minutes) * MINUTE_MS);
  const isTimeValid = timeoutMs >= MIN_TIMEOUT_MS && timeoutMs <= MAX_TIMEOUT_MS;
  const wanted = model.trim() === '' ? null : model.trim();
  const isChanged = wanted !== seat.model || (isTimeValid && timeoutMs !== seat.timeoutMs);

  return (
    <form
      className="space-y-3"
      onSubmit={async (event) => {
        event.preventDefault();
        setFailure(
          await updateSeat({
            seatId: seat.id,
            ...(wanted === seat.model ? {} : { model: wanted }),
            ...(timeoutMs === seat.timeoutMs ? {} : { timeoutMs }),
          }),
        );
      }}
    >
      <div>
        <p className="font-semibold">{seat.name}</p>
        <p className="text-sm text-ink-2">{agent?.description}</p>
      </div>
      <RadioRow
        label="Access"
        value={seat.access}
        options={ACCESS_OPTIONS}
        onChange={async (access) => setFailure(await updateSeat({ seatId: seat.id, access }))}
      />
      <TextField
        label="Model"
        machine
        value={model}
        placeholder="the agent’s own default"
        onChange={(event) => setModel(event.target.value)}
        hint={wanted === seat.model ? undefined : 'Another model starts a fresh session.'}
      />
      <TextField
        label="Time limit, minutes"
        inputMode="decimal"
        value={minutes}
        aria-invalid={!isTimeValid}
        onChange={(event) => setMinutes(event.target.value)}
        hint={isTimeValid ? undefined : 'Between 1 second (0.02) and 24 hours (1440).'}
      />
      <div className="text-sm">
        <p className="font-medium">Session</p>
        <p className="machine text-ink-2 wrap-anywhere select-text">
          {seat.sessionId ?? 'none yet: the next turn opens one'}
        </p>
        {seat.sessionId !== null && (
          <Button size="small" className="mt-1.5" onClick={async () => setFailure(await startFreshSession(seat.id))}>
            Start a fresh session
          </Button>
        )}
      </div>
      {failure !== null && <FailureBox sentence={failure.message} hint={failure.hint} />}
      <div className="flex justify-end">
        <Button type="submit" look="primary" size="small" disabled={!isChanged || !isTimeValid}>
          Save
        </Button>
      </div>
    </form>
  );
}
