import type { ReaderEvent } from '../../../../src-shared/events.ts';
import { MAX_RESULT_TAIL_BYTES } from '../../../../src-shared/limits.ts';
import { plainTail } from '../../../../src-shared/plainText.ts';
import { describeCommand } from '../reading.ts';
import { isShape, type Shape, shapeAt, shapesAt, textAt } from '../shape.ts';
import { askedFor, type Call, COMMAND_TOOL, readFileOf, refusalIn, toolCard } from './tools.ts';

/** Of a failed command the first line says its code, and nothing else does (Claude Code 2.1.197). */
const EXIT_CODE = /^Exit code (\d{1,10})(?:\n|$)/;

/** Follows the agent's tool calls to their results. Each call is told once, and ends once. */
export class ToolCalls {
  readonly #open = new Map<string, Call>();
  readonly #known = new Set<string>();
  readonly #denied = new Set<string>();
  /** Commands in the background, by the id of their task. */
  readonly #background = new Map<string, Call>();

  constructor(private readonly source: string) {}

  onCall(part: Shape): ReaderEvent[] {
    const id = textAt(part, 'id');
    const name = textAt(part, 'name');
    if (id === null || name === null || this.#known.has(id)) return [];
    const call: Call = { id, name, input: shapeAt(part, 'input') };
    this.#known.add(id);
    this.#open.set(id, call);
    return [{ type: 'tool-call', callId: id, ...toolCard(call) }];
  }

  /** @param details what Claude Code says about the result beside what it gives to the model */
  onResult(part: Shape, details: unknown): ReaderEvent[] {
    const call = this.#open.get(textAt(part, 'tool_use_id') ?? '');
    if (call === undefined) return [];
    this.#open.delete(call.id);
    const said = contentOf(part);
    if (part.is_error === true) return this.#onError(call, said);
    const result = isShape(details) ? details : {};
    if (call.name !== COMMAND_TOOL) {
      const path = readFileOf(call);
      const opened: ReaderEvent[] = path === null ? [] : [{ type: 'opened', path }];
      return [this.#result(call, 'ok', said, null), ...opened];
    }
    if (textAt(result, 'backgroundTaskId') !== null) return [this.#result(call, 'unknown', said, null)];
    const output = printed(result) ?? said;
    const status = part.is_error === false && result.interrupted !== true ? 'ok' : 'unknown';
    return this.#finishedCommand(call, status, output, null);
  }

  #onError(call: Call, said: string): ReaderEvent[] {
    const code = call.name === COMMAND_TOOL ? EXIT_CODE.exec(said) : null;
    if (code !== null) return this.#finishedCommand(call, 'failed', said.slice(code[0].length), Number(code[1]));
    const reason = refusalIn(said);
    if (reason !== null) return this.#refuse(call, reason);
    // Nothing says that the command ran at all, so it is no evidence.
    return [this.#result(call, 'failed', said, null)];
  }

  /** What a `result` lists as not allowed, for a call whose own result did not say so. */
  onDenial(denial: Shape): ReaderEvent[] {
    const id = textAt(denial, 'tool_use_id');
    const name = textAt(denial, 'tool_name');
    if (id === null || name === null) return [];
    return this.#refuse({ id, name, input: shapeAt(denial, 'tool_input') }, 'It was not allowed.');
  }

  #refuse(call: Call, reason: string): ReaderEvent[] {
    if (this.#denied.has(call.id)) return [];
    this.#denied.add(call.id);
    return [{ type: 'denied', callId: call.id, what: askedFor(call), reason }];
  }

  /** A command that goes on in the background; the call itself has had its result. */
  onBackground(task: string | null, callId: string | null): void {
    const call = this.#open.get(callId ?? '');
    if (task !== null && call?.name === COMMAND_TOOL) this.#background.set(task, call);
  }

  /** Its end is reported without its code and without what it printed. What was stopped did not finish. */
  onBackgroundEnd(task: string | null, status: string | null): ReaderEvent[] {
    const call = this.#background.get(task ?? '');
    if (task === null || call === undefined || (status !== 'completed' && status !== 'failed')) return [];
    this.#background.delete(task);
    return [this.#evidence(call, `Claude Code reported “${status}” of it, in the background, and no output.`, null)];
  }

  #finishedCommand(
    call: Call,
    status: 'ok' | 'failed' | 'unknown',
    output: string,
    code: number | null,
  ): ReaderEvent[] {
    return [this.#result(call, status, output, code), this.#evidence(call, output, code)];
  }

  #result(call: Call, status: 'ok' | 'failed' | 'unknown', output: string, exitCode: number | null): ReaderEvent {
    const tail = plainTail(output, MAX_RESULT_TAIL_BYTES);
    return { type: 'tool-result', callId: call.id, status, output: tail, exitCode };
  }

  #evidence(call: Call, output: string, exitCode: number | null): ReaderEvent {
    const evidence = {
      id: call.id,
      description: describeCommand(textAt(call.input, 'command') ?? ''),
      exitCode,
      resultSummary: plainTail(output, MAX_RESULT_TAIL_BYTES),
      source: this.source,
    };
    return { type: 'evidence', evidence };
  }
}

/** What a command printed. To the model it is cut short, and words stand for nothing; here it is as it was. */
function printed(details: Shape): string | null {
  const texts = [textAt(details, 'stdout'), textAt(details, 'stderr')];
  if (texts.includes(null) || details.isImage === true) return null;
  return texts.filter((text) => text !== '').join('\n');
}

/** The texts of a result; an image in it is not repeated. */
function contentOf(part: Shape): string {
  const text = textAt(part, 'content');
  if (text !== null) return text;
  return shapesAt(part, 'content')
    .map((content) => textAt(content, 'text') ?? (content.type === 'image' ? '[image]' : ''))
    .filter((line) => line !== '')
    .join('\n');
}
