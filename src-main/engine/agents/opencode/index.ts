import { type Agent, PROVIDER_CAUSES } from '../agent.ts';
import { openCodeCommand } from './command.ts';
import { OpenCodeReader } from './events.ts';
import { explainOpenCode } from './explain.ts';
import { openCodeSignIn } from './signIn.ts';

/** OpenCode, as `opencode run`. */
export const opencode: Agent = {
  id: 'opencode',
  label: 'OpenCode',
  letter: 'O',
  hue: 330,
  description: 'The open coding agent for many providers, run as the OpenCode CLI on this machine.',
  executable: { kind: 'path', name: 'opencode', versionArgs: ['--version'] },
  install: {
    command: 'npm install -g opencode-ai',
    note: 'Sign in once with “opencode auth login”; some models need no account.',
  },
  testedVersion: '1.18.33',
  capabilities: {
    resume: 'by-id',
    image: 'flag',
    readOnly: 'tool-list',
    reportsCommands: true,
    reportsExitCodes: true,
    reportsUsage: true,
    streamsText: false,
  },
  explains: [...PROVIDER_CAUSES, 'denied'],
  command: openCodeCommand,
  signIn: openCodeSignIn,
  reader: ({ resuming }) => new OpenCodeReader(resuming),
  explain: explainOpenCode,
};
