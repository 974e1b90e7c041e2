import type { AgentId } from '../../../src-shared/agents.ts';
import type { Agent } from './agent.ts';
import { codex } from './codex/index.ts';
import { guide } from './guide/index.ts';

/** The agent table: adding an agent adds its folder and one line here. */
const TABLE: Readonly<Record<AgentId, Agent>> = {
  codex,
  guide,
};

/** Every agent, in the order in which they are offered. */
export const AGENTS: readonly Agent[] = Object.values(TABLE);

export function agentById(id: AgentId): Agent {
  return TABLE[id];
}
