import { type Agent, PROVIDER_CAUSES } from '../agent.ts';
import { geminiCommand } from './command.ts';
import { GeminiReader } from './events.ts';
import { explainGemini } from './explain.ts';
import { pathInPrompt, textInPrompt } from './promptText.ts';
import { geminiSignIn } from './signIn.ts';

/** Google's Gemini CLI, without its terminal interface. */
export const gemini: Agent = {
  id: 'gemini',
  label: 'Gemini CLI',
  letter: 'M',
  hue: 265,
  description: 'Google’s coding agent, run as the Gemini CLI on this machine.',
  executable: { kind: 'path', name: 'gemini', versionArgs: ['--version'] },
  install: {
    command: 'npm install -g @google/gemini-cli',
    note: 'Sign in once by starting “gemini” in a terminal, or set GEMINI_API_KEY.',
  },
  testedVersion: '0.61.0',
  capabilities: {
    resume: 'by-id',
    image: 'mention',
    readOnly: 'tool-list',
    reportsCommands: true,
    reportsExitCodes: false,
    reportsUsage: true,
    streamsText: true,
  },
  explains: [...PROVIDER_CAUSES, 'denied'],
  command: geminiCommand,
  pathInPrompt,
  textInPrompt,
  signIn: geminiSignIn,
  reader: ({ resuming }) => new GeminiReader(resuming),
  explain: explainGemini,
};
