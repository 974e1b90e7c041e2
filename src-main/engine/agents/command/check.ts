import { basename, isAbsolute } from 'node:path';
import { type CommandDraft, type CommandProblem, commandDefinition } from '../../../../src-shared/commandDefinition.ts';
import type { EventFormats } from './formats.ts';
import {
  fillTemplate,
  parseTemplate,
  placesIn,
  type Template,
  type TemplateValues,
  type Word,
  wordText,
} from './template.ts';

/** Programs that read an argument as a program of its own, and the options that say so. */
const INTERPRETERS: readonly { readonly program: RegExp; readonly option: RegExp }[] = [
  { program: /^(?:ba|da|a|k|mk|z|fi|c|tc)?sh$/, option: /^-[a-z]*c[a-z]*$/ },
  { program: /^(?:cmd|cmd\.exe)$/i, option: /^\/[ck]$/i },
  { program: /^(?:powershell|pwsh)(?:\.exe)?$/i, option: /^-c(?:ommand)?$/i },
  { program: /^(?:python|pypy)[\d.]*$/, option: /^-[A-Za-z]*c$/ },
  { program: /^(?:node|bun|deno)$/, option: /^(?:-[a-z]*[ep]|--eval|--print|eval)$/ },
  { program: /^(?:perl|ruby)[\d.]*$/, option: /^-[A-Za-z]*[eE]$/ },
  { program: /^(?:su|script)$/, option: /^-c$/ },
];
/** Options of those that take the next word for themselves. */
const OPTION_WITH_VALUE = /^(?:[-+][oO]|-[WXrI]|--require|--import|--rcfile|--init-file)$/;
const SCRIPT_ADVICE = `Hand the value over as a word of its own, after the script: sh -c 'cat "$1"' sh {prompt_file}.`;

/** What is wrong with the program and the templates, each taken by itself and with the rest of the description. */
export function templateProblems(draft: CommandDraft): CommandProblem[] {
  const first = parseTemplate(draft.arguments);
  const { resume } = draft;
  const later = resume.kind === 'by-id' ? parseTemplate(resume.arguments) : null;
  return [
    ...programProblems(draft.program),
    ...sentences('arguments', first.problems),
    ...placesProblems('arguments', draft, first),
    ...sessionProblems(draft, first, later),
    ...(later === null
      ? []
      : [
          ...sentences('resume.arguments', later.problems),
          ...placesProblems('resume.arguments', draft, later),
          ...forgottenImages(first, later),
        ]),
  ];
}

function problem(field: string, sentence: string): CommandProblem {
  return { field, sentence, level: 'problem' };
}

function note(field: string, sentence: string): CommandProblem {
  return { field, sentence, level: 'note' };
}

function sentences(field: string, all: readonly string[]): CommandProblem[] {
  return all.map((sentence) => problem(field, sentence));
}

function programProblems(typed: string): CommandProblem[] {
  const program = typed.trim();
  if (program.includes('\0')) return [problem('program', 'A path cannot hold the character NUL.')];
  if (program === '' || isAbsolute(program) || !/[/\\]/.test(program)) return [];
  const why = program.startsWith('~') ? 'no shell reads the “~”' : 'it is looked for from no particular directory';
  return [problem('program', `Write the path out from the root (${why}), or only the name of a program on the PATH.`)];
}

/** Places that the description needs in a template, or that have no meaning with it. */
function placesProblems(field: string, draft: CommandDraft, template: Template): CommandProblem[] {
  const places = placesIn(template.words);
  const found: CommandProblem[] = [];
  if (draft.prompt === 'argument' && !places.has('prompt')) {
    found.push(problem(field, 'The message is handed over as an argument: {prompt} has to say where.'));
  }
  if (draft.prompt !== 'argument' && places.has('prompt')) {
    found.push(problem(field, '{prompt} stands for the message only where it is handed over as an argument.'));
  }
  if (draft.prompt === 'file' && !places.has('prompt_file')) {
    found.push(problem(field, 'The message is handed over as a file: {prompt_file} has to say where its path goes.'));
  }
  for (const place of ['attachment', 'attachments_dir'] as const) {
    if (!draft.images && places.has(place)) {
      found.push(problem(field, `{${place}} is of no use to a command that takes no images.`));
    }
  }
  for (const script of scriptsIn([[{ kind: 'text', text: draft.program.trim() }], ...template.words])) {
    found.push(
      problem(
        field,
        `“${wordText(script)}” is read as a program again, and a value in it would be, too. ${SCRIPT_ADVICE}`,
      ),
    );
  }
  if (template.words.some((word, index) => isTakenForOption(word, template.words[index - 1]))) {
    found.push(
      note(
        field,
        'A message that begins with “-” may be taken for an option. Put -- before {prompt} if the program knows it, or hand the message over by standard input.',
      ),
    );
  }
  return found;
}

/** The words with places in them that a shell or another interpreter reads as a script. */
function scriptsIn(words: readonly Word[]): Word[] {
  const texts = words.map(wordText);
  const scripts = texts.flatMap((text, index) => {
    const interpreter = INTERPRETERS.find(({ program }) => program.test(basename(text)));
    const script = interpreter === undefined ? undefined : words[scriptAfter(texts, index, interpreter.option)];
    return script === undefined ? [] : [script];
  });
  return [...new Set(scripts)].filter((script) => placesIn([script]).size > 0);
}

/** Where the script of the interpreter at `called` is; -1 where it is given none as an argument. */
function scriptAfter(texts: readonly string[], called: number, option: RegExp): number {
  for (let index = called + 1; index < texts.length; index++) {
    const text = texts[index] ?? '';
    if (option.test(text)) return texts[index + 1] === '--' ? index + 2 : index + 1;
    // The first word that is no option is a file, and all that follows are its arguments.
    if (!/^[-+/]/.test(text)) return -1;
    if (OPTION_WITH_VALUE.test(text)) index++;
  }
  return -1;
}

function isTakenForOption(word: Word, before: Word | undefined): boolean {
  const [first] = word;
  if (first?.kind !== 'place' || first.placeholder !== 'prompt') return false;
  return before === undefined || !/^-/.test(wordText(before));
}

function sessionProblems(draft: CommandDraft, first: Template, later: Template | null): CommandProblem[] {
  const { resume } = draft;
  const isNamed = placesIn(first.words).has('session');
  if (resume.kind === 'none') {
    return isNamed ? [problem('arguments', '{session} has no value: no session is continued.')] : [];
  }
  const found: CommandProblem[] = [];
  if (resume.source === 'minted' && !isNamed) {
    found.push(problem('arguments', 'Parley makes the id of a new session: {session} has to say where it goes.'));
  }
  if (resume.source === 'reported') {
    if (isNamed)
      found.push(problem('arguments', '{session} has no value in a first turn: the program reports it later.'));
    if (draft.output === 'text') {
      found.push(
        problem('resume', 'Plain text reports no session. Let Parley make its id, or choose an event format.'),
      );
    }
  }
  if (later !== null && !placesIn(later.words).has('session')) {
    found.push(problem('resume.arguments', 'A turn that goes on with a session has to name it: {session}.'));
  }
  return found;
}

function forgottenImages(first: Template, later: Template): CommandProblem[] {
  if (!placesIn(first.words).has('attachment') || placesIn(later.words).has('attachment')) return [];
  return [note('resume.arguments', 'The images of later messages are not handed over: {attachment} is missing.')];
}

/** What a description says that its schema does not take, in sentences. */
function schemaProblems(draft: CommandDraft): CommandProblem[] {
  const parsed = commandDefinition.safeParse(draft);
  if (parsed.success) return [];
  const seen = new Set<string>();
  return parsed.error.issues.flatMap(({ path, message }) => {
    const field = path.join('.');
    if (seen.has(field)) return [];
    seen.add(field);
    return [problem(field, schemaSentence(field, draft) ?? message)];
  });
}

function schemaSentence(field: string, draft: CommandDraft): string | null {
  switch (field) {
    case 'name':
      return draft.name.trim() === '' ? 'Give it a name.' : 'The name is longer than 60 characters.';
    case 'program':
      return draft.program.trim() === '' ? 'Name the program.' : 'The path is too long.';
    case 'arguments':
    case 'resume.arguments':
      return 'The template is longer than 10,000 characters.';
    case 'timeoutMs':
    case 'idleTimeoutMs':
      return 'A limit is between 1 second (0.02 minutes) and 24 hours (1440 minutes).';
    case 'environment':
      return 'There are more than 100 variables.';
    default:
      return /^environment\.\d+\.name$/.test(field)
        ? 'The name of a variable has letters, digits and underscores, and does not begin with a digit.'
        : null;
  }
}

function variableProblems({ environment }: CommandDraft): CommandProblem[] {
  return environment.flatMap(({ name, value }, index) => {
    const isTwice = environment.findIndex((other) => other.name === name) < index;
    return [
      ...(isTwice ? [problem(`environment.${index}.name`, `${name} is set twice.`)] : []),
      ...(value?.includes('\0')
        ? [problem(`environment.${index}.value`, 'No variable can hold the character NUL.')]
        : []),
    ];
  });
}

/** All that can be told of a description without looking at the machine. */
export function checkDefinition(draft: CommandDraft, formats: EventFormats): CommandProblem[] {
  const isFormatKnown = draft.output === 'text' || formats(draft.output) !== null;
  return [
    ...schemaProblems(draft),
    ...templateProblems(draft),
    ...variableProblems(draft),
    ...(isFormatKnown ? [] : [problem('output', `The events of ${draft.output} cannot be read.`)]),
  ];
}

const SAMPLE: TemplateValues = {
  prompt_file: '/…/chat.prompt.md',
  cwd: '/path/to/project',
  attachments_dir: null,
  attachment: [],
  session: '0f3c1f6e-5d0b-4c0e-9a53-2f7a5d1c8b42',
  model: null,
  prompt: 'the message',
};
const SAMPLE_WITH_ALL: TemplateValues = {
  ...SAMPLE,
  attachments_dir: '/…/attachments',
  attachment: ['/…/attachments/one.png', '/…/attachments/two.png'],
  model: 'the-model',
};

/** The words of some turns, as the program will get them. */
export function exampleWords(draft: CommandDraft): { title: string; words: string[] }[] {
  const program = draft.program.trim();
  const first = parseTemplate(draft.arguments).words;
  const later = draft.resume.kind === 'by-id' ? parseTemplate(draft.resume.arguments).words : null;
  const isVarying = ['attachment', 'attachments_dir', 'model'].some((place) =>
    [...placesIn(first)].some((each) => each === place),
  );
  const turn = (title: string, words: readonly Word[], values: TemplateValues) => ({
    title,
    words: [program, ...fillTemplate(words, values)],
  });
  return [
    turn(isVarying ? 'A turn without images and model' : 'A turn', first, SAMPLE),
    ...(isVarying ? [turn('A turn with two images and a model', first, SAMPLE_WITH_ALL)] : []),
    ...(later === null ? [] : [turn('A later turn of the session', later, SAMPLE_WITH_ALL)]),
  ];
}
