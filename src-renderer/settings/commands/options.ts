import type { CommandDraft } from '../../../src-shared/commandDefinition.ts';
import type { Option } from '../../ui/index.ts';

export const PROMPTS: readonly (Option<CommandDraft['prompt']> & { hint: string })[] = [
  { value: 'stdin', label: 'Standard input', hint: 'of any length' },
  { value: 'file', label: 'File', hint: '{prompt_file} says where its path goes' },
  { value: 'argument', label: 'Argument', hint: '{prompt} says where; Linux takes 128 KiB' },
];

export const OUTPUTS: readonly Option<CommandDraft['output']>[] = [
  { value: 'text', label: 'Plain text: all of it is the answer' },
  { value: 'codex', label: 'Events of Codex (exec --json)' },
  { value: 'claude', label: 'Events of Claude Code (stream-json)' },
  { value: 'gemini', label: 'Events of Gemini CLI (stream-json)' },
  { value: 'opencode', label: 'Events of OpenCode (run --format json)' },
];

export const ENCODINGS: readonly Option<CommandDraft['encoding']>[] = [
  { value: 'utf-8', label: 'UTF-8' },
  { value: 'utf-16le', label: 'UTF-16, little endian' },
  { value: 'windows-1252', label: 'Windows-1252 (Western)' },
  { value: 'shift_jis', label: 'Shift JIS (Japanese)' },
  { value: 'gbk', label: 'GBK (Chinese)' },
  { value: 'euc-kr', label: 'EUC-KR (Korean)' },
];

/** How a session comes about, as one choice. */
export type SessionWay = 'none' | 'minted' | 'reported';

export const SESSIONS: readonly (Option<SessionWay> & { hint: string })[] = [
  { value: 'none', label: 'None', hint: 'each turn starts afresh' },
  { value: 'minted', label: 'By an id of Parley’s', hint: '{session} in the arguments names a new one' },
  { value: 'reported', label: 'By an id it reports', hint: 'in its event stream' },
];

export function sessionWay({ resume }: CommandDraft): SessionWay {
  return resume.kind === 'none' ? 'none' : resume.source;
}

export function withSessionWay(way: SessionWay, template: string): CommandDraft['resume'] {
  return way === 'none' ? { kind: 'none' } : { kind: 'by-id', arguments: template, source: way };
}
