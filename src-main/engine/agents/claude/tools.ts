import { isAbsolute } from 'node:path';
import { oneLine } from '../../../../src-shared/plainText.ts';
import { MAX_TOOL_TITLE_LENGTH } from '../limits.ts';
import { type Shape, shapesAt, textAt } from '../shape.ts';

/** A tool of Claude Code 2.1.197 that runs a command. */
export const COMMAND_TOOL = 'Bash';

/** A call that was made and whose result has not come yet. */
export interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: Shape;
}

/** How a call is shown as a card. Tools of later versions get a card that names them. */
export function toolCard({ name, input }: Call): { tool: string; title: string } {
  switch (name) {
    case COMMAND_TOOL:
      return card('command', textAt(input, 'command'));
    case 'Read':
      return card('read', textAt(input, 'file_path'));
    case 'Write':
    case 'Edit':
    case 'NotebookEdit':
      return card('file change', textAt(input, 'file_path') ?? textAt(input, 'notebook_path'));
    case 'Glob':
    case 'Grep':
      return card('search', textAt(input, 'pattern'));
    case 'WebSearch':
      return card('web search', textAt(input, 'query'));
    case 'WebFetch':
      return card('web page', textAt(input, 'url'));
    case 'Agent':
    case 'Task':
      return card('helper', textAt(input, 'description'));
    case 'TodoWrite':
      return card('plan', `${shapesAt(input, 'todos').length} steps`);
    default: {
      const [, server, tool] = MCP_TOOL.exec(name) ?? [];
      if (server !== undefined && tool !== undefined) return card('MCP tool', `${server} · ${tool}`);
      return card(name, textAt(input, 'description') ?? textAt(input, 'file_path') ?? textAt(input, 'name'));
    }
  }
}

const MCP_TOOL = /^mcp__(.+?)__(.+)$/;

function card(tool: string, title: string | null): { tool: string; title: string } {
  return { tool: oneLine(tool, MAX_TOOL_TITLE_LENGTH), title: oneLine(title ?? '', MAX_TOOL_TITLE_LENGTH) };
}

/** What a refused call had asked for. */
export function askedFor(call: Call): string {
  const { tool, title } = toolCard(call);
  return call.name === COMMAND_TOOL && title !== '' ? title : `${tool} ${title}`.trim();
}

/** The file that a successful call read; `null` when it read none. */
export function readFileOf({ name, input }: Call): string | null {
  const path = name === 'Read' ? textAt(input, 'file_path') : null;
  return path !== null && isAbsolute(path) ? path : null;
}

/** How Claude Code 2.1.197 words that a call was not allowed; `transcripts/` has most of them. */
const REFUSED =
  /requested permissions? to|was blocked\. For security|requires? (?:your )?approval|cannot be auto-allowed|has been denied|is denied by your permission settings|while in plan mode|is not enabled in this context|hook error|user doesn't want to/i;

/** Why a call was not allowed, from the words of its error; `null` when it failed otherwise. */
export function refusalIn(error: string): string | null {
  if (!REFUSED.test(error)) return null;
  return oneLine(error.replace(/<\/?tool_use_error>/g, '').replace(/^Error: /, ''), MAX_TOOL_TITLE_LENGTH);
}
