import { chatCompletions } from './chatCompletions.ts';
import { generateContent } from './generateContent.ts';
import { messages } from './messages.ts';
import type { Protocol } from './protocol.ts';
import { responses } from './responses.ts';

/** Every wire protocol that the model answers on. */
export const protocols: readonly Protocol[] = [responses, messages, generateContent, chatCompletions];
