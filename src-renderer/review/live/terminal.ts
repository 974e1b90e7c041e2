import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { type ITheme, Terminal } from '@xterm/xterm';
import { LIVE_SCROLLBACK_LINES } from '../limits.ts';
import type { Direction } from '../SearchBox.tsx';
import { makeInert } from './inert.ts';

/** Contrast that xterm keeps between any text and its background. */
const MIN_CONTRAST = 4.5;
const FONT_SIZE_PX = 12.5;
const LINE_HEIGHT = 1.35;

/** The sixteen colours on the terminal's ground, which is dark in both themes. */
const PALETTE: ITheme = {
  black: '#3a3934',
  red: '#ee8277',
  green: '#7fd1a8',
  yellow: '#d9a441',
  blue: '#7fb1ea',
  magenta: '#c3ace9',
  cyan: '#6fb8a6',
  white: '#d7d4ca',
  brightBlack: '#8a867b',
  brightRed: '#f4a79f',
  brightGreen: '#a4e0c2',
  brightYellow: '#e8c077',
  brightBlue: '#a8cbf2',
  brightMagenta: '#d8c8f1',
  brightCyan: '#9ad2c4',
  brightWhite: '#f4f2ec',
};

/** A terminal that shows output and takes none of its orders. */
export interface LiveTerminal {
  /** Resolves with the frame after the bytes are taken in: however much comes, a frame has one write to draw. */
  write(bytes: Uint8Array): Promise<void>;
  /** A line of Parley's own, told apart from the output. */
  note(text: string): void;
  follow(follows: boolean): void;
  search(text: string, direction: Direction): boolean;
  clearSearch(): void;
  /** What is selected, else everything that the terminal keeps. */
  text(): string;
  dispose(): void;
}

function themeOf(element: HTMLElement): ITheme {
  const style = getComputedStyle(element);
  const token = (name: string) => style.getPropertyValue(name).trim();
  const ink = token('--terminal-ink');
  return {
    ...PALETTE,
    background: token('--terminal'),
    foreground: ink,
    // Nothing can be typed, so nothing shows where.
    cursor: token('--terminal'),
    cursorAccent: token('--terminal'),
    selectionBackground: `color-mix(in srgb, ${ink} 30%, transparent)`,
  };
}

function contentOf(terminal: Terminal): string {
  const { active } = terminal.buffer;
  let text = '';
  for (let index = 0; index < active.length; index++) {
    const line = active.getLine(index);
    if (line === undefined) continue;
    if (index > 0 && !line.isWrapped) text += '\n';
    text += line.translateToString(!(active.getLine(index + 1)?.isWrapped ?? false));
  }
  return text.trimEnd();
}

export function openTerminal(host: HTMLElement, onFollow: (follows: boolean) => void): LiveTerminal {
  const terminal = new Terminal({
    convertEol: true,
    disableStdin: true,
    cursorBlink: false,
    cursorInactiveStyle: 'none',
    screenReaderMode: true,
    scrollback: LIVE_SCROLLBACK_LINES,
    scrollOnEraseInDisplay: true,
    minimumContrastRatio: MIN_CONTRAST,
    fontFamily: getComputedStyle(host).getPropertyValue('--font-mono'),
    fontSize: FONT_SIZE_PX,
    lineHeight: LINE_HEIGHT,
    theme: themeOf(host),
    linkHandler: null,
  });
  const fit = new FitAddon();
  const search = new SearchAddon();
  makeInert(terminal);
  terminal.loadAddon(fit);
  terminal.loadAddon(search);
  terminal.open(host);
  fit.fit();
  // Nothing is typed into it: Tab leaves it, and keys scroll it as they scroll any text.
  terminal.attachCustomKeyEventHandler((event) => scrollByKey(terminal, event));
  terminal.textarea?.setAttribute('aria-label', 'Output, read-only');
  terminal.textarea?.setAttribute('readonly', '');
  // Read aloud as it is written it would drown everything else; it is there to be read line by line.
  terminal.element?.querySelector('.live-region')?.setAttribute('aria-live', 'off');

  let follows = true;
  const isAtEnd = () => terminal.buffer.active.viewportY >= terminal.buffer.active.baseY;
  terminal.onScroll(() => {
    if (isAtEnd() === follows) return;
    follows = isAtEnd();
    onFollow(follows);
  });

  const resizes = new ResizeObserver(() => fit.fit());
  resizes.observe(host);
  const themes = new MutationObserver(() => {
    terminal.options.theme = themeOf(host);
  });
  themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });

  return {
    write: (bytes) =>
      new Promise((resolve) => {
        terminal.write(bytes, () => {
          if (follows) terminal.scrollToBottom();
          requestAnimationFrame(() => resolve());
        });
      }),
    note: (text) => terminal.write(`\u001b[0;3;90m${text}\u001b[0m\r\n`),
    follow(wanted) {
      follows = wanted;
      if (wanted) terminal.scrollToBottom();
      // At its very end a terminal follows by itself.
      else if (isAtEnd()) terminal.scrollLines(-1);
    },
    search: (text, direction) => (direction === 'next' ? search.findNext(text) : search.findPrevious(text)),
    clearSearch: () => {
      search.clearDecorations();
      terminal.clearSelection();
    },
    text: () => (terminal.hasSelection() ? terminal.getSelection() : contentOf(terminal)),
    dispose() {
      resizes.disconnect();
      themes.disconnect();
      terminal.dispose();
    },
  };
}

/** Keys scroll, and nothing else: xterm handles none of them. */
function scrollByKey(terminal: Terminal, event: KeyboardEvent): false {
  if (event.type !== 'keydown' || event.ctrlKey || event.metaKey || event.altKey) return false;
  const page = Math.max(1, terminal.rows - 1);
  switch (event.key) {
    case 'ArrowUp':
      terminal.scrollLines(-1);
      break;
    case 'ArrowDown':
      terminal.scrollLines(1);
      break;
    case 'PageUp':
      terminal.scrollLines(-page);
      break;
    case 'PageDown':
      terminal.scrollLines(page);
      break;
    case 'Home':
      terminal.scrollToTop();
      break;
    case 'End':
      terminal.scrollToBottom();
      break;
    default:
      return false;
  }
  event.preventDefault();
  return false;
}
