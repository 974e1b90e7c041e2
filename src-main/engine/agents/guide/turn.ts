import { basename } from 'node:path';
import { composeAnswer, type Findings } from './answer.ts';
import { hear, type Intent } from './intents.ts';
import { COMMANDS, commandText, type LookCommand, runLook } from './look.ts';
import { counted } from './markdown.ts';
import { readNamedFiles } from './named.ts';
import { openPicture, type Picture } from './pictures.ts';
import { readProject } from './project.ts';
import { readPrompt } from './prompt.ts';
import { type RememberedTurn, type Session, withTurn } from './sessions.ts';
import { readStatus } from './status.ts';
import type { CommandResult, TurnStream } from './stream.ts';
import { surveyDirectory } from './survey.ts';

export interface GuideTurn {
  cwd: string;
  prompt: string;
  images: readonly string[];
  session: Session;
  /** Ms since the epoch. */
  at: number;
  signal: AbortSignal;
}

/**
 * Takes one turn: looks, reports each step as it is done, answers. Returns the session with this turn in it.
 * @throws the signal's reason when it is aborted; what was reported until then is true
 */
export async function takeTurn(turn: GuideTurn, stream: TurnStream): Promise<Session> {
  const { cwd, session, signal } = turn;
  const { text, names } = readPrompt(turn.prompt, turn.images);
  const heard = hear(text);
  const wanted = new Set(heard.intents.map(({ intent }) => intent));
  // The first message of a session is answered with a look around, whatever it says.
  const isFirst = session.taken === 0;
  const wants = (intent: Intent) => wanted.has(intent) || isFirst;
  const run = (command: LookCommand): Promise<CommandResult> =>
    stream.command(commandText(command), () => runLook(command, cwd, signal));

  const pictures: Picture[] = [];
  if (turn.images.length > 0) stream.say(`Opening ${counted(turn.images.length, 'image')}.`);
  for (const [index, path] of turn.images.entries()) {
    signal.throwIfAborted();
    pictures.push(await openPicture(path, names[index] ?? basename(path)));
  }

  const isLooking = wants('project') || wants('changes') || wants('size');
  if (isLooking) stream.say('Looking around the working directory. I only read.');
  const repository = isLooking ? await run(COMMANDS.repository) : null;
  const listing = wants('project') ? await run(COMMANDS.list) : null;
  const log = wants('changes') ? await run(COMMANDS.log) : null;
  const wantsStatus = wants('changes') || wants('size');
  const status = wantsStatus && repository?.exitCode === 0 ? await run(COMMANDS.status) : null;
  const project = wants('project') ? await readProject(cwd) : null;
  if (wants('size')) stream.say('Counting files and lines.');
  const ignored = readStatus(status?.exitCode === 0 ? status.output : '').ignored;
  const survey = wants('size') ? await surveyDirectory(cwd, ignored, signal) : null;
  const files = await readNamedFiles(cwd, text);

  const findings: Findings = { text, heard, session, pictures, files, project, survey, log, status, listing };
  signal.throwIfAborted();
  stream.say(composeAnswer(findings));
  return withTurn(session, remember(text, pictures, turn.at));
}

function remember(text: string, pictures: readonly Picture[], at: number): RememberedTurn {
  return {
    at,
    text,
    pictures: pictures.flatMap((picture) =>
      picture.kind === 'refused'
        ? []
        : [
            {
              name: picture.name,
              mime: picture.mime,
              width: picture.width,
              height: picture.height,
              colour: picture.palette.kind === 'read' ? (picture.palette.palette.colours[0]?.name ?? null) : null,
            },
          ],
    ),
  };
}
