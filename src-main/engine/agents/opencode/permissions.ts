import { dirname, posix, relative } from 'node:path';
import { contains } from '../../files/index.ts';
import type { Invocation } from '../agent.ts';
import { attachmentDirectories, ownDirectories } from '../directories.ts';

type Action = 'allow' | 'ask' | 'deny';
/** Of opencode 1.18: what is asked for → what becomes of it, for everything or by pattern. The last rule that fits counts. */
export type Rules = Readonly<Record<string, Action | Readonly<Record<string, Action>>>>;

/**
 * Names of permissions as patterns that fit one of them. Where the operator's configuration has a rule under the same
 * name, opencode puts the new value in the old one's place, before later rules that may undo it; under a name of its own
 * it comes last.
 */
const READ = 'rea?';
const EDIT = 'edi?';
const COMMAND = 'bas?';
const SUBAGENT = 'tas?';
const OUTSIDE = 'external_director?';
const REPEATED_CALLS = 'doom_loo?';
/** `SERVER_TOOL`: what an MCP server offers, of which nobody knows whether it writes. */
const MCP_TOOL = '*_*';

/** A path with one of these would be a pattern that fits others too, and opencode has no escape for them. */
const WILDCARD = /[*?]/;

/** The attachment directories that can be told to opencode exactly. */
export function grantedDirectories(invocation: Invocation): string[] {
  return attachmentDirectories(invocation).filter((directory) => !WILDCARD.test(directory));
}

/**
 * A read-only seat has nothing that writes, commands included: opencode matches a command by its words, and what a shell
 * makes of them is another matter. A subagent has rules of its own and is not offered either.
 */
export function readOnlyRules(invocation: Invocation): Rules {
  return {
    [MCP_TOOL]: 'deny',
    // The pattern fits this one too, and denying it would end the turn.
    [REPEATED_CALLS]: 'ask',
    [EDIT]: 'deny',
    [COMMAND]: 'deny',
    [SUBAGENT]: 'deny',
    ...outside(invocation),
  };
}

/** A seat that can write does so in its working directory, and its tools leave Parley's own data alone. */
export function writingRules(invocation: Invocation): Rules {
  return { ...outside(invocation), [EDIT]: Object.fromEntries(ownPatterns(invocation).map((own) => [own, 'deny'])) };
}

/**
 * Denied, not asked about: headless, a question is answered with no and ends the turn. Where Parley's data lies in the
 * repository around the working directory, opencode does not take it for outside, and it is denied by its name.
 */
function outside(invocation: Invocation): Rules {
  const granted = grantedDirectories(invocation);
  const all = (patterns: readonly string[], action: Action) =>
    patterns.map((pattern): [string, Action] => [pattern, action]);
  const allowed = all(
    granted.map((directory) => `${directory}/**`),
    'allow',
  );
  const named = granted.flatMap((directory) => asSeenFrom(invocation.cwd, directory));
  return {
    [OUTSIDE]: { '*': 'deny', ...Object.fromEntries(allowed) },
    [READ]: Object.fromEntries([...all(ownPatterns(invocation), 'deny'), ...all(named, 'allow')]),
  };
}

function ownPatterns(invocation: Invocation): string[] {
  const { cwd } = invocation;
  return ownDirectories(invocation)
    .filter((directory) => !contains(directory, cwd))
    .flatMap((directory) => asSeenFrom(cwd, directory));
}

/**
 * How opencode names what lies in `directory` when it asks whether it may be read or edited: from the root of the repository
 * around `cwd`, or from `/` where there is none. Which one is not known here, so every directory above is a case.
 */
function asSeenFrom(cwd: string, directory: string): string[] {
  const patterns: string[] = [];
  for (let root = cwd; ; root = dirname(root)) {
    patterns.push(posix.join(relative(root, directory), '*'));
    if (root === dirname(root)) return [...new Set(patterns)];
  }
}
