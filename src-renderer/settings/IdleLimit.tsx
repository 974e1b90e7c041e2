import { useId, useState } from 'react';
import { DEFAULT_IDLE_TIMEOUT_MS } from '../../src-shared/limits.ts';
import { changePreferences } from '../state/preferences.ts';
import { TextField } from '../ui/index.ts';
import { MINUTE_MS, timeoutOfMinutes } from './TimeLimit.tsx';

/** How long the seats of new conversations may print nothing; `null` is stored for “no limit”. */
export function IdleLimit({ stored }: { stored: number | null | undefined }) {
  const current = stored === undefined ? DEFAULT_IDLE_TIMEOUT_MS : stored;
  const id = useId();
  const [typed, setTyped] = useState(String((current ?? DEFAULT_IDLE_TIMEOUT_MS) / MINUTE_MS));
  const wanted = timeoutOfMinutes(typed);
  const isLimited = current !== null;
  return (
    <div className="space-y-1.5">
      <TextField
        label="Idle limit of new seats, minutes"
        inputMode="decimal"
        value={typed}
        disabled={!isLimited}
        aria-invalid={isLimited && wanted === null}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => {
          if (wanted !== null && wanted !== current) void changePreferences({ defaultIdleTimeoutMs: wanted });
        }}
        hint={
          isLimited && wanted === null
            ? 'Between 1 second (0.02) and 24 hours (1440); the limit stays as it was.'
            : 'What prints nothing for so long is ended. The clock stands still while something waits for you.'
        }
      />
      <label htmlFor={id} className="inline-flex min-h-6 items-center gap-1.5 text-sm">
        <input
          id={id}
          type="checkbox"
          className="accent-accent"
          checked={!isLimited}
          onChange={(event) =>
            void changePreferences({
              defaultIdleTimeoutMs: event.target.checked ? null : (wanted ?? DEFAULT_IDLE_TIMEOUT_MS),
            })
          }
        />
        No idle limit
      </label>
    </div>
  );
}
