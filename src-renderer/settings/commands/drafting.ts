import { type CommandDraft, type CommandProblem, definitionId } from '../../../src-shared/commandDefinition.ts';

export function freshId() {
  return definitionId.parse(`cmd_${crypto.randomUUID().replaceAll('-', '').slice(0, 16)}`);
}

/** A description with nothing in it: the message by standard input, the answer as plain text. */
export function emptyDraft(): CommandDraft {
  return {
    id: freshId(),
    name: '',
    program: '',
    arguments: '',
    prompt: 'stdin',
    environment: [],
    encoding: 'utf-8',
    resume: { kind: 'none' },
    output: 'text',
    images: true,
    timeoutMs: null,
    idleTimeoutMs: null,
  };
}

/** A name for a copy that none of the others has. */
export function copyName(original: string, taken: readonly string[]): string {
  const first = `${original} copy`;
  if (!taken.includes(first)) return first;
  let number = 2;
  while (taken.includes(`${first} ${number}`)) number++;
  return `${first} ${number}`;
}

const MAY_BE_EMPTY_YET = ['name', 'program'] as const;

/** What is to be said now. That a field is still empty is no news before the operator wants to save. */
export function shownProblems(
  draft: CommandDraft,
  problems: readonly CommandProblem[],
  hasTriedToSave: boolean,
): readonly CommandProblem[] {
  if (hasTriedToSave) return problems;
  const empty = MAY_BE_EMPTY_YET.filter((field) => draft[field].trim() === '');
  return problems.filter(({ field }) => !empty.some((each) => each === field));
}

/** The names of all placeholders, to be put into a template. */
export const PLACES = [
  { place: '{prompt_file}', meaning: 'path of a file with the message' },
  { place: '{prompt}', meaning: 'the message itself' },
  { place: '{cwd}', meaning: 'working directory' },
  { place: '{attachment}', meaning: 'path of an image; the word is repeated for each' },
  { place: '{attachments_dir}', meaning: 'directory of the images' },
  { place: '{session}', meaning: 'id of the session' },
  { place: '{model}', meaning: 'model of the seat' },
] as const;
