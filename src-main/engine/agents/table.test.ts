import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentId, capabilities } from '../../../src-shared/agents.ts';
import { AGENTS, agentById } from './index.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

const transcriptsOf = (id: string) => join(import.meta.dirname, id, 'transcripts');

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
    // What ships with Parley needs no command to install it; everything else does.
    expect(agent.install.command === '').toBe(agent.executable.kind === 'embedded');
  });

  it('has recorded transcripts, said to be of the tested version, in which its reader finds an answer', async () => {
    const directory = transcriptsOf(agent.id);
    const names = (await readdir(directory)).filter((name) => name.endsWith('.jsonl'));
    expect(await readFile(join(directory, 'README.md'), 'utf8')).toContain(agent.testedVersion);
    const answered: string[] = [];
    for (const name of names) {
      const reader = agent.reader({ resuming: null });
      const lines = (await readFile(join(directory, name), 'utf8')).split('\n');
      const events = lines.flatMap((line) => reader.push(line));
      if (events.some(({ type }) => type === 'text') && reader.end().report.finished) answered.push(name);
    }
    expect(answered.length).toBeGreaterThan(0);
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
