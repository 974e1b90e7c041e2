import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EnginePreferences } from './calls/index.ts';
import { bin, codex, cwd, engines, events, home, line, message, thread } from './engine.harness.ts';
import { createEngine, type Engine, type EngineOptions } from './engine.ts';

/** An engine of this test's own settings, on the data directory of the test. */
async function openWith(options: Partial<EngineOptions>, preferences: Partial<EnginePreferences> = {}) {
  const engine = await createEngine({
    dataDirectory: join(home, 'data'),
    version: '0.0.0',
    origin: 'api',
    scriptsDirectory: bin,
    env: { PATH: `${bin}:/usr/bin:/bin`, HOME: home, LANG: 'C.UTF-8' },
    askLoginShell: false,
    preferences: () => ({ executables: {}, environments: {}, commands: [], ...preferences }),
    secret: () => null,
    ...options,
  });
  engine.on((event) => events.push(event));
  engines.push(engine);
  return engine;
}

async function turnOf(engine: Engine) {
  const created = await engine.call('createConversation', {
    cwd,
    kind: 'chat',
    seats: [{ agent: 'codex', model: null, access: 'read-only' }],
  });
  if (!created.ok) throw new Error(created.error.message);
  const conversationId = created.value.conversation.id;
  await engine.call('sendMessage', { conversationId, text: 'hello', attachmentIds: [] });
  await engine.idle(conversationId);
  const snapshot = await engine.call('openConversation', { conversationId });
  const invocation = snapshot.ok ? snapshot.value.turns[0]?.invocations[0] : undefined;
  if (invocation === undefined) throw new Error('there was no invocation');
  return invocation;
}

const COMPLETE = [thread, message('done'), line({ type: 'turn.completed', usage: {} })].join('\n');
const notices = (invocation: Awaited<ReturnType<typeof turnOf>>) =>
  invocation.parts.flatMap((part) => (part.kind === 'notice' ? [part.text] : []));

/** Every file below a directory, as text, by its name. */
async function filesBelow(directory: string): Promise<Map<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return new Map(
    await Promise.all(
      files.map(async (entry): Promise<[string, string]> => {
        const path = join(entry.parentPath, entry.name);
        return [path, await readFile(path, 'latin1')];
      }),
    ),
  );
}

describe('the environment of an agent', () => {
  it('has what the settings add, and a secret reaches the child and nothing else', async () => {
    const SECRET = 'sk-the-value-that-nobody-may-see';
    await codex(`printf '%s' "$PLAIN/$API_KEY/$MAGI_RUN/$CARGO_TARGET_DIR" > '${home}/seen'\n${COMPLETE}`);
    const variables = [
      { name: 'PLAIN', value: 'as set' },
      { name: 'API_KEY', value: null },
      { name: 'MAGI_RUN', value: 'forged' },
    ];
    const engine = await openWith(
      { secret: async (scope, name) => (scope === 'codex' && name === 'API_KEY' ? SECRET : null) },
      { environments: { codex: variables }, buildCache: join(home, 'cache') },
    );
    const invocation = await turnOf(engine);
    expect(invocation.outcome).toMatchObject({ kind: 'completed' });
    const [plain, key, run] = (await readFile(join(home, 'seen'), 'utf8')).split('/');
    expect([plain, key]).toEqual(['as set', SECRET]);
    expect(run).toBe(invocation.started?.run);
    expect(invocation.started?.environment).toEqual(expect.arrayContaining(['API_KEY', 'PLAIN', 'CARGO_TARGET_DIR']));

    // Not in an event, not in the database, not in an artifact: names only.
    expect(JSON.stringify(events)).not.toContain(SECRET);
    engines.splice(engines.indexOf(engine), 1);
    await engine.close();
    const files = await filesBelow(join(home, 'data'));
    expect([...files.keys()].some((path) => path.endsWith('.meta.json'))).toBe(true);
    for (const [path, text] of files) expect(text.includes(SECRET), path).toBe(false);
  });

  it('lacks a secret whose value cannot be had, and says so', async () => {
    await codex(COMPLETE);
    const engine = await openWith({}, { environments: { codex: [{ name: 'API_KEY', value: null }] } });
    const invocation = await turnOf(engine);
    expect(invocation.started?.environment).not.toContain('API_KEY');
    expect(notices(invocation).join()).toContain('The secret API_KEY has no value');
  });

  it('counts for whether the agent is signed in', async () => {
    await codex(COMPLETE);
    const engine = await openWith({}, { environments: { codex: [{ name: 'CODEX_API_KEY', value: 'x' }] } });
    const listed = await engine.call('listAgents', {});
    const status = listed.ok ? listed.value.agents.find(({ id }) => id === 'codex') : undefined;
    expect(status?.availability).toMatchObject({ kind: 'found', signIn: { state: 'signed-in' } });
  });
});

describe('a turn that is sent while the login shell is being asked', () => {
  const shellThat = async (body: string) => {
    const path = join(home, 'shell');
    await writeFile(path, `#!/bin/sh\n${body}\n`);
    await chmod(path, 0o755);
    return path;
  };

  it('waits for it, and runs with its PATH', async () => {
    await codex(`printf '%s' "$PATH" > '${home}/seen'\n${COMPLETE}`);
    const shell = await shellThat('export PATH="$HOME/of-the-shell:$PATH"; shift 3; eval "$1"');
    const env = { SHELL: shell, PATH: `${bin}:/usr/bin:/bin`, HOME: home, LANG: 'C.UTF-8' };
    const invocation = await turnOf(await openWith({ env, askLoginShell: true }));
    expect((await readFile(join(home, 'seen'), 'utf8')).split(':')[0]).toBe(join(home, 'of-the-shell'));
    expect(notices(invocation)).toEqual([]);
  });

  it('runs without it when it does not answer, and says so', async () => {
    await codex(COMPLETE);
    const shell = await shellThat('exit 1');
    const env = { SHELL: shell, PATH: `${bin}:/usr/bin:/bin`, HOME: home, LANG: 'C.UTF-8' };
    const invocation = await turnOf(await openWith({ env, askLoginShell: true }));
    expect(invocation.outcome).toMatchObject({ kind: 'completed' });
    expect(notices(invocation).join()).toContain(`The login shell ${shell} did not say its PATH`);
  });
});
