import { randomUUID } from 'node:crypto';
import { errorText } from '../../../../src-shared/failure.ts';
import { type GuideArguments, parseArguments, USAGE } from './arguments.ts';
import { MAX_PROMPT_BYTES } from './limits.ts';
import { newSession, type Session, SessionStore } from './sessions.ts';
import { TurnStream } from './stream.ts';
import { takeTurn } from './turn.ts';
import { GUIDE_HOME_VARIABLE, GUIDE_VERSION } from './words.ts';

/** The exit codes of codex-cli 0.171: 1 for a turn that failed, 2 for wrong arguments. */
const FAILED = 1;
const WRONG_ARGUMENTS = 2;
/** What a shell reports for a program that SIGTERM ended. */
const TERMINATED = 143;

async function main(argv: readonly string[]): Promise<number> {
  const parsed = parseArguments(argv);
  switch (parsed.kind) {
    case 'help':
      process.stdout.write(`${USAGE}\n`);
      return 0;
    case 'version':
      process.stdout.write(`parley-guide ${GUIDE_VERSION}\n`);
      return 0;
    case 'wrong':
      process.stderr.write(`error: ${parsed.sentence}\n\n${USAGE}\n`);
      return WRONG_ARGUMENTS;
    case 'turn':
      return runTurn(parsed.arguments);
  }
}

async function runTurn({ cwd, images, resume }: GuideArguments): Promise<number> {
  const home = process.env[GUIDE_HOME_VARIABLE];
  const store = home === undefined || home === '' ? null : new SessionStore(home);
  const session = resume === null ? newSession(randomUUID()) : ((await store?.load(resume)) ?? null);
  if (session === null) {
    // The sentence of codex-cli 0.171 for a thread that it does not have.
    const why = `thread/resume: thread/resume failed: no rollout found for thread id ${resume} (code -32600)`;
    process.stderr.write(`Error: ${why}\n`);
    return FAILED;
  }
  const prompt = await readPromptInput();
  if (prompt === null) {
    process.stderr.write(`Error: the message is longer than ${MAX_PROMPT_BYTES} bytes\n`);
    return FAILED;
  }
  const stopping = new AbortController();
  process.once('SIGTERM', () => stopping.abort());
  process.once('SIGINT', () => stopping.abort());

  const stream = new TurnStream((line) => process.stdout.write(line));
  stream.begin(session.id);
  const turn = { cwd, prompt, images, session, at: Date.now(), signal: stopping.signal };
  let after: Session;
  try {
    after = await takeTurn(turn, stream);
  } catch (error) {
    if (stopping.signal.aborted) return TERMINATED;
    throw error;
  }
  const notKept = await keep(store, after);
  if (notKept !== null) stream.warn(`This turn will not be remembered: ${notKept}.`);
  stream.end();
  return 0;
}

/** Stores the session; why not, when it could not be. */
async function keep(store: SessionStore | null, session: Session): Promise<string | null> {
  if (store === null) return `${GUIDE_HOME_VARIABLE} names no directory`;
  try {
    await store.save(session);
    return null;
  } catch (error) {
    return errorText(error);
  }
}

/** Everything on standard input; `null` when it is more than a prompt may have. */
async function readPromptInput(): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of process.stdin) {
    chunks.push(Buffer.from(chunk));
    length += chunk.length;
    if (length > MAX_PROMPT_BYTES) return null;
  }
  return Buffer.concat(chunks).toString('utf8');
}

// Whoever read the output went away: there is nobody left to report to.
process.stdout.on('error', () => process.exit(FAILED));

main(process.argv.slice(2)).then(
  (code) => {
    // Not process.exit: what was written has to arrive first.
    process.exitCode = code;
    // Standard input may still be open, and would keep the process.
    process.stdin.destroy();
  },
  (error: unknown) => {
    process.stderr.write(`Error: ${errorText(error)}\n`);
    process.exitCode = FAILED;
    process.stdin.destroy();
  },
);
