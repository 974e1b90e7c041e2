import type { AgentId } from '../../../src-shared/agents.ts';
import type { CommandDraft, CommandProblem } from '../../../src-shared/commandDefinition.ts';
import type { Agent } from './agent.ts';
import { claude } from './claude/index.ts';
import { codex } from './codex/index.ts';
import { checkDefinition, commandAgent, type EventFormats } from './command/index.ts';
import { gemini } from './gemini/index.ts';
import { guide } from './guide/index.ts';
import { opencode } from './opencode/index.ts';

const formats: EventFormats = (format) => AGENTS.find(({ id }) => id === format) ?? null;

/** The agent table: adding an agent adds its folder and one line here. */
const TABLE: Readonly<Record<AgentId, Agent>> = {
  codex,
  claude,
  gemini,
  opencode,
  guide,
  command: commandAgent(formats),
};

/** Every agent, in the order in which they are offered. */
export const AGENTS: readonly Agent[] = Object.values(TABLE);

export function agentById(id: AgentId): Agent {
  return TABLE[id];
}

/** What is to be said of the description of a command, without looking at the machine. */
export function checkCommandDefinition(draft: CommandDraft): CommandProblem[] {
  return checkDefinition(draft, formats);
}
