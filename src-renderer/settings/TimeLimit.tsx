import { useState } from 'react';
import { DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS, MIN_TIMEOUT_MS } from '../../src-shared/limits.ts';
import { changePreferences } from '../state/preferences.ts';
import { TextField } from '../ui/index.ts';

export const MINUTE_MS = 60_000;

/** The time limit, ms, that minutes as typed mean; `null` when they are no time that a limit may have. */
export function timeoutOfMinutes(typed: string): number | null {
  const ms = Math.round(Number(typed.replace(',', '.')) * MINUTE_MS);
  return typed.trim() !== '' && ms >= MIN_TIMEOUT_MS && ms <= MAX_TIMEOUT_MS ? ms : null;
}

/** The wall clock of the seats of new conversations. */
export function TimeLimit({ stored }: { stored: number | undefined }) {
  const current = stored ?? DEFAULT_TIMEOUT_MS;
  const [typed, setTyped] = useState(String(current / MINUTE_MS));
  const wanted = timeoutOfMinutes(typed);
  return (
    <TextField
      label="Time limit of new seats, minutes"
      inputMode="decimal"
      value={typed}
      aria-invalid={wanted === null}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={() => {
        if (wanted !== null && wanted !== current) void changePreferences({ defaultTimeoutMs: wanted });
      }}
      hint={
        wanted === null
          ? 'Between 1 second (0.02) and 24 hours (1440); the limit stays as it was.'
          : 'What still runs after this time is ended, and everything it printed is kept. A seat can have its own limit.'
      }
    />
  );
}
