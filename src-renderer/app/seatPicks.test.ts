import { expect, test } from 'vitest';
import { agentStatus } from '../../src-shared/agents.ts';
import { type CommandDraft, commandDefinition } from '../../src-shared/commandDefinition.ts';
import { pickKey, seatOffers } from './seatPicks.ts';

const status = (id: string, availability: unknown) =>
  agentStatus.parse({
    id,
    label: `The ${id}`,
    letter: 'T',
    hue: 1,
    description: 'An agent.',
    capabilities: {
      resume: 'none',
      image: 'none',
      readOnly: 'none',
      reportsCommands: false,
      reportsExitCodes: false,
      reportsUsage: false,
      streamsText: false,
    },
    availability,
    install: { command: '', note: '' },
    testedVersion: '1.0.0',
  });

const command = (id: string, fields: Partial<CommandDraft>) =>
  commandDefinition.parse({
    id,
    name: id,
    program: 'tool',
    arguments: '',
    prompt: 'stdin',
    environment: [],
    encoding: 'utf-8',
    resume: { kind: 'none' },
    output: 'text',
    images: true,
    timeoutMs: null,
    idleTimeoutMs: null,
    ...fields,
  });

test('every described command is offered by its own name, and the agent that runs them is not', () => {
  const agents = [status('guide', { kind: 'not-found', searched: [] }), status('command', { kind: 'by-definition' })];
  const commands = [
    command('cmd_first1', { name: 'First' }),
    command('cmd_second', { arguments: 'ask -i {attachment}' }),
  ];
  const offers = seatOffers(agents, commands);
  expect(offers.map(({ label }) => label)).toEqual(['The guide', 'First', 'cmd_second']);
  expect(offers.map(({ description }) => description)).toEqual(['An agent.', 'tool', 'tool ask -i {attachment}']);
  expect(offers.map(({ pick }) => pick)).toEqual([
    { agent: 'guide' },
    { agent: 'command', definitionId: 'cmd_first1' },
    { agent: 'command', definitionId: 'cmd_second' },
  ]);
  expect(new Set(offers.map(({ pick }) => pickKey(pick))).size).toBe(3);
  expect(seatOffers(agents, [])).toHaveLength(1);
});
