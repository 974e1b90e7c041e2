import { z } from 'zod';

/** The agents that can take a seat. One is added here and in the agent table, nowhere else. */
export const agentId = z.enum(['guide', 'codex', 'claude', 'gemini', 'opencode', 'command']);
export type AgentId = z.infer<typeof agentId>;

/** What a seat may do to the working directory. */
export const access = z.enum(['read-only', 'can-write']);
export type Access = z.infer<typeof access>;

export const capabilities = z.object({
  /** How a session is continued; `none` means that each turn starts afresh. */
  resume: z.enum(['by-id', 'none']),
  /** How an image reaches the model. */
  image: z.enum(['flag', 'mention', 'tool', 'inline', 'none']),
  /** What holds a read-only seat: an OS sandbox, the CLI's own tool list, or that the agent has no way to write. */
  readOnly: z.enum(['os-sandbox', 'tool-list', 'by-design', 'none']),
  reportsCommands: z.boolean(),
  reportsExitCodes: z.boolean(),
  reportsUsage: z.boolean(),
  streamsText: z.boolean(),
});
export type Capabilities = z.infer<typeof capabilities>;

/** Whether an agent has what it needs to ask its provider, as far as that can be told without asking it. */
export const signIn = z.object({
  state: z.enum(['signed-in', 'not-signed-in', 'unknown']),
  /** What that was told from, in a few words. */
  detail: z.string(),
});
export type SignIn = z.infer<typeof signIn>;

/** How an agent stands on this machine. */
export const agentStatus = z.object({
  id: agentId,
  label: z.string(),
  /** One capital letter; with the hue it tells seats apart. */
  letter: z.string().length(1),
  /** Degrees on the colour wheel. */
  hue: z.number().min(0).max(359),
  description: z.string(),
  capabilities,
  availability: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('found'),
      path: z.string(),
      version: z.string().nullable(),
      /** Its version is not known yet: the program is being asked. */
      asking: z.boolean(),
      signIn,
    }),
    z.object({
      kind: z.literal('not-found'),
      /** The directories that were searched, in order. */
      searched: z.array(z.string()),
    }),
    /** Each seat of it runs another program, which the operator has described. */
    z.object({ kind: z.literal('by-definition') }),
  ]),
  /** A command that installs it, and a sentence about signing in. */
  install: z.object({ command: z.string(), note: z.string() }),
  /** The version its recorded transcripts come from. */
  testedVersion: z.string(),
});
export type AgentStatus = z.infer<typeof agentStatus>;
