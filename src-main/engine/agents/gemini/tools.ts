import type { ReaderEvent } from '../../../../src-shared/events.ts';
import { MAX_RESULT_TAIL_BYTES } from '../../../../src-shared/limits.ts';
import { oneLine, plainTail } from '../../../../src-shared/plainText.ts';
import { MAX_TOOL_TITLE_LENGTH } from '../limits.ts';
import { describeCommand } from '../reading.ts';
import { type Shape, shapeAt, textAt } from '../shape.ts';

const SHELL = 'run_shell_command';
const READ = 'read_file';

/** A tool call as gemini-cli 0.61 announced it. */
export interface ToolCall {
  readonly name: string;
  readonly parameters: Shape;
}

/** Its tools: what the card is called, and the parameter that tells most of what is done. */
const CARDS: Readonly<Record<string, readonly [tool: string, parameter: string]>> = {
  [SHELL]: ['command', 'command'],
  [READ]: ['read file', 'file_path'],
  write_file: ['write file', 'file_path'],
  replace: ['edit file', 'file_path'],
  list_directory: ['list directory', 'dir_path'],
  glob: ['find files', 'pattern'],
  grep_search: ['search', 'pattern'],
  web_fetch: ['web fetch', 'prompt'],
  google_web_search: ['web search', 'query'],
  invoke_agent: ['agent', 'agent_name'],
  update_topic: ['topic', 'title'],
  activate_skill: ['skill', 'name'],
};

/** Tools that exist, and that the CLI calls unknown where a rule of the seat takes them away. */
const WITHHELD = new Set([
  SHELL,
  'write_file',
  'replace',
  'web_fetch',
  'activate_skill',
  'save_memory',
  'enter_plan_mode',
  'exit_plan_mode',
  'ask_user',
]);

export function toolCard({ name, parameters }: ToolCall): { tool: string; title: string } {
  const [tool, parameter] = (Object.hasOwn(CARDS, name) ? CARDS[name] : undefined) ?? [name, 'name'];
  return {
    tool: oneLine(tool, MAX_TOOL_TITLE_LENGTH),
    title: oneLine(textAt(parameters, parameter) ?? '', MAX_TOOL_TITLE_LENGTH),
  };
}

/** What became of a call that was reported as over. */
export function resultEvents(callId: string, call: ToolCall, result: Shape, source: string): ReaderEvent[] {
  const error = shapeAt(result, 'error');
  const said = textAt(result, 'output') ?? textAt(error, 'message') ?? '';
  const output = plainTail(said, MAX_RESULT_TAIL_BYTES);
  const reason = refusal(call, result, said);
  if (reason !== null) {
    const what = `${toolCard(call).tool} ${toolCard(call).title}`.trim();
    return [{ type: 'denied', callId, what, reason: oneLine(reason, MAX_TOOL_TITLE_LENGTH) }];
  }
  const status = textAt(result, 'status');
  const done = (became: 'ok' | 'failed' | 'unknown'): ReaderEvent => {
    return { type: 'tool-result', callId, status: became, output, exitCode: null };
  };
  if (status === 'error') return [done('failed')];
  if (status !== 'success') return [done('unknown')];
  if (call.name === SHELL) {
    // It says `success` whatever the command's exit code was, and does not report the code.
    return [done('unknown'), ...(isInBackground(call, said) ? [] : [evidence(callId, call, output, source)])];
  }
  const path = call.name === READ ? textAt(call.parameters, 'file_path') : null;
  return [done('ok'), ...(path === null || path === '' ? [] : [{ type: 'opened' as const, path }])];
}

function evidence(id: string, call: ToolCall, output: string, source: string): ReaderEvent {
  const description = describeCommand(textAt(call.parameters, 'command') ?? '');
  return { type: 'evidence', evidence: { id, description, exitCode: null, resultSummary: output, source } };
}

/** A command that was sent to the background was not reported as finished. */
function isInBackground({ parameters }: ToolCall, said: string): boolean {
  return parameters.is_background === true || /^Command moved to background \(PID: \d+\)\./.test(said);
}

/** Why the CLI's own rules refused a call; `null` when they did not. */
function refusal(call: ToolCall, result: Shape, said: string): string | null {
  if (textAt(result, 'status') !== 'error') return blockedCommand(call, said);
  const error = shapeAt(result, 'error');
  const message = textAt(error, 'message') ?? said;
  switch (textAt(error, 'type')) {
    case 'policy_violation':
    case 'path_not_in_workspace':
      return message;
    case 'invalid_tool_params':
      return message.startsWith('Path not in workspace') ? message : null;
    case 'tool_not_registered':
      return WITHHELD.has(call.name) ? 'The seat’s rules take this tool away.' : null;
    default:
      return null;
  }
}

/** A command that it will not run for its substitutions is reported as a success. */
function blockedCommand({ name, parameters }: ToolCall, said: string): string | null {
  const blocked = name === SHELL && said === 'Blocked: command substitution detected in shell command.';
  return blocked && /[`$<>@]\(|`/.test(textAt(parameters, 'command') ?? '') ? said : null;
}
