const DAY_MS = 24 * 60 * 60_000;
/** Up to this many days ago a weekday says enough. */
const WEEK_DAYS = 6;

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'long' });
const date = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' });

function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

/** A moment, as roughly as its distance allows: the time today, “Yesterday”, a weekday, or a date. */
export function whenText(at: number, now: number): string {
  const days = Math.round((startOfDay(now) - startOfDay(at)) / DAY_MS);
  if (days <= 0) return clock.format(at);
  if (days === 1) return 'Yesterday';
  return days <= WEEK_DAYS ? weekday.format(at) : date.format(at);
}

/** A moment with its exact time behind it. */
export function When({ at, now, className }: { at: number; now: number; className?: string }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={full.format(at)} className={className}>
      {whenText(at, now)}
    </time>
  );
}
