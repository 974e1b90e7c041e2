import { dirname, join } from 'node:path';
import type { Cause } from '../../../../src-shared/outcome.ts';
import type { Agent, CommandLine, Ending, Executable, Invocation, SeatTurn } from '../agent.ts';
import { CodexReader } from '../codex/index.ts';
import { GUIDE_HOME_VARIABLE, GUIDE_VERSION } from './words.ts';

/** Below the data directory. */
const SESSIONS_DIRECTORY = 'guide';
const UNKNOWN_SESSION = /no rollout found for thread id/;

/** The agent that ships with Parley. It has no model, takes Codex's arguments and reports in Codex's event format. */
export const guide: Agent = {
  id: 'guide',
  label: 'Guide',
  letter: 'G',
  hue: 215,
  description: 'Ships with Parley and needs no account: it looks at images and around the directory. It has no model.',
  executable: { kind: 'embedded', script: 'guide.mjs' },
  install: { command: '', note: 'The Guide is part of Parley; there is nothing to install and nothing to sign in to.' },
  testedVersion: GUIDE_VERSION,
  capabilities: {
    resume: 'by-id',
    image: 'flag',
    readOnly: 'by-design',
    reportsCommands: true,
    reportsExitCodes: true,
    reportsUsage: false,
    streamsText: false,
  },
  explains: ['session-rejected'],
  command: guideCommand,
  signIn: async () => ({ state: 'signed-in', detail: 'The Guide needs no account.' }),
  reader: ({ resuming }) => new CodexReader(resuming, 'guide'),
  explain: explainGuide,
};

function guideCommand(invocation: Invocation, seat: SeatTurn, executable: Executable): CommandLine {
  const resuming = invocation.sessions ? seat.sessionId : null;
  return {
    program: executable.program,
    args: [
      ...executable.args,
      ...['exec', '--json', '--skip-git-repo-check', '-C', invocation.cwd],
      ...['-s', invocation.allowWrite ? 'workspace-write' : 'read-only'],
      ...seat.images.flatMap(({ path }) => ['-i', path]),
      ...(resuming === null ? [] : ['resume', resuming]),
      '-',
    ],
    stdin: 'prompt',
    // The data directory is two above a run's artifacts: `<data>/artifacts/<run>`.
    env: {
      ...executable.env,
      [GUIDE_HOME_VARIABLE]: join(dirname(dirname(invocation.artifactsDir)), SESSIONS_DIRECTORY),
    },
    // No sandbox stands around the Guide, so nothing has to be widened.
    grants: [],
    routes: seat.images.map(() => 'flag'),
    caveats: [],
  };
}

function explainGuide({ exit, report, stderrTail, resuming, sessionReported, answered }: Ending): Cause | null {
  if (exit.code === 0 && report.finished && report.error === null) return answered ? null : { kind: 'no-answer' };
  if (resuming !== null && !sessionReported && UNKNOWN_SESSION.test(stderrTail)) {
    return { kind: 'session-rejected', sessionId: resuming };
  }
  const said = /^Error: (.+)$/im.exec(stderrTail)?.[1] ?? null;
  return { kind: 'exit', ...exit, detail: report.error ?? said };
}
