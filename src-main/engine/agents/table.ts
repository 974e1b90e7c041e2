import type { AgentId } from '../../../src-shared/agents.ts';
import type { Agent } from './agent.ts';
import { codex } from './codex/index.ts';
import { guide } from './guide/index.ts';

/** Every agent, in the order in which it is offered. Adding one is one folder and one line here. */
export const AGENTS: readonly Agent[] = [codex, guide];

export function agentById(id: AgentId): Agent {
  const agent = AGENTS.find((candidate) => candidate.id === id);
  if (agent === undefined) throw new Error(`no agent ${id} in the table`);
  return agent;
}
