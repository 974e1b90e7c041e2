/**
 * The argument template of an operator's command. It is split into words once, with the quotes and backslashes of a
 * POSIX shell and nothing else of it: no variables, no globs, no substitution. Values are put into words that are there
 * already; none is split, quoted or read as a template again.
 */

export const PLACEHOLDERS = [
  'prompt_file',
  'cwd',
  'attachments_dir',
  'attachment',
  'session',
  'model',
  'prompt',
] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];

/** A word of a template: text, and places for values. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'place'; readonly placeholder: Placeholder };
export type Word = readonly Piece[];

export interface Template {
  readonly words: readonly Word[];
  /** What is wrong with it, in sentences. */
  readonly problems: readonly string[];
}

/** What is put in; `null` where there is nothing to put. `attachment` has one entry for each image. */
export interface TemplateValues extends Record<Exclude<Placeholder, 'attachment'>, string | null> {
  readonly attachment: readonly string[];
}

const BLANK = /[ \t\r\n]/;
/** What a backslash takes the meaning of inside double quotes; `{` is ours, the others are the shell's. */
const ESCAPED_IN_DOUBLE_QUOTES = /[$`"\\{]/;
/** What looks like a place for a value. JSON and the blocks of other languages do not. */
const PLACE = /\{([A-Za-z_][A-Za-z0-9_]*)\}/y;

export function isPlaceholder(name: string): name is Placeholder {
  return PLACEHOLDERS.some((placeholder) => placeholder === name);
}

/** Splits a template into words. Never throws: what is wrong is said in `problems`. */
export function parseTemplate(template: string): Template {
  return new Parser(template).parse();
}

class Parser {
  readonly #words: Word[] = [];
  readonly #problems: string[] = [];
  #at = 0;
  #pieces: Piece[] = [];
  #text = '';
  /** Also an empty pair of quotes is a word. */
  #isInWord = false;

  constructor(private readonly template: string) {}

  parse(): Template {
    while (this.#at < this.template.length) this.#step(this.template.charAt(this.#at));
    this.#endWord();
    if (this.template.includes('\0')) this.#problem('No argument can hold the character NUL.');
    return { words: this.#words, problems: this.#problems };
  }

  #step(character: string): void {
    if (BLANK.test(character)) {
      this.#endWord();
      this.#at++;
      return;
    }
    if (character === '\\') {
      this.#backslash();
      return;
    }
    this.#isInWord = true;
    if (character === "'") this.#singleQuotes();
    else if (character === '"') this.#doubleQuotes();
    else this.#plain(character);
  }

  #backslash(): void {
    const next = this.template.charAt(this.#at + 1);
    this.#at += 2;
    // A backslash before a line's end joins the lines.
    if (next === '\n') return;
    this.#isInWord = true;
    if (next === '') this.#problem('There is nothing after the last backslash.');
    this.#text += next;
  }

  #singleQuotes(): void {
    const end = this.template.indexOf("'", this.#at + 1);
    if (end === -1) {
      this.#problem("A single quote (') is opened and never closed.");
      this.#text += this.template.slice(this.#at + 1);
      this.#at = this.template.length;
      return;
    }
    const quoted = this.template.slice(this.#at + 1, end);
    for (const [place, name = ''] of quoted.matchAll(new RegExp(PLACE, 'g'))) {
      if (isPlaceholder(name))
        this.#problem(`${place} is in single quotes, where nothing is put in; use double quotes.`);
    }
    this.#text += quoted;
    this.#at = end + 1;
  }

  #doubleQuotes(): void {
    this.#at++;
    for (;;) {
      const character = this.template.charAt(this.#at);
      if (character === '') {
        this.#problem('A double quote (") is opened and never closed.');
        return;
      }
      if (character === '"') {
        this.#at++;
        return;
      }
      const next = this.template.charAt(this.#at + 1);
      if (character === '\\' && next === '\n') {
        this.#at += 2;
      } else if (character === '\\' && ESCAPED_IN_DOUBLE_QUOTES.test(next)) {
        this.#text += next;
        this.#at += 2;
      } else {
        this.#plain(character);
      }
    }
  }

  /** A character that stands for itself, or the place of a value that begins with it. */
  #plain(character: string): void {
    PLACE.lastIndex = this.#at;
    const [place = '', name = ''] = PLACE.exec(this.template) ?? [];
    if (!isPlaceholder(name)) {
      if (place !== '') this.#problem(unknownPlace(place, this.template.charAt(this.#at - 1)));
      this.#text += character;
      this.#at++;
      return;
    }
    this.#endText();
    this.#pieces.push({ kind: 'place', placeholder: name });
    this.#at += place.length;
  }

  #endText(): void {
    if (this.#text !== '') this.#pieces.push({ kind: 'text', text: this.#text });
    this.#text = '';
  }

  #endWord(): void {
    if (!this.#isInWord) return;
    this.#endText();
    this.#words.push(this.#pieces);
    this.#pieces = [];
    this.#isInWord = false;
  }

  #problem(sentence: string): void {
    if (!this.#problems.includes(sentence)) this.#problems.push(sentence);
  }
}

function unknownPlace(place: string, before: string): string {
  const known = PLACEHOLDERS.map((name) => `{${name}}`).join(', ');
  const why =
    before === '$'
      ? `$${place} is no variable here: no shell reads this.`
      : `${place} is none of the places that are known: ${known}.`;
  return `${why} Meant as it stands, write \\${place}.`;
}

/** The placeholders of a word or of a whole template. */
export function placesIn(words: readonly Word[]): Set<Placeholder> {
  return new Set(words.flatMap((word) => word.flatMap((piece) => (piece.kind === 'place' ? [piece.placeholder] : []))));
}

/**
 * The words of one turn. A word that holds `{attachment}` is there once for each image; a word whose value is missing is
 * left out. Where such a word is the value of an option, which stands before it as a word of its own (`-m {model}`,
 * `-i {attachment}`), the option is left out or repeated with it.
 */
export function fillTemplate(words: readonly Word[], values: TemplateValues): string[] {
  const filled: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? [];
    const next = words[index + 1];
    if (next !== undefined && isOption(word) && takesOption(next)) {
      for (const value of fillWord(next, values)) filled.push(textOf(word), value);
      index++;
    } else {
      filled.push(...fillWord(word, values));
    }
  }
  return filled;
}

function fillWord(word: Word, values: TemplateValues): string[] {
  const places = placesIn([word]);
  const images = places.has('attachment') ? values.attachment : [''];
  return images.flatMap((image) => {
    let text = '';
    for (const piece of word) {
      const value =
        piece.kind === 'text' ? piece.text : piece.placeholder === 'attachment' ? image : values[piece.placeholder];
      if (value === null) return [];
      text += value;
    }
    return [text];
  });
}

/** `-i`, `--image`: a word that begins like an option, and has neither its value in it nor ends the options. */
function isOption(word: Word): boolean {
  return word.every((piece) => piece.kind === 'text') && /^-(?:-?[^-=])[^=]*$/.test(textOf(word));
}

/** A value that can be missing or repeated, in a word that is no option itself. */
function takesOption(word: Word): boolean {
  const [first] = word;
  const isOptionItself = first?.kind === 'text' && first.text.startsWith('-');
  return !isOptionItself && word.some((piece) => piece.kind === 'place' && CAN_BE_MISSING.has(piece.placeholder));
}

const CAN_BE_MISSING: ReadonlySet<Placeholder> = new Set(['attachment', 'attachments_dir', 'model', 'session']);

function textOf(word: Word): string {
  return word.map((piece) => (piece.kind === 'text' ? piece.text : `{${piece.placeholder}}`)).join('');
}

/** A word as it was written, places and all. */
export const wordText = textOf;
