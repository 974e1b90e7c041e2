import type { AgentStatus } from '../../src-shared/agents.ts';
import type { CommandDefinition } from '../../src-shared/commandDefinition.ts';
import type { Seat } from '../../src-shared/conversations.ts';
import { namesText } from './seats.ts';

/** Images that are named one by one. */
const MAX_NAMED_IMAGES = 3;

export function takesImages(agent: AgentStatus | undefined, definition: CommandDefinition | undefined): boolean {
  return definition === undefined ? agent?.capabilities.image !== 'none' : definition.images;
}

/** Who of the addressed seats will not see the images of a draft; `null` when all will. */
export function blindText(blind: readonly Seat[], images: readonly string[]): string | null {
  if (blind.length === 0 || images.length === 0) return null;
  const who = namesText(blind.map((seat) => seat.name));
  const what = images.length <= MAX_NAMED_IMAGES ? namesText(images) : `any of the ${images.length} images`;
  return `${who} cannot take images and will not see ${what}.`;
}
