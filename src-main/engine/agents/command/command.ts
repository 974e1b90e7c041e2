import { dirname, join } from 'node:path';
import type { CommandDefinition } from '../../../../src-shared/commandDefinition.ts';
import type { DeliveryReceipt, Grant } from '../../../../src-shared/events.ts';
import type { CommandLine, Executable, Invocation, SeatTurn } from '../agent.ts';
import { attachmentDirectories } from '../directories.ts';
import { fillTemplate, type Placeholder, parseTemplate, placesIn, type TemplateValues } from './template.ts';

const NO_SANDBOX = 'Parley puts no sandbox around a command of your own';

/** The command line of one turn of an operator's command. */
export function commandLine(
  invocation: Invocation,
  seat: SeatTurn,
  executable: Executable,
  definition: CommandDefinition,
): CommandLine {
  const { resume } = definition;
  const resuming = invocation.sessions && resume.kind === 'by-id' ? seat.sessionId : null;
  const isMinted = resume.kind === 'by-id' && resume.source === 'minted' && resuming === null;
  const { words } = parseTemplate(
    resuming !== null && resume.kind === 'by-id' ? resume.arguments : definition.arguments,
  );
  const places = placesIn(words);
  return {
    program: executable.program,
    args: [
      ...executable.args,
      ...fillTemplate(
        words,
        valuesOf(invocation, seat, definition, resuming ?? (isMinted ? seat.mintedSessionId : null)),
      ),
    ],
    stdin: definition.prompt === 'stdin' ? 'prompt' : 'none',
    env: executable.env,
    grants: templateGrants(invocation, seat, places),
    routes: routesOf(seat, definition, places),
    caveats: [
      invocation.allowWrite
        ? `${NO_SANDBOX}: it can write wherever you can, not only in the working directory.`
        : `${NO_SANDBOX}: although this seat is read-only, it can write wherever you can.`,
    ],
    // An event stream tells its session itself.
    ...(isMinted && definition.output === 'text' ? { opens: seat.mintedSessionId } : {}),
  };
}

function valuesOf(
  invocation: Invocation,
  seat: SeatTurn,
  definition: CommandDefinition,
  session: string | null,
): TemplateValues {
  const images = definition.images ? seat.images.map(({ path }) => path) : [];
  // All images of a conversation lie in one directory.
  const [anImage] = [...images, ...invocation.attachments];
  return {
    // Where the runner has written the prompt before it asks for the command line.
    prompt_file: join(invocation.artifactsDir, `${invocation.stem}.prompt.md`),
    cwd: invocation.cwd,
    attachments_dir: anImage === undefined ? null : dirname(anImage),
    attachment: images,
    session,
    model: seat.model,
    prompt: definition.prompt === 'argument' ? invocation.prompt : null,
  };
}

/** What the template tells the program about attachments outside the working directory; no other widening is known. */
function templateGrants(invocation: Invocation, seat: SeatTurn, places: ReadonlySet<Placeholder>): Grant[] {
  const told = places.has('attachments_dir')
    ? 'template: {attachments_dir}'
    : places.has('attachment') && seat.images.length > 0
      ? 'template: {attachment}'
      : null;
  if (told === null) return [];
  return attachmentDirectories(invocation).map((directory) => ({
    directory,
    right: 'read',
    reason: 'The attached images lie there, outside the working directory.',
    expressedAs: told,
  }));
}

function routesOf(
  seat: SeatTurn,
  definition: CommandDefinition,
  places: ReadonlySet<Placeholder>,
): DeliveryReceipt['route'][] {
  if (!definition.images) return [];
  // The prompt names every path, whatever the template does.
  return seat.images.map(() => (places.has('attachment') ? 'flag' : 'mention'));
}
