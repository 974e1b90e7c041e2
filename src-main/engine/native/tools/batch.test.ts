import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Tool, ToolContext, ToolOutcome } from '../tool.ts';
import { type BatchCall, runBatch } from './batch.ts';
import { ok } from './outcome.ts';
import { makeYard, toolNamed, type Yard } from './tools.harness.ts';

let yard: Yard;
beforeEach(async () => {
  yard = await makeYard();
});
afterEach(() => yard.remove());

/** A tool of which each call ends when the test says so. */
class Stage {
  readonly started: string[] = [];
  readonly contexts = new Map<string, ToolContext>();
  readonly #ends = new Map<string, (outcome: ToolOutcome) => void>();
  #onStart = () => {};

  tool(key: string | null = null): Tool {
    return {
      spec: { name: 'staged', description: '', inputSchema: {} },
      right: 'read',
      title: () => 'staged',
      exclusiveKey: () => key,
      run: (_, context) => {
        this.started.push(context.callId);
        this.contexts.set(context.callId, context);
        this.#onStart();
        return new Promise((resolve) => this.#ends.set(context.callId, resolve));
      },
    };
  }

  async running(...ids: string[]): Promise<void> {
    while (!ids.every((id) => this.started.includes(id))) {
      await new Promise<void>((resolve) => {
        this.#onStart = resolve;
      });
    }
  }

  end(id: string): void {
    this.#ends.get(id)?.(ok(`${id} done`));
  }
}

const call = (id: string, tool: Tool | null, input: unknown = {}): BatchCall => ({
  call: { id, name: 'staged', input },
  tool,
});

function start(calls: readonly BatchCall[], graceMs = 1_000) {
  const cancel = new AbortController();
  const results: string[] = [];
  const running = runBatch(calls, {
    signal: cancel.signal,
    graceMs,
    contextOf: () => yard.context(),
    onResult: ({ id }, outcome) => results.push(`${id} ${outcome.status}`),
  });
  return { cancel, running, results };
}

describe('a batch of calls', () => {
  it('runs side by side, and returns results in the order of the calls', async () => {
    const stage = new Stage();
    const { running, results } = start([call('a', stage.tool()), call('b', stage.tool()), call('c', null)]);
    await stage.running('a', 'b');
    stage.end('b');
    stage.end('a');
    const { outcomes, pending } = await running;
    expect(outcomes.map(({ status, text }) => `${status} ${text}`)).toEqual([
      'ok a done',
      'ok b done',
      'failed There is no tool of this name.',
    ]);
    expect(pending).toEqual([]);
    expect(results).toEqual(['c failed', 'b ok', 'a ok']);
  });

  it('runs calls of one key one after the other, in their order, beside the others', async () => {
    const stage = new Stage();
    const { running } = start([
      call('a1', stage.tool('a')),
      call('b1', stage.tool('b')),
      call('a2', stage.tool('a')),
      call('a3', stage.tool('a')),
    ]);
    await stage.running('a1', 'b1');
    expect(stage.started).toEqual(['a1', 'b1']);
    stage.end('a1');
    await stage.running('a2');
    expect(stage.started).not.toContain('a3');
    stage.end('a2');
    await stage.running('a3');
    stage.end('a3');
    stage.end('b1');
    expect((await running).outcomes.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok', 'ok']);
  });

  it('loses no edit of one file', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `<${index}>`);
    await writeFile(join(yard.cwd, 'a'), names.join('\n'));
    const edit = toolNamed('edit');
    const calls = names.map((name, index) =>
      call(name, edit, { path: index % 2 === 0 ? 'a' : './x/../a', old_string: name, new_string: `done ${index}` }),
    );
    const { outcomes } = await start(calls).running;
    expect(outcomes.every(({ status }) => status === 'ok')).toBe(true);
    const { text } = await toolNamed('read').run({ path: 'a' }, yard.context());
    expect(text).not.toContain('<');
  });

  it('keeps results that come in the grace; the rest is interrupted, and what waits is not begun', async () => {
    const stage = new Stage();
    const { cancel, running, results } = start(
      [call('quick', stage.tool()), call('stuck', stage.tool('k')), call('waiting', stage.tool('k'))],
      200,
    );
    await stage.running('quick', 'stuck');
    cancel.abort();
    stage.end('quick');
    const { outcomes, pending, settled } = await running;
    expect(outcomes.map(({ status }) => status)).toEqual(['ok', 'interrupted', 'interrupted']);
    expect(pending).toEqual(['stuck']);
    stage.end('stuck');
    await settled;
    expect(stage.started).toEqual(['quick', 'stuck']);
    expect(results).toEqual(['quick ok', 'stuck interrupted', 'waiting interrupted']);
  });

  it('waits for nothing without a grace, and starts nothing when it is over before it begins', async () => {
    const stage = new Stage();
    const { cancel, running } = start([call('a', stage.tool())], 0);
    await stage.running('a');
    cancel.abort();
    expect((await running).pending).toEqual(['a']);
    const over = await runBatch([call('b', stage.tool())], {
      signal: AbortSignal.abort(),
      graceMs: 60_000,
      contextOf: () => yard.context(),
      onResult: () => {},
    });
    expect(over.outcomes.map(({ status }) => status)).toEqual(['interrupted']);
    expect(stage.started).toEqual(['a']);
  });

  it('takes its means from a call that goes on regardless', async () => {
    const stage = new Stage();
    const { cancel, running, results } = start([call('a', stage.tool())], 0);
    await stage.running('a');
    cancel.abort();
    await running;
    const context = stage.contexts.get('a');
    context?.onOutput('stdout', Buffer.from('late'));
    expect(yard.printed.stdout).toBe('');
    await expect(context?.saveArtifact('late', { bytes: Buffer.from('x') })).rejects.toThrow('Interrupted');
    expect(() => context?.onProcess({ pid: 1, started: '', marker: '' })).toThrow('Interrupted');
    if (context === undefined) throw new Error('it ran');
    const late = { path: 'late', content: 'x' };
    expect(await toolNamed('write').run(late, context)).toMatchObject({ status: 'interrupted' });
    expect(await toolNamed('bash').run({ command: 'touch late' }, context)).toMatchObject({ status: 'interrupted' });
    expect((await toolNamed('glob').run({ pattern: '*' }, yard.context())).text).toContain('No file');
    stage.end('a');
    expect(results).toEqual(['a interrupted']);
  });

  it('ends commands within the grace', async () => {
    const cancel = new AbortController();
    const running = runBatch(
      [call('a', toolNamed('bash'), { command: 'trap "" TERM; echo ready; sleep 700; touch late' })],
      {
        signal: cancel.signal,
        graceMs: 5_000,
        contextOf: () => yard.context({ onOutput: () => cancel.abort() }),
        onResult: () => {},
      },
    );
    const { outcomes, pending } = await running;
    expect(outcomes[0]).toMatchObject({ status: 'interrupted', text: expect.stringContaining('ready') });
    expect(pending).toEqual([]);
  });

  it('of a tool that throws is one failed call', async () => {
    const bad: Tool = { ...new Stage().tool(), run: () => Promise.reject(new Error('bug')) };
    expect((await start([call('a', bad)]).running).outcomes[0]).toMatchObject({
      status: 'failed',
      text: 'The tool failed: bug',
    });
  });
});
