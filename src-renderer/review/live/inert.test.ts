import { Terminal } from '@xterm/xterm';
import { describe, expect, it } from 'vitest';
import { makeInert } from './inert.ts';

/** What a terminal holds, answers and announces after it was sent `text`. */
async function terminalAfter(text: string) {
  const terminal = new Terminal({ cols: 40, rows: 5, convertEol: true, allowProposedApi: true });
  makeInert(terminal);
  const answers: string[] = [];
  const titles: string[] = [];
  terminal.onData((data) => answers.push(data));
  terminal.onTitleChange((title) => titles.push(title));
  await new Promise<void>((resolve) => terminal.write(text, resolve));
  const { buffer, modes } = terminal;
  const lines = Array.from({ length: buffer.active.length }, (_, index) =>
    buffer.active.getLine(index)?.translateToString(true),
  );
  const result = { text: lines.join('\n').trimEnd(), answers, titles, kind: buffer.active.type, modes };
  terminal.dispose();
  return result;
}

const OSC = '\u001b]';
const BEL = '\u0007';
const CSI = '\u001b[';

describe('the live terminal', () => {
  it.each([
    ['writes the clipboard', `${OSC}52;c;aGVsbG8=${BEL}`],
    ['makes a link', `${OSC}8;;https://evil.example${BEL}link${OSC}8;;${BEL}`],
    ['sets the title', `${OSC}0;root@host${BEL}${OSC}2;root${BEL}`],
    ['asks for the colours', `${OSC}10;?${BEL}${OSC}11;?${BEL}${OSC}4;1;?${BEL}`],
    ['asks what it is', `${CSI}c${CSI}>c${CSI}5n${CSI}6n${CSI}?6n${CSI}>q`],
    ['asks for a setting', `\u001bP$qm\u001b\\`],
    ['resizes the window', `${CSI}8;1;1t${CSI}18t`],
    ['switches to the alternate screen', `${CSI}?1049h${CSI}?47h`],
    ['takes the mouse', `${CSI}?1000;1003h`],
    ['resets everything', `\u001bc${CSI}!p`],
    ['erases what was printed', `${CSI}3J`],
    ['shows a notification', `${OSC}777;notify;a;b${BEL}${OSC}9;hello${BEL}`],
  ])('does nothing when a program %s', async (_what, sequence) => {
    const { text, answers, titles, kind, modes } = await terminalAfter(`before\n${sequence}\nafter`);
    expect(text.replace('link', '')).toBe('before\n\nafter');
    expect(answers).toEqual([]);
    expect(titles).toEqual([]);
    expect(kind).toBe('normal');
    expect(modes.mouseTrackingMode).toBe('none');
  });

  it('keeps what only draws: colours, cursor moves, a cleared line', async () => {
    expect((await terminalAfter(`${CSI}31mred${CSI}0m\nprogress 1\r${CSI}Kprogress 2`)).text).toBe('red\nprogress 2');
  });
});
