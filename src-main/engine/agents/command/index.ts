import type { Capabilities } from '../../../../src-shared/agents.ts';
import type { CommandDefinition } from '../../../../src-shared/commandDefinition.ts';
import type { Cause } from '../../../../src-shared/outcome.ts';
import type { Agent, Ending, ReaderContext, SeatReader } from '../agent.ts';
import { checkDefinition } from './check.ts';
import { commandLine } from './command.ts';
import { type EventFormats, formatOf } from './formats.ts';
import { TextReader, WithoutSessions } from './reader.ts';
import { parseTemplate, placesIn } from './template.ts';

export { checkDefinition, exampleWords } from './check.ts';
export type { EventFormats } from './formats.ts';

/** Of a program whose output is its answer. */
const PLAIN: Capabilities = {
  resume: 'by-id',
  image: 'mention',
  readOnly: 'none',
  reportsCommands: false,
  reportsExitCodes: false,
  reportsUsage: false,
  streamsText: true,
};

/** Any program as an agent, as the operator describes it. An event stream is read by the agent whose format it has. */
export function commandAgent(formats: EventFormats): Agent {
  return {
    id: 'command',
    label: 'Command',
    letter: 'X',
    hue: 95,
    description: 'A program of your own, as you describe it in Settings, Commands.',
    executable: { kind: 'defined' },
    install: { command: '', note: 'Describe the program in Settings, Commands.' },
    // Node's, whose scripts the recordings are of.
    testedVersion: '20.20.2',
    capabilities: PLAIN,
    needsDefinition: true,
    capabilitiesOf: (definition) => capabilitiesOf(definition, formats),
    explains: ['no-answer'],
    faultOf: (definition) => faultOf(definition, formats),
    command: (invocation, seat, executable) => {
      if (seat.definition === null) throw new Error('a command has to be described before it is run');
      return commandLine(invocation, seat, executable, seat.definition);
    },
    signIn: async () => ({
      state: 'unknown',
      detail: 'Parley does not know what stands behind a command of your own.',
    }),
    reader: (context) => readerFor(context, formats),
    explain: (ending) => explain(ending, formats),
  };
}

function capabilitiesOf(definition: CommandDefinition, formats: EventFormats): Capabilities {
  const reported = formatOf(definition, formats)?.capabilities ?? PLAIN;
  const isByFlag = placesIn(parseTemplate(definition.arguments).words).has('attachment');
  return {
    ...reported,
    resume: definition.resume.kind,
    image: !definition.images ? 'none' : isByFlag ? 'flag' : 'mention',
    readOnly: 'none',
  };
}

function faultOf(definition: CommandDefinition, formats: EventFormats): Cause | null {
  const problem = checkDefinition(definition, formats).find(({ level }) => level === 'problem');
  return problem === undefined ? null : { kind: 'not-described', problem: problem.sentence };
}

function readerFor(context: ReaderContext, formats: EventFormats): SeatReader {
  const { definition } = context;
  const format = formatOf(definition, formats);
  if (format === null) return new TextReader(context.opening ?? null);
  const reader = format.reader({ ...context, definition: null });
  return definition?.resume.kind === 'none' ? new WithoutSessions(reader) : reader;
}

function explain(ending: Ending, formats: EventFormats): Cause | null {
  const format = formatOf(ending.definition, formats);
  if (format !== null) return format.explain({ ...ending, definition: null });
  if (ending.exit.code !== 0) return { kind: 'exit', ...ending.exit, detail: null };
  return ending.answered ? null : { kind: 'no-answer' };
}
