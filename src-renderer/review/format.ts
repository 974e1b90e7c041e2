const UNITS = ['KiB', 'MiB', 'GiB'] as const;
const UNIT = 1024;

/** A size as people read it: exact below 1 KiB, else with one decimal while it is small. */
export function formatBytes(bytes: number): string {
  if (bytes < UNIT) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  let value = bytes;
  let unit: string = UNITS[0];
  for (const next of UNITS) {
    unit = next;
    value /= UNIT;
    if (value < UNIT) break;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}

export function formatCount(count: number): string {
  return count.toLocaleString('en');
}

const dollars = new Intl.NumberFormat('en', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  // Turns often cost less than a cent.
  maximumFractionDigits: 6,
});

export function formatCost(usd: number): string {
  return dollars.format(usd);
}

const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

export function formatMoment(at: number): string {
  return dateTime.format(at);
}

/** An argument as a POSIX shell would have to be given it, so that a copied command line means the same. */
export function quoteArgument(argument: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(argument)) return argument;
  return `'${argument.replaceAll("'", "'\\''")}'`;
}
