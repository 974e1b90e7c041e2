const UNITS_MS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };

/** The length of what gemini-cli 0.61 words as `13h14m3s`, `34.07s` or `900ms`, in ms. */
export function durationMs(wording: string): number {
  let ms = 0;
  for (const [, count, unit] of wording.matchAll(/(\d+(?:\.\d+)?)(ms|[dhms])/g)) {
    ms += Number(count) * (UNITS_MS[unit ?? ''] ?? 0);
  }
  return Math.round(ms);
}
