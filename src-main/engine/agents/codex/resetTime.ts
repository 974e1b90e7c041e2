const DAY_MS = 86_400_000;
const UNITS_MS: Readonly<Record<string, number>> = { day: DAY_MS, hour: 3_600_000, minute: 60_000, second: 1_000 };

const DATED = /^[A-Z][a-z]{2} \d{1,2}, \d{4} \d{1,2}:\d{2} [AP]M$/;
const TIME_OF_DAY = /^\d{1,2}:\d{2} [AP]M$/;

/**
 * The moment that codex-cli 0.171 words as “at 3:05 PM”, “at Jan 1st, 2099 12:00 AM” (both in local time) or “in 2 hours
 * 5 minutes”, as ms since the epoch; `null` when it is worded otherwise.
 * @param now when it was said: a time of day is the next one after it
 */
export function resetTime(wording: string, now: number): number | null {
  if (wording.startsWith('in ')) {
    const ms = durationIn(wording);
    return ms === 0 ? null : now + ms;
  }
  const clock = wording.replace(/^(?:at|on|after) /, '').replace(/(\d)(?:st|nd|rd|th)\b/, '$1');
  // JavaScript reads a date into nearly anything; only these two forms are one.
  if (DATED.test(clock)) return Date.parse(clock);
  if (!TIME_OF_DAY.test(clock)) return null;
  const today = Date.parse(`${new Date(now).toDateString()} ${clock}`);
  return today > now ? today : today + DAY_MS;
}

function durationIn(wording: string): number {
  let ms = 0;
  for (const [, count, unit] of wording.matchAll(/(\d+) (day|hour|minute|second)/g)) {
    ms += Number(count) * (UNITS_MS[unit ?? ''] ?? 0);
  }
  return ms;
}
