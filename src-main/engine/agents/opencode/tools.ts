import { isAbsolute } from 'node:path';
import type { ReaderEvent } from '../../../../src-shared/events.ts';
import { MAX_RESULT_TAIL_BYTES } from '../../../../src-shared/limits.ts';
import { oneLine, plainTail } from '../../../../src-shared/plainText.ts';
import { MAX_TOOL_TITLE_LENGTH } from '../limits.ts';
import { describeCommand } from '../reading.ts';
import { integerAt, type Shape, shapeAt, textAt } from '../shape.ts';

const SHELL = 'bash';
const READ = 'read';
/** What opencode 1.18 reports in place of a call of a tool that the seat does not have, or with arguments that do not fit. */
const INVALID = 'invalid';

/** Its tools: what the card is called, and the argument that tells most of what is done. */
const CARDS: Readonly<Record<string, readonly [tool: string, argument: string]>> = {
  [SHELL]: ['command', 'command'],
  [READ]: ['read file', 'filePath'],
  write: ['write file', 'filePath'],
  edit: ['edit file', 'filePath'],
  apply_patch: ['patch', 'patchText'],
  glob: ['find files', 'pattern'],
  grep: ['search', 'pattern'],
  list: ['list directory', 'path'],
  task: ['agent', 'description'],
  webfetch: ['web fetch', 'url'],
  websearch: ['web search', 'query'],
  skill: ['skill', 'name'],
  todowrite: ['plan', 'title'],
  [INVALID]: ['tool', 'tool'],
};

/** The wordings of opencode 1.18 for a call that its permissions refused. */
const BY_RULE = 'The user has specified a rule which prevents you from using this specific tool call.';
const BY_ANSWER = 'The user rejected permission to use this specific tool call';
const NO_SUCH_TOOL = 'Model tried to call unavailable tool';

/** Whether a failure's words are those of a question that nobody answered. */
export const isRejection = (text: string) => text.startsWith(BY_ANSWER);

/** The events of a tool's part, which opencode 1.18 reports once, when it is over. */
export function toolEvents(part: Shape, source: string): ReaderEvent[] {
  const callId = textAt(part, 'callID');
  if (callId === null) return [];
  const tool = textAt(part, 'tool') ?? 'tool';
  const state = shapeAt(part, 'state');
  const input = shapeAt(state, 'input');
  const card = toolCard(tool, input, textAt(state, 'title'));
  return [{ type: 'tool-call', callId, ...card }, ...outcomeOf(callId, tool, card, state, input, source)];
}

interface Card {
  readonly tool: string;
  readonly title: string;
}

function toolCard(tool: string, input: Shape, title: string | null): Card {
  const [name, argument] = (Object.hasOwn(CARDS, tool) ? CARDS[tool] : undefined) ?? [tool, 'title'];
  return {
    tool: oneLine(name, MAX_TOOL_TITLE_LENGTH),
    title: oneLine(textAt(input, argument) ?? title ?? '', MAX_TOOL_TITLE_LENGTH),
  };
}

function outcomeOf(
  callId: string,
  tool: string,
  card: Card,
  state: Shape,
  input: Shape,
  source: string,
): ReaderEvent[] {
  const status = textAt(state, 'status');
  const said = textAt(state, status === 'error' ? 'error' : 'output') ?? '';
  const reason = refusal(tool, status, said, textAt(input, 'error') ?? '');
  if (reason !== null) return [{ type: 'denied', callId, what: `${card.tool} ${card.title}`.trim(), reason }];
  const output = plainTail(said, MAX_RESULT_TAIL_BYTES);
  const done = (became: 'ok' | 'failed' | 'unknown', exitCode: number | null = null): ReaderEvent => {
    return { type: 'tool-result', callId, status: became, output, exitCode };
  };
  if (status === 'error' || tool === INVALID) return [done('failed')];
  if (status !== 'completed') return [done('unknown')];
  if (tool === SHELL) {
    const exitCode = integerAt(shapeAt(state, 'metadata'), 'exit');
    const description = describeCommand(textAt(input, 'command') ?? '');
    return [
      done(exitCode === null ? 'unknown' : exitCode === 0 ? 'ok' : 'failed', exitCode),
      { type: 'evidence', evidence: { id: callId, description, exitCode, resultSummary: output, source } },
    ];
  }
  return [done('ok'), ...(tool === READ ? openedEvents(state, input) : [])];
}

/** What was read; the path as the model named it can be one from the working directory. */
function openedEvents(state: Shape, input: Shape): ReaderEvent[] {
  const named = [textAt(shapeAt(shapeAt(state, 'metadata'), 'display'), 'path'), textAt(input, 'filePath')];
  const path = named.find((candidate) => candidate !== null && isAbsolute(candidate)) ?? null;
  return path === null ? [] : [{ type: 'opened', path }];
}

/** Why opencode's own rules refused a call; `null` when they did not. */
function refusal(tool: string, status: string | null, said: string, fault: string): string | null {
  if (tool === INVALID) return fault.startsWith(NO_SUCH_TOOL) ? 'The seat’s rules take this tool away.' : null;
  if (status !== 'error') return null;
  // What follows is the list of all rules.
  if (said.startsWith(BY_RULE)) return 'A permission rule forbids it.';
  return isRejection(said) ? 'It asks for a permission first, and nobody can be asked here.' : null;
}
