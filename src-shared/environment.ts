import { environmentVariable } from './commandDefinition.ts';

/** Variables that Parley itself gives every child, whatever else is set. */
const RESERVED: readonly { readonly names: RegExp; readonly sentence: string }[] = [
  {
    names: /^PATH$/i,
    sentence: 'PATH is the login shell’s. Change it in the shell’s start files, or name the agent’s executable.',
  },
  { names: /^MAGI_/i, sentence: 'Variables that begin with MAGI_ name the run; Parley sets them for each one.' },
  {
    names: /^PARLEY_/i,
    sentence: 'Variables that begin with PARLEY_ are Parley’s own; it finds its children by them.',
  },
  { names: /^GIT_TERMINAL_PROMPT$/i, sentence: 'GIT_TERMINAL_PROMPT stays 0: nobody is there to answer git.' },
];

/** Why a variable of this name cannot be the operator's, in a sentence; `null` when it can. */
export function reservedVariable(name: string): string | null {
  return RESERVED.find(({ names }) => names.test(name))?.sentence ?? null;
}

/** What is wrong with the name of a variable that is to stand beside `others`, in a sentence; `null` when nothing is. */
export function variableNameFault(name: string, others: readonly string[]): string | null {
  if (name === '') return 'Give the variable a name.';
  if (!environmentVariable.shape.name.safeParse(name).success) {
    return 'A name has letters, digits and underscores, and does not begin with a digit.';
  }
  if (others.includes(name)) return `There is a variable ${name} already.`;
  return reservedVariable(name);
}
