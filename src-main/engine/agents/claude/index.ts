import { type Agent, PROVIDER_CAUSES } from '../agent.ts';
import { claudeCommand } from './command.ts';
import { ClaudeReader } from './events.ts';
import { explainClaude } from './explain.ts';
import { mentionPath, withoutMentionsOutside } from './mentions.ts';
import { claudeSignIn } from './signIn.ts';

export { ClaudeReader } from './events.ts';
export { explainClaude } from './explain.ts';

/** Anthropic's Claude Code, as `claude -p`. */
export const claude: Agent = {
  id: 'claude',
  label: 'Claude Code',
  letter: 'A',
  hue: 25,
  description: 'Anthropic’s coding agent, run as the Claude Code CLI on this machine.',
  executable: { kind: 'path', name: 'claude', versionArgs: ['--version'] },
  install: {
    command: 'npm install -g @anthropic-ai/claude-code',
    note: 'Sign in once: start “claude” in a terminal and enter “/login”, or set ANTHROPIC_API_KEY.',
  },
  testedVersion: '2.1.197',
  capabilities: {
    resume: 'by-id',
    image: 'mention',
    readOnly: 'tool-list',
    reportsCommands: true,
    reportsExitCodes: true,
    reportsUsage: true,
    streamsText: true,
  },
  explains: [...PROVIDER_CAUSES, 'denied'],
  command: claudeCommand,
  pathInPrompt: mentionPath,
  textInPrompt: withoutMentionsOutside,
  signIn: claudeSignIn,
  reader: ({ resuming }) => new ClaudeReader(resuming, 'claude'),
  explain: explainClaude,
};
