import { MARKER_VARIABLE } from './tree.ts';

/** Variables that belong to Parley's own runtime and would change what a child does. */
const OWN_VARIABLES =
  /^(ELECTRON_|CHROME_|APPIMAGE$|APPDIR$|APPIMAGE_|ARGV0$|OWD$|PARLEY_|NODE_OPTIONS$|NODE_CHANNEL_|npm_|INIT_CWD$|VITE_|VITEST|GDK_BACKEND$|ORIGINAL_XDG_)/i;
/** Of a surrounding run; each child gets its own. */
const RUN_VARIABLES = new Set(['MAGI_RUN', 'MAGI_NODE', 'MAGI_SEAT', MARKER_VARIABLE]);
const UTF8 = /utf-?8/i;

export interface ChildVariables {
  readonly run: string;
  readonly node: string;
  readonly seat: string;
  /** The invocation's id. */
  readonly marker: string;
  readonly cacheDir?: string;
}

export interface ChildEnvironment {
  readonly variables: Record<string, string>;
  /** The names of what Parley set, for the operator to see. */
  readonly set: string[];
}

/**
 * The environment of a child, built on purpose: what the operator's session has, without what belongs to Parley's own
 * runtime, with the login shell's PATH, a UTF-8 locale and the variables that name the run.
 */
export function childEnvironment(
  base: NodeJS.ProcessEnv,
  path: string,
  own: ChildVariables,
  agent: Readonly<Record<string, string>>,
): ChildEnvironment {
  const variables: Record<string, string> = {};
  for (const [name, value] of Object.entries(base)) {
    if (value !== undefined && !OWN_VARIABLES.test(name) && !RUN_VARIABLES.has(name)) variables[name] = value;
  }
  const additions: Record<string, string> = {
    PATH: path,
    GIT_TERMINAL_PROMPT: '0',
    MAGI_RUN: own.run,
    MAGI_NODE: own.node,
    MAGI_SEAT: own.seat,
    [MARKER_VARIABLE]: own.marker,
  };
  if (!hasUtf8Locale(variables)) additions.LC_CTYPE = 'C.UTF-8';
  if (own.cacheDir !== undefined) additions.CARGO_TARGET_DIR = own.cacheDir;
  Object.assign(additions, agent);
  Object.assign(variables, additions);
  // LC_ALL outranks LC_CTYPE; one that is not UTF-8 would undo it.
  if (additions.LC_CTYPE !== undefined) delete variables.LC_ALL;
  return { variables, set: Object.keys(additions).sort() };
}

function hasUtf8Locale(variables: Record<string, string>): boolean {
  const effective = variables.LC_ALL || variables.LC_CTYPE || variables.LANG || '';
  return UTF8.test(effective);
}
