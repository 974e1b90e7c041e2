import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type AgentId, agentId, capabilities } from '../../../src-shared/agents.ts';
import { AGENTS, agentById, PROVIDER_CAUSES } from './index.ts';
import {
  answerIn,
  linesOf,
  readerFor,
  readLines,
  readRecording,
  recordedCauses,
  recordingNames,
} from './recordings.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

const transcriptsOf = (id: string) => join(import.meta.dirname, id, 'transcripts');

/** The Guide has no model, and what stands behind an operator's own command is not known. */
const hasProvider = (id: AgentId) => id !== 'guide' && id !== 'command';

/** The cells of each row of the first table in docs/agents.md, by the first cell. */
async function documentedRows(): Promise<{ header: string[]; rows: Map<string, string[]> }> {
  const text = await readFile(join(ROOT, 'docs', 'agents.md'), 'utf8');
  const table = text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
  const [header = [], , ...rows] = table;
  return { header, rows: new Map(rows.map((cells) => [cells[0] ?? '', cells])) };
}

describe('the agent table', () => {
  it('has every agent that can take a seat, once, under its own id', () => {
    expect(AGENTS.map(({ id }) => id).sort()).toEqual([...agentId.options].sort());
    for (const id of agentId.options) expect(agentById(id).id).toBe(id);
  });

  it('tells agents apart by label, letter and hue', () => {
    for (const key of ['label', 'letter', 'hue'] as const) {
      expect(new Set(AGENTS.map((agent) => agent[key])).size).toBe(AGENTS.length);
    }
  });
});

describe.each(AGENTS)('$label', (agent) => {
  it('has every part', () => {
    expect(agent.letter).toMatch(/^[A-Z]$/);
    expect(capabilities.parse(agent.capabilities)).toEqual(agent.capabilities);
    expect(agent.testedVersion).toMatch(/^\d+\.\d+\.\d+$/);
    for (const text of [agent.label, agent.description, agent.install.note]) expect(text.trim()).not.toBe('');
    // Neither what ships with Parley nor what the operator brings has a command that installs it; everything else does.
    expect(agent.install.command === '').toBe(agent.executable.kind !== 'path');
  });

  it('has recorded transcripts, said to be of the tested version, in which its reader finds an answer', async () => {
    const directory = transcriptsOf(agent.id);
    const names = recordingNames(agent.id);
    expect(await readFile(join(directory, 'README.md'), 'utf8')).toContain(agent.testedVersion);
    const answered: string[] = [];
    for (const name of names) {
      const recording = readRecording(agent.id, name);
      const { events, report } = readLines(readerFor(agent, recording), linesOf(recording.stdout));
      if (answerIn(events) !== null && report.finished) answered.push(name);
    }
    expect(answered.length).toBeGreaterThan(0);
  });

  it('has a recorded or rebuilt ending for each cause that it explains', () => {
    const shown = new Set(Object.values(recordedCauses(agent.id)).map((cause) => cause?.kind));
    for (const kind of agent.explains) expect(shown, `an ending with the cause ${kind}`).toContain(kind);
    if (hasProvider(agent.id)) expect(agent.explains).toEqual(expect.arrayContaining([...PROVIDER_CAUSES]));
  });

  it('has its row in docs/agents.md, with every column and the tested version', async () => {
    const { header, rows } = await documentedRows();
    const row = rows.get(agent.label);
    expect(row, `no row for ${agent.label}`).toBeDefined();
    expect(row).toHaveLength(header.length);
    expect(row?.every((cell) => cell !== '')).toBe(true);
    expect(row?.at(-1)).toBe(agent.testedVersion);
  });
});
