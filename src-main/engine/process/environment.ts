import { operatorEnvironment } from './packaging.ts';
import { MARKER_VARIABLE } from './tree.ts';

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
 * runtime, with the login shell's PATH, a UTF-8 locale and the variables that name the run. `additions` are the
 * operator's and the command line's for this agent; they outrank all but what the run is told and found by.
 */
export function childEnvironment(
  base: NodeJS.ProcessEnv,
  path: string,
  own: ChildVariables,
  additions: Readonly<Record<string, string>>,
): ChildEnvironment {
  const inherited = operatorEnvironment(base);
  const set: Record<string, string> = {
    ...(own.cacheDir === undefined ? {} : { CARGO_TARGET_DIR: own.cacheDir }),
    ...additions,
  };
  const fixed: Record<string, string> = {
    PATH: path,
    GIT_TERMINAL_PROMPT: '0',
    MAGI_RUN: own.run,
    MAGI_NODE: own.node,
    MAGI_SEAT: own.seat,
    [MARKER_VARIABLE]: own.marker,
  };
  if (!hasUtf8Locale({ ...inherited, ...set })) {
    fixed.LC_CTYPE = utf8Locale();
    // It outranks LC_CTYPE; one that is not UTF-8 would undo it.
    delete inherited.LC_ALL;
    delete set.LC_ALL;
  }
  Object.assign(set, fixed);
  return { variables: { ...inherited, ...set }, set: Object.keys(set).sort() };
}

function hasUtf8Locale(variables: Record<string, string>): boolean {
  const effective = variables.LC_ALL || variables.LC_CTYPE || variables.LANG || '';
  return UTF8.test(effective);
}

/** macOS has no C.UTF-8 before version 15; its own terminal sets this name. */
function utf8Locale(): string {
  return process.platform === 'darwin' ? 'UTF-8' : 'C.UTF-8';
}
