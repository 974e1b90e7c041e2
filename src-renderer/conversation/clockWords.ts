import type { Clock } from '../../src-shared/conversations.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;

/** What is left, as roughly as its size allows and never more than there is. */
export function roughDuration(ms: number): string {
  const minutes = Math.floor(ms / MINUTE_MS);
  if (minutes < 1) return `${Math.max(0, Math.floor(ms / SECOND_MS))} s`;
  if (minutes < HOUR_MINUTES) return `${minutes} min`;
  const rest = minutes % HOUR_MINUTES;
  const hours = Math.floor(minutes / HOUR_MINUTES);
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

/** A clock that runs, and whose. */
export interface SeatClock {
  readonly name: string;
  readonly clock: Clock;
  /** Whether the invocation was begun with an idle limit. */
  readonly hasIdleLimit: boolean;
}

/** What is left on both clocks of one seat. */
export function leftText({ clock, hasIdleLimit }: SeatClock, now: number): string {
  return [`${roughDuration(clock.wallEndsAt - now)} left`, ...idleText(clock, hasIdleLimit, now)].join(' · ');
}

function idleText({ idleEndsAt }: Clock, hasIdleLimit: boolean, now: number): string[] {
  if (!hasIdleLimit) return [];
  return [idleEndsAt === null ? 'idle clock stands still' : `idle limit in ${roughDuration(idleEndsAt - now)}`];
}

/** Of several seats the limit that comes first; nothing for none. */
export function firstLimitText(clocks: readonly SeatClock[], now: number): string {
  const [only, ...others] = clocks;
  if (only === undefined) return '';
  if (others.length === 0) return leftText(only, now);
  const limits = clocks.flatMap(({ name, clock }) => [
    { name, kind: 'time', at: clock.wallEndsAt },
    ...(clock.idleEndsAt === null ? [] : [{ name, kind: 'idle', at: clock.idleEndsAt }]),
  ]);
  const first = limits.reduce((nearest, limit) => (limit.at < nearest.at ? limit : nearest));
  return `first limit: ${first.name}, ${first.kind}, in ${roughDuration(first.at - now)}`;
}
