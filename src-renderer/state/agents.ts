import { create } from 'zustand';
import type { AgentId, AgentStatus } from '../../src-shared/agents.ts';
import type { CallOutput } from '../../src-shared/api.ts';
import type { Failure } from '../../src-shared/failure.ts';
import { call } from './bridge.ts';

interface AgentsState {
  status: 'loading' | 'ready' | 'failed';
  agents: readonly AgentStatus[];
  /** Where they were looked for; `null` before that is known. */
  search: CallOutput<'listAgents'>['search'] | null;
  failure: Failure | null;
}

/** The agents as they stand on this machine. */
export const useAgents = create<AgentsState>()(() => ({ status: 'loading', agents: [], search: null, failure: null }));

/**
 * Looks the agents up; `refresh` asks the login shell anew. They are there as soon as they are found; their versions, which
 * some CLIs take seconds to say, follow.
 */
export async function loadAgents(refresh: boolean): Promise<void> {
  useAgents.setState({ status: 'loading' });
  const found = await call('listAgents', { refresh, versions: false });
  if (found.ok) useAgents.setState({ status: 'ready', ...found.value, failure: null });
  const result = await call('listAgents', {});
  useAgents.setState(
    result.ok ? { status: 'ready', ...result.value, failure: null } : { status: 'failed', failure: result.error },
  );
}

export function useAgent(id: AgentId | undefined): AgentStatus | undefined {
  return useAgents((state) => state.agents.find((agent) => agent.id === id));
}

/** The agent that a new conversation proposes: the first real one that was found, else the Guide. */
export function proposedAgent(agents: readonly AgentStatus[]): AgentId {
  return agents.find((agent) => agent.id !== 'guide' && agent.availability.kind === 'found')?.id ?? 'guide';
}
