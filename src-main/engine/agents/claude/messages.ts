import type { ReaderEvent } from '../../../../src-shared/events.ts';
import { piece } from '../reading.ts';
import { integerAt, type Shape, shapeAt, textAt } from '../shape.ts';

type Kind = 'text' | 'thinking';

interface Block {
  readonly kind: Kind;
  readonly messageId: string;
  said: string;
}

/**
 * Puts messages together from what Claude Code 2.1.197 prints of them: with `--include-partial-messages` each block comes
 * in pieces (`stream_event`) and then whole (`assistant`), before the next one begins. A block that never came in pieces
 * is passed on when it comes whole.
 */
export class Messages {
  #count = 0;
  #isSilent = true;
  /** By their index in the message that streams. */
  readonly #streaming = new Map<number, Block>();

  /** Whether no text was passed on so far. */
  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** A `stream_event`: one event of the Messages API, as the provider sent it. */
  onStreamed(event: Shape): ReaderEvent[] {
    switch (event.type) {
      case 'message_start':
        this.#streaming.clear();
        return [];
      case 'content_block_start': {
        const index = integerAt(event, 'index');
        const kind = kindOf(shapeAt(event, 'content_block'));
        if (index === null || kind === null) return [];
        const block = this.#begin(kind);
        this.#streaming.set(index, block);
        return this.#say(block, textAt(shapeAt(event, 'content_block'), kind) ?? '');
      }
      case 'content_block_delta': {
        const block = this.#streaming.get(integerAt(event, 'index') ?? -1);
        return block === undefined ? [] : this.#say(block, textAt(shapeAt(event, 'delta'), block.kind) ?? '');
      }
      default:
        return [];
    }
  }

  /** A block that is complete; of other kinds than text and thinking nothing comes. */
  onComplete(content: Shape): ReaderEvent[] {
    const kind = kindOf(content);
    const text = kind === null ? null : textAt(content, kind);
    if (kind === null || text === null) return [];
    for (const [index, block] of this.#streaming) {
      if (block.kind !== kind) continue;
      this.#streaming.delete(index);
      // What was said cannot be taken back: a text that does not go on from it is a message of its own.
      if (!text.startsWith(block.said)) break;
      return this.#say(block, text.slice(block.said.length));
    }
    return this.#say(this.#begin(kind), text);
  }

  #begin(kind: Kind): Block {
    return { kind, messageId: `${kind}-${++this.#count}`, said: '' };
  }

  #say(block: Block, text: string): ReaderEvent[] {
    block.said += text;
    if (block.kind === 'text' && text !== '') this.#isSilent = false;
    return piece(block.kind, block.messageId, text);
  }
}

function kindOf(content: Shape): Kind | null {
  return content.type === 'text' || content.type === 'thinking' ? content.type : null;
}
