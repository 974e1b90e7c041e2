import { JOINED_LENGTH, LIST_CUT_LENGTH, MAX_BLOCK_LENGTH } from './limits.ts';

/**
 * A message cut into pieces that can be parsed on their own. The pieces follow CommonMark's top-level blocks, or join
 * several of them where a cut would need the whole grammar. All `source`s together are the text.
 */
export interface Block {
  /** Offset in the text: a stable key while the text grows. */
  readonly start: number;
  readonly source: string;
  readonly content:
    | { readonly kind: 'markdown'; readonly definitions: string; readonly hasFootnotes: boolean }
    | { readonly kind: 'code'; readonly language: string; readonly code: string; readonly closed: boolean };
}

/** What the lines read so far have opened. */
type Open =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'flow' }
  /** `itemIndent`: columns from which a line lies inside of the list's last item. */
  | { readonly kind: 'list'; readonly itemIndent: number }
  | { readonly kind: 'html'; readonly end: RegExp }
  | { readonly kind: 'fence'; readonly fence: Fence };

interface Fence {
  readonly indent: number;
  readonly marker: string;
  readonly info: string;
}

interface Line {
  readonly start: number;
  /** Where the next line starts. */
  readonly next: number;
  readonly text: string;
  /** Columns of white space before the first character; a tab reaches to the next multiple of four. */
  readonly indent: number;
  readonly isBlank: boolean;
}

const TAB_STOP = 4;
/** A line that is indented further cannot open a block. */
const MAX_INDENT = 3;

const FENCE = /^[ \t]*(`{3,}(?=[^`]*$)|~{3,})[ \t]*([\s\S]*)$/;
const HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/;
const THEMATIC_BREAK = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const LIST_ITEM = /^[ \t]*([-+*]|(\d{1,9})[.)])(?:([ \t]+)([\s\S]*))?$/;
const QUOTE = /^ {0,3}>/;
const DEFINITION = /^ {0,3}\[(?!\^)[^\]\n]+\]:[^\n]*(?:\n {1,3}\S[^\n]*)?/gm;
const FOOTNOTE = /^ {0,3}\[\^[^\]\s]+\]:/m;

const BLANK = /^[ \t]*$/;
/** The elements whose tags open an HTML block anywhere; CommonMark 0.31, kind 6. */
const BLOCK_ELEMENTS =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|' +
  'fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|' +
  'menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|' +
  'track|ul';

/** What opens an HTML block, and what ends it. Neither headings nor fences do. */
const HTML_BLOCKS: readonly (readonly [start: RegExp, end: RegExp])[] = [
  [/^ {0,3}<(?:script|pre|style|textarea)(?=[\s>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^ {0,3}<!--/, /-->/],
  [/^ {0,3}<\?/, /\?>/],
  [/^ {0,3}<![A-Z]/i, />/],
  [/^ {0,3}<!\[CDATA\[/, /\]\]>/],
  [new RegExp(`^ {0,3}</?(?:${BLOCK_ELEMENTS})(?=[ \\t>]|/>|$)`, 'i'), BLANK],
];

const ATTRIBUTE = `[ \\t]+[a-z_:][\\w.:-]*(?:[ \\t]*=[ \\t]*(?:[^ \\t"'=<>\`]+|'[^']*'|"[^"]*"))?`;
/** Any other tag alone on its line; it cannot interrupt a paragraph. */
const LONE_TAG = new RegExp(
  `^ {0,3}(?:<[a-z][a-z0-9-]*(?:${ATTRIBUTE})*[ \\t]*/?>|</[a-z][a-z0-9-]*[ \\t]*>)[ \\t]*$`,
  'i',
);

function indentOf(text: string): number {
  let columns = 0;
  for (const character of text) {
    if (character === ' ') columns += 1;
    else if (character === '\t') columns += TAB_STOP - (columns % TAB_STOP);
    else break;
  }
  return columns;
}

function* linesOf(text: string, from: number): Generator<Line> {
  const breaks = /\r\n|\n|\r/g;
  breaks.lastIndex = from;
  let start = from;
  while (start < text.length) {
    const found = breaks.exec(text);
    const end = found === null ? text.length : found.index;
    const next = found === null ? text.length : breaks.lastIndex;
    const line = text.slice(start, end);
    yield { start, next, text: line, indent: indentOf(line), isBlank: BLANK.test(line) };
    start = next;
  }
}

function fenceOf(line: Line): Fence | null {
  if (line.indent > MAX_INDENT) return null;
  const [, marker, info] = FENCE.exec(line.text) ?? [];
  return marker === undefined || info === undefined ? null : { indent: line.indent, marker, info };
}

function closes(line: Line, { marker }: Fence): boolean {
  const text = line.text.trim();
  return line.indent <= MAX_INDENT && text.length >= marker.length && text === marker.charAt(0).repeat(text.length);
}

function htmlEndOf(line: Line): RegExp | null {
  return HTML_BLOCKS.find(([start]) => start.test(line.text))?.[1] ?? null;
}

/** The column at which the content of a list item begins; `null` when the line opens none. */
function itemIndentOf(line: Line, interruptsParagraph: boolean): number | null {
  const [, marker, number, gap = '', content = ''] = LIST_ITEM.exec(line.text) ?? [];
  if (marker === undefined || line.indent > MAX_INDENT) return null;
  if (interruptsParagraph && (content === '' || (number !== undefined && Number(number) !== 1))) return null;
  const afterMarker = line.indent + marker.length;
  const width = indentOf(gap);
  return content === '' || width > TAB_STOP ? afterMarker + 1 : afterMarker + width;
}

/** What a line opens at the beginning of a block; `ends` says that the block is this line alone. */
function openingOf(line: Line): { open: Open; ends: boolean } {
  const fence = fenceOf(line);
  if (fence !== null) return { open: { kind: 'fence', fence }, ends: false };
  const end = htmlEndOf(line) ?? (LONE_TAG.test(line.text) ? BLANK : null);
  if (end !== null) return { open: { kind: 'html', end }, ends: end.test(line.text) };
  if (HEADING.test(line.text)) return { open: { kind: 'flow' }, ends: true };
  const itemIndent = THEMATIC_BREAK.test(line.text) ? null : itemIndentOf(line, false);
  return { open: itemIndent === null ? { kind: 'flow' } : { kind: 'list', itemIndent }, ends: false };
}

/** Whether a line that follows a blank one belongs to the block before it. */
function continuesAfterBlank(line: Line, open: Open): boolean {
  if (line.indent > MAX_INDENT) return true;
  return open.kind === 'list' && (line.indent > 0 || itemIndentOf(line, false) !== null);
}

function isInsideItem(line: Line, open: Open): boolean {
  return open.kind === 'list' && line.indent >= open.itemIndent;
}

/** Whether a line opens a block of its own although no blank line stands before it. */
function interrupts(line: Line): boolean {
  return fenceOf(line) !== null || htmlEndOf(line) !== null || HEADING.test(line.text);
}

/** What is open after a line that goes on with a paragraph, a list or a quote. */
function grown(line: Line, open: Open): Open {
  if (isInsideItem(line, open)) return open;
  if (QUOTE.test(line.text) || THEMATIC_BREAK.test(line.text)) return { kind: 'flow' };
  const itemIndent = itemIndentOf(line, open.kind !== 'list');
  return itemIndent === null ? open : { kind: 'list', itemIndent };
}

function codeOf(source: string, { indent }: Fence): string {
  const lines: string[] = [];
  const margin = new RegExp(`^ {0,${indent}}`);
  let isOpening = true;
  for (const line of linesOf(source, 0)) {
    if (!isOpening) lines.push(indent === 0 ? line.text : line.text.replace(margin, ''));
    isOpening = false;
  }
  return lines.join('\n');
}

function blockOf(text: string, start: number, end: number, open: Open, closed: boolean): Block {
  const source = text.slice(start, end);
  if (open.kind === 'fence') {
    // Blank lines before a block belong to it; the fence begins after them.
    const lead = /^(?:[ \t]*(?:\r\n|\n|\r))*/.exec(source)?.[0].length ?? 0;
    let code = codeOf(source.slice(lead), open.fence);
    if (closed) code = code.slice(0, Math.max(0, code.lastIndexOf('\n')));
    const language = /^[^\s{]*/.exec(open.fence.info)?.[0] ?? '';
    return { start, source, content: { kind: 'code', language, code, closed } };
  }
  const definitions = open.kind !== 'html' && source.includes(']:') ? (source.match(DEFINITION)?.join('\n') ?? '') : '';
  const hasFootnotes = source.includes('[^') && FOOTNOTE.test(source);
  return { start, source, content: { kind: 'markdown', definitions, hasFootnotes } };
}

function scan(text: string, from: number): Block[] {
  const blocks: Block[] = [];
  let start = from;
  let open: Open = { kind: 'nothing' };
  let afterBlank = false;

  function cut(at: number, closed: boolean): void {
    blocks.push(blockOf(text, start, at, open, closed));
    start = at;
    open = { kind: 'nothing' };
    afterBlank = false;
  }

  function begin(line: Line): void {
    const opening = openingOf(line);
    open = opening.open;
    if (opening.ends) cut(line.next, true);
  }

  for (const line of linesOf(text, from)) {
    if (open.kind === 'fence') {
      if (closes(line, open.fence)) cut(line.next, true);
    } else if (open.kind === 'html') {
      if (open.end.test(line.text)) cut(line.next, true);
    } else if (line.isBlank) {
      afterBlank = true;
    } else if (open.kind === 'nothing') {
      begin(line);
      afterBlank = false;
    } else {
      const startsBlock = afterBlank ? !continuesAfterBlank(line, open) : false;
      const inside: boolean = isInsideItem(line, open);
      const isLongList =
        open.kind === 'list' && line.start - start > LIST_CUT_LENGTH && !inside && itemIndentOf(line, false) !== null;
      if (startsBlock || isLongList || (!inside && interrupts(line))) {
        cut(line.start, false);
        begin(line);
      } else {
        open = grown(line, open);
        afterBlank = false;
      }
    }
  }
  if (start < text.length) cut(text.length, false);
  return blocks;
}

function wholeOf(text: string): Block {
  return { start: 0, source: text, content: { kind: 'markdown', definitions: '', hasFootnotes: true } };
}

/** How many blocks at the end can still change. A first line that is not complete may yet join the block before it. */
function unfinishedCount(blocks: readonly Block[]): number {
  return blocks.at(-1)?.source.includes('\n') === true ? 1 : 2;
}

/**
 * Cuts a text into blocks. When it is what `before` was cut from with something added, the finished blocks are the same
 * objects as before.
 */
export function splitBlocks(text: string, before: readonly Block[] = []): Block[] {
  const kept: Block[] = [];
  for (const block of before.slice(0, -unfinishedCount(before))) {
    if (!text.startsWith(block.source, block.start)) break;
    kept.push(block);
  }
  const last = kept.at(-1);
  return [...kept, ...scan(text, last === undefined ? 0 : last.start + last.source.length)];
}

/**
 * Joins small pieces up to a length at which parsing them one by one costs no more than their text. The joints of a
 * growing text stay where they are.
 */
export function joinSmall(blocks: readonly Block[]): Block[] {
  const joined: Block[] = [];
  for (const block of blocks) {
    const last = joined.at(-1);
    if (
      last?.content.kind !== 'markdown' ||
      block.content.kind !== 'markdown' ||
      last.source.length + block.source.length > JOINED_LENGTH
    ) {
      joined.push(block);
      continue;
    }
    const definitions = [last.content.definitions, block.content.definitions].filter((text) => text !== '').join('\n');
    const hasFootnotes = last.content.hasFootnotes || block.content.hasFootnotes;
    const source = last.source + block.source;
    joined[joined.length - 1] = { start: last.start, source, content: { kind: 'markdown', definitions, hasFootnotes } };
  }
  return joined;
}

/** Footnotes and what refers to them have to be parsed together: a text that has any stays whole, if it is small. */
export function joinFootnotes(text: string, blocks: readonly Block[]): readonly Block[] {
  const hasFootnotes = blocks.some(({ content }) => content.kind === 'markdown' && content.hasFootnotes);
  return hasFootnotes && text.length <= MAX_BLOCK_LENGTH ? [wholeOf(text)] : blocks;
}
