const DAY_MS = 24 * 60 * 60_000;
/** Up to this many days ahead a weekday says enough. */
const WEEK_DAYS = 6;

const time = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const weekday = new Intl.DateTimeFormat('en', { weekday: 'long' });
const date = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' });

function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

/** A moment to come, in local time: “at 15:05”, “tomorrow at 15:05”, “on Friday at 15:05”, “on Jan 1, 2099 at 00:00”. */
export function momentText(at: number, now: number): string {
  const days = Math.round((startOfDay(at) - startOfDay(now)) / DAY_MS);
  const clock = `at ${time.format(at)}`;
  if (days <= 0) return clock;
  if (days === 1) return `tomorrow ${clock}`;
  return `on ${days <= WEEK_DAYS ? weekday.format(at) : date.format(at)} ${clock}`;
}
