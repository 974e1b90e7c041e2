import type { ReaderEvent } from '../../../../src-shared/events.ts';
import { MAX_RESULT_TAIL_BYTES } from '../../../../src-shared/limits.ts';
import { oneLine, plainTail } from '../../../../src-shared/plainText.ts';
import { MAX_TOOL_TITLE_LENGTH } from '../limits.ts';
import { describeCommand } from '../reading.ts';
import { integerAt, isShape, type Shape, shapeAt, shapesAt, textAt } from '../shape.ts';

/** How a tool item of codex-cli 0.171 is shown as a card. */
export interface ToolCard {
  readonly tool: string;
  readonly title: string;
}

type Result = Omit<Extract<ReaderEvent, { type: 'tool-result' }>, 'type' | 'callId'>;

/** The card of an item that is a tool's work. Types of later versions get a card that names them. */
export function toolCard(type: string, item: Shape): ToolCard {
  switch (type) {
    case 'command_execution':
      return card('command', textAt(item, 'command') ?? '');
    case 'file_change':
      return card('file change', changesOf(item).join(', '));
    case 'mcp_tool_call':
      return card('MCP tool', [textAt(item, 'server'), textAt(item, 'tool')].filter(isText).join(' · '));
    case 'web_search':
      return card('web search', textAt(item, 'query') ?? '');
    case 'todo_list':
      return card('plan', `${shapesAt(item, 'items').length} steps`);
    default:
      return card(oneLine(type, MAX_TOOL_TITLE_LENGTH), textAt(item, 'title') ?? textAt(item, 'tool') ?? '');
  }
}

function card(tool: string, title: string): ToolCard {
  return { tool, title: oneLine(title, MAX_TOOL_TITLE_LENGTH) };
}

/** What became of a tool item that was reported as finished. */
export function toolResult(type: string, item: Shape): Result {
  const output = plainTail(outputOf(type, item), MAX_RESULT_TAIL_BYTES);
  if (type === 'command_execution') {
    const exitCode = integerAt(item, 'exit_code');
    const status = exitCode === null ? failedOrUnknown(item) : exitCode === 0 ? 'ok' : 'failed';
    return { status, output, exitCode };
  }
  const isKnown = KNOWN_OUTCOMES.has(type);
  return {
    status: isKnown && textAt(item, 'status') === 'completed' ? 'ok' : failedOrUnknown(item),
    output,
    exitCode: null,
  };
}

/** Items whose `completed` says that they succeeded; of others it says no more than that they are over. */
const KNOWN_OUTCOMES = new Set(['file_change', 'mcp_tool_call']);

function failedOrUnknown(item: Shape): 'failed' | 'unknown' {
  return textAt(item, 'status') === 'failed' || isShape(item.error) ? 'failed' : 'unknown';
}

function outputOf(type: string, item: Shape): string {
  switch (type) {
    case 'command_execution':
      return textAt(item, 'aggregated_output') ?? '';
    case 'file_change':
      return changesOf(item).join('\n');
    case 'mcp_tool_call': {
      const said = shapesAt(shapeAt(item, 'result'), 'content').map((part) => textAt(part, 'text'));
      return [...said, textAt(shapeAt(item, 'error'), 'message')].filter(isText).join('\n');
    }
    case 'todo_list':
      return shapesAt(item, 'items')
        .map((step) => `${step.completed === true ? '[x]' : '[ ]'} ${textAt(step, 'text') ?? ''}`)
        .join('\n');
    default:
      return '';
  }
}

function changesOf(item: Shape): string[] {
  return shapesAt(item, 'changes').map(
    (change) => `${textAt(change, 'kind') ?? 'change'} ${textAt(change, 'path') ?? ''}`,
  );
}

function isText(value: string | null): value is string {
  return value !== null && value !== '';
}

/** The evidence of a command that was reported as finished. */
export function commandEvidence(id: string, item: Shape, source: string): Extract<ReaderEvent, { type: 'evidence' }> {
  const description = describeCommand(textAt(item, 'command') ?? '');
  const { exitCode, output } = toolResult('command_execution', item);
  return { type: 'evidence', evidence: { id, description, exitCode, resultSummary: output, source } };
}
