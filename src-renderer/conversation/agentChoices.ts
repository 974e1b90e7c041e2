import type { AgentId, AgentStatus } from '../../src-shared/agents.ts';
import type { CommandDefinition, DefinitionId } from '../../src-shared/commandDefinition.ts';
import type { Seat } from '../../src-shared/conversations.ts';

/** Who can take a seat: an agent, or one of the operator's commands. */
export interface AgentChoice {
  /** Unlike every other choice; for a select box. */
  readonly key: string;
  readonly label: string;
  readonly agent: AgentId;
  readonly definitionId: DefinitionId | null;
}

function keyOf(agent: AgentId, definitionId: DefinitionId | null): string {
  return definitionId ?? agent;
}

export function choiceKeyOf(seat: Pick<Seat, 'agent' | 'definitionId'>): string {
  return keyOf(seat.agent, seat.definitionId);
}

/** Who can take this seat: the agents that were found, the operator's commands, and who has it now. */
export function agentChoices(
  agents: readonly AgentStatus[],
  commands: readonly CommandDefinition[],
  seat: Seat,
): AgentChoice[] {
  const choices = agents.flatMap(({ id, label, availability }): AgentChoice[] => {
    if (availability.kind === 'by-definition') {
      return commands.map((command) => ({
        key: keyOf(id, command.id),
        label: command.name,
        agent: id,
        definitionId: command.id,
      }));
    }
    return availability.kind === 'found' ? [{ key: keyOf(id, null), label, agent: id, definitionId: null }] : [];
  });
  if (choices.some(({ key }) => key === choiceKeyOf(seat))) return choices;
  const label = agents.find(({ id }) => id === seat.agent)?.label ?? seat.name;
  const gone = seat.definitionId === null ? `${label} (not found)` : `${seat.name} (not described any more)`;
  const { agent, definitionId } = seat;
  return [{ key: choiceKeyOf(seat), label: gone, agent, definitionId }, ...choices];
}
