/** An escape sequence that takes a text (a title, a link) and has not ended after so many characters is none. */
const MAX_STRING_LENGTH = 4_096;
const ESC = '\u001b';
const BEL = '\u0007';
/** Everything that is not simply passed on. Tab and line feed are text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

/**
 * Where in an escape sequence a text is: `escape` after ESC, `sequence` in `ESC [ …` up to its letter, `string` in
 * `ESC ] …` and its like up to BEL or `ESC \`.
 */
type State = 'text' | 'escape' | 'sequence' | 'string';

/**
 * Takes terminal escapes and control characters out of a text that comes in pieces, wherever a piece ends; the same that
 * `stripEscapes` does to a whole one. A carriage return breaks the line. An escape that takes a text ends with the line:
 * a stray one must not swallow an answer.
 */
export class PlainStream {
  #state: State = 'text';
  #stringLength = 0;
  /** A carriage return was the last character: a line feed after it is the same break. */
  #afterReturn = false;

  push(text: string): string {
    if (this.#state === 'text' && !this.#afterReturn && !CONTROL.test(text)) return text;
    let plain = '';
    let at = 0;
    while (at < text.length) {
      if (this.#state === 'text') {
        const { kept, next } = this.#plainPart(text, at);
        plain += kept;
        at = next;
      } else {
        plain += this.#inEscape(text.charAt(at));
        at++;
      }
    }
    return plain;
  }

  /** Text up to and with the next control character. */
  #plainPart(text: string, start: number): { kept: string; next: number } {
    const begin = this.#afterReturn && text.charAt(start) === '\n' ? start + 1 : start;
    this.#afterReturn = false;
    CONTROLS.lastIndex = begin;
    const found = CONTROLS.exec(text);
    if (found === null) return { kept: text.slice(begin), next: text.length };
    const kept = text.slice(begin, found.index);
    const next = found.index + 1;
    if (found[0] === ESC) this.#state = 'escape';
    if (found[0] !== '\r') return { kept, next };
    this.#afterReturn = true;
    return { kept: `${kept}\n`, next };
  }

  /** One character of an escape; gives it back where it belongs to the text after all. */
  #inEscape(character: string): string {
    switch (this.#state) {
      case 'escape':
        // `ESC ( B` chooses a character set: what stands between goes with it.
        if (/[ -/]/.test(character)) return '';
        this.#stringLength = 0;
        this.#state = character === '[' ? 'sequence' : /[\]PX^_]/.test(character) ? 'string' : 'text';
        return this.#state === 'text' ? this.#afterEscape(character) : '';
      case 'sequence':
        if (/[ -?]/.test(character)) return '';
        this.#state = 'text';
        return /[@-~]/.test(character) ? '' : this.push(character);
      case 'string':
        this.#stringLength++;
        if (character === ESC) this.#state = 'escape';
        else if (character === BEL) this.#state = 'text';
        else if (character === '\n' || this.#stringLength > MAX_STRING_LENGTH) {
          this.#state = 'text';
          return character;
        }
        return '';
      default:
        return character;
    }
  }

  /** `ESC` and one character: both go, unless that one breaks the line or is no character of an escape. */
  #afterEscape(character: string): string {
    return /[ -~]/.test(character) ? '' : this.push(character);
  }
}
