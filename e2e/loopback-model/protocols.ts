import type { Protocol } from './protocol.ts';
import { responses } from './responses.ts';

/** Every wire protocol that the model answers on. */
export const protocols: readonly Protocol[] = [responses];
