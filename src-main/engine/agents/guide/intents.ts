import { MAX_READ_TEXT_LENGTH } from './limits.ts';

/** What the Guide can be asked for. */
export const INTENTS = ['images', 'project', 'size', 'changes', 'memory', 'agents', 'help'] as const;
export type Intent = (typeof INTENTS)[number];

/** The words of a message that the Guide goes by: no more than that is read from it. */
export interface Heard {
  intents: { intent: Intent; word: string }[];
  /** A word that asks for work which the Guide cannot do; `null` when there is none. */
  beyond: string | null;
}

const WORDS: Readonly<Record<Intent, RegExp>> = {
  images:
    /\b(images?|pictures?|screenshots?|photos?|pngs?|jpe?gs?|gifs?|webps?|colou?rs?|palette|attach(?:ed|ments?)?)\b/i,
  project:
    /\b(projects?|repo(?:sitory|sitories|s)?|code ?base|readme|director(?:y|ies)|folders?|look around|overview)\b/i,
  size: /\b(how (?:big|large|long|many)|size|lines|languages?|count)\b/i,
  changes: /\b(chang(?:e|es|ed)|commits?|committed|recent(?:ly)?|lately|history|git|modified|uncommitted|new)\b/i,
  memory:
    /\b(remember|earlier|before|previous(?:ly)?|last (?:time|message|question|turn)|did i (?:ask|say|attach)|again)\b/i,
  agents: /\b(agents?|codex|claude|gemini|opencode|install|sign in|models?|llm)\b/i,
  help: /\b(help|what can you|who are you|what are you|how do you work|guide)\b/i,
};

/** Verbs of work that needs a model. Looked for at the beginning of a sentence or after "please", "can you", … */
const BEYOND =
  /(?:^|[.!?\n]\s*|\b(?:please|can you|could you|would you|you to|and|then)\s+)(fix|write|implement|refactor|add|create|delete|remove|rename|explain|translate|review|debug|run|build|test|deploy|summari[sz]e|improve|optimi[sz]e|solve|convert|update|draw|generate)\b/i;
const WHY = /\b(why|how (?:should|would|could|can|do) (?:i|we))\b/i;

export function hear(text: string): Heard {
  const read = text.slice(0, MAX_READ_TEXT_LENGTH);
  const intents = INTENTS.flatMap((intent) => {
    const word = WORDS[intent].exec(read)?.[0];
    return word === undefined ? [] : [{ intent, word: word.toLowerCase() }];
  });
  const beyond = BEYOND.exec(read)?.[1] ?? WHY.exec(read)?.[0] ?? null;
  return { intents, beyond: beyond?.toLowerCase() ?? null };
}
