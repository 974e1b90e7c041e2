/** Text that came from files, names and commands, made safe to stand in Markdown. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what has to go
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** One line of code. */
export function code(text: string): string {
  const line = text.replace(/\s+/g, ' ').replace(CONTROL, '�').trim();
  const ticks = '`'.repeat(longestRun(line) + 1);
  const isPadded = line === '' || line.startsWith('`') || line.endsWith('`');
  return isPadded ? `${ticks} ${line} ${ticks}` : `${ticks}${line}${ticks}`;
}

/** A block of code. */
export function block(text: string, language = ''): string {
  const body = text.replace(CONTROL, '�').replace(/\n+$/, '');
  const fence = '`'.repeat(Math.max(3, longestRun(body) + 1));
  return `${fence}${language}\n${body}\n${fence}`;
}

/** Prose from elsewhere, with everything that Markdown would act on made literal. */
export function prose(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(CONTROL, '�')
    .trim()
    .replace(/[\\`*_{}[\]<>#|~!&]/g, '\\$&');
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map((match) => match[0].length));
}

export function bytesText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const kib = bytes / 1024;
  return kib < 1024 ? `${kib.toFixed(1)} KiB` : `${(kib / 1024).toFixed(1)} MiB`;
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
