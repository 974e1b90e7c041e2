import type { IDisposable, Terminal } from '@xterm/xterm';

/**
 * What a program prints must not act on whoever looks at it. xterm.js 6 gives the handler that was registered last the
 * first say; one that returns `true` is the only one.
 */

/**
 * Operating system commands: titles (0, 1, 2), palette (4), working directory (7), links (8), notifications (9, 99,
 * 777), colours (10 to 19, 104 to 119), clipboard (52), and what shells and editors agreed on (133, 633, 1337).
 */
const OSC = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ...range(10, 19), 21, 22, 50, 51, 52, 66, 99, ...range(104, 119), 133, 633, 777, 1337]; // biome-ignore format: one list

/** Private modes that only change what is drawn: wrap at the margin, show the cursor. */
const HARMLESS_MODES: ReadonlySet<number> = new Set([7, 25]);
/** “Erase in display” with this parameter would take away what was printed before. */
const ERASE_SCROLLBACK = 3;

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Swallows every sequence that does more than move the cursor, erase what is on screen, or colour text. */
export function makeInert({ parser }: Terminal): IDisposable {
  const swallow = () => true;
  const isHarmless = (params: readonly (number | number[])[]) =>
    params.length > 0 && params.every((mode) => typeof mode === 'number' && HARMLESS_MODES.has(mode));
  const handlers = [
    ...OSC.map((id) => parser.registerOscHandler(id, swallow)),
    // Mouse reports, the alternate screen, focus reports: the first two would hide what was printed.
    parser.registerCsiHandler({ prefix: '?', final: 'h' }, (params) => !isHarmless(params)),
    parser.registerCsiHandler({ prefix: '?', final: 'l' }, (params) => !isHarmless(params)),
    parser.registerCsiHandler({ final: 'J' }, (params) => params[0] === ERASE_SCROLLBACK),
    // Window operations, and questions that a terminal would answer by typing.
    parser.registerCsiHandler({ final: 't' }, swallow),
    parser.registerCsiHandler({ final: 'c' }, swallow),
    parser.registerCsiHandler({ prefix: '>', final: 'c' }, swallow),
    parser.registerCsiHandler({ prefix: '=', final: 'c' }, swallow),
    parser.registerCsiHandler({ final: 'n' }, swallow),
    parser.registerCsiHandler({ prefix: '?', final: 'n' }, swallow),
    parser.registerCsiHandler({ prefix: '>', final: 'q' }, swallow),
    parser.registerCsiHandler({ intermediates: '!', final: 'p' }, swallow),
    parser.registerCsiHandler({ intermediates: '$', final: 'p' }, swallow),
    parser.registerCsiHandler({ prefix: '?', intermediates: '$', final: 'p' }, swallow),
    // A full reset would take away everything that was printed before.
    parser.registerEscHandler({ final: 'c' }, swallow),
    parser.registerDcsHandler({ intermediates: '$', final: 'q' }, swallow),
    parser.registerDcsHandler({ intermediates: '+', final: 'q' }, swallow),
    parser.registerDcsHandler({ final: 'q' }, swallow),
    parser.registerDcsHandler({ final: '|' }, swallow),
  ];
  return { dispose: () => handlers.forEach((handler) => void handler.dispose()) };
}
