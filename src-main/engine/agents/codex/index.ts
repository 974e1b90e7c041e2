import { type Agent, PROVIDER_CAUSES } from '../agent.ts';
import { codexCommand } from './command.ts';
import { CodexReader } from './events.ts';
import { explainCodex } from './explain.ts';
import { codexSignIn } from './signIn.ts';

export { CodexReader } from './events.ts';
export { explainCodex } from './explain.ts';

/** OpenAI's Codex CLI, as `codex exec`. */
export const codex: Agent = {
  id: 'codex',
  label: 'Codex',
  letter: 'C',
  hue: 152,
  description: 'OpenAI’s coding agent, run as the Codex CLI on this machine.',
  executable: { kind: 'path', name: 'codex', versionArgs: ['--version'] },
  install: {
    command: 'npm install -g @openai/codex',
    note: 'Sign in once with “codex login”, or set an API key as its documentation says.',
  },
  testedVersion: '0.171.0',
  capabilities: {
    resume: 'by-id',
    image: 'flag',
    readOnly: 'os-sandbox',
    reportsCommands: true,
    reportsExitCodes: true,
    reportsUsage: true,
    streamsText: false,
  },
  explains: PROVIDER_CAUSES,
  command: codexCommand,
  signIn: codexSignIn,
  reader: ({ resuming }) => new CodexReader(resuming, 'codex'),
  explain: explainCodex,
};
