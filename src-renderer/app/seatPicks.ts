import type { AgentId, AgentStatus } from '../../src-shared/agents.ts';
import type { CommandDefinition, DefinitionId } from '../../src-shared/commandDefinition.ts';

/** Who is to take a seat: an agent, or one of the operator's commands. */
export interface SeatPick {
  readonly agent: AgentId;
  /** Of a command. */
  readonly definitionId?: DefinitionId;
}

/** What tells two picks apart. */
export function pickKey({ agent, definitionId }: SeatPick): string {
  return definitionId ?? agent;
}

/** One line of the choice. */
export interface SeatOffer {
  readonly pick: SeatPick;
  readonly label: string;
  readonly description: string;
  readonly agent: AgentStatus;
  readonly command: CommandDefinition | null;
}

/** Everyone who can be chosen, in order: the agents, and in the place of those that run commands each of the commands. */
export function seatOffers(
  agents: readonly AgentStatus[],
  commands: readonly CommandDefinition[],
): readonly SeatOffer[] {
  return agents.flatMap((agent): SeatOffer[] => {
    const { id, label, description } = agent;
    if (agent.availability.kind !== 'by-definition') {
      return [{ pick: { agent: id }, label, description, agent, command: null }];
    }
    return commands.map((command) => ({
      pick: { agent: id, definitionId: command.id },
      label: command.name,
      description: [command.program, command.arguments].join(' ').trim(),
      agent,
      command,
    }));
  });
}
