import type { AgentId } from '../../src-shared/agents.ts';
import type { CommandDefinition } from '../../src-shared/commandDefinition.ts';
import type { Seat } from '../../src-shared/conversations.ts';
import { useAgent } from './agents.ts';
import { usePreferences } from './preferences.ts';

/** The operator's description of a seat's program, if it has one that is still there. */
export function useDefinition(seat: Seat | undefined): CommandDefinition | undefined {
  const id = seat?.definitionId ?? null;
  return usePreferences(({ preferences }) =>
    id === null ? undefined : preferences.commands.find((command) => command.id === id),
  );
}

/** What sentences call the agent that did something; the seat may have another one by now. */
export function useAgentLabel(did: AgentId | undefined, seat: Seat | undefined): string {
  const agent = useAgent(did ?? seat?.agent);
  const definition = useDefinition(seat);
  const isOfSeat = did === undefined || did === seat?.agent;
  if (isOfSeat && seat?.definitionId != null) return definition?.name ?? seat.name;
  return agent?.label ?? seat?.name ?? 'The agent';
}
