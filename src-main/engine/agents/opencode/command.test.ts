import { describe, expect, test } from 'vitest';
import type { CommandLine } from '../agent.ts';
import { image, invocation, seat } from '../samples.ts';
import { openCodeCommand } from './command.ts';

const EXECUTABLE = { program: '/usr/bin/opencode', args: [], env: {} };

const A = '/data/attachments/c/a.png';
const B = '/data/attachments/c/b, "x" $y.png';

function rulesOf(commandLine: CommandLine): Record<string, unknown> {
  return JSON.parse(commandLine.env.OPENCODE_PERMISSION ?? '');
}

function configOf(commandLine: CommandLine): Record<string, unknown> {
  return JSON.parse(commandLine.env.OPENCODE_CONFIG_CONTENT ?? '');
}

describe('the words of the command line', () => {
  const base = ['run', '--format=json', '--thinking', '--print-logs', '--log-level=ERROR', '--dir=/src/shop'];

  test('a first turn that may read, and one that may write', () => {
    expect(openCodeCommand(invocation(), seat(), EXECUTABLE).args).toEqual([...base, '--agent=plan']);
    expect(openCodeCommand(invocation({ allowWrite: true }), seat(), EXECUTABLE).args).toEqual([...base, '--auto']);
  });

  test('a resumed turn has the same words, and its session', () => {
    const first = openCodeCommand(invocation(), seat({ model: 'p/m' }), EXECUTABLE).args;
    const resumed = openCodeCommand(invocation(), seat({ model: 'p/m', sessionId: 'ses_1' }), EXECUTABLE).args;
    expect(resumed).toEqual([...first, '--session=ses_1']);
  });

  test('nothing that the operator wrote becomes a word of its own', () => {
    const { args, stdin } = openCodeCommand(
      invocation(),
      seat({ model: '--auto', images: [image(A), image(B)] }),
      EXECUTABLE,
    );
    expect(args).not.toContain('--help');
    expect(args).not.toContain('--auto');
    expect(args.slice(-3)).toEqual(['--model=--auto', `--file=${A}`, `--file=${B}`]);
    expect(stdin).toBe('prompt');
  });

  test('without sessions a known session is left alone', () => {
    const { args } = openCodeCommand(invocation({ sessions: false }), seat({ sessionId: 'ses_1' }), EXECUTABLE);
    expect(args.join(' ')).not.toContain('ses_1');
  });

  test('what must stand before the agent’s own words does', () => {
    const executable = { program: 'node', args: ['opencode.js'], env: { A: '1' } };
    const { program, args, env } = openCodeCommand(invocation(), seat(), executable);
    expect([program, ...args.slice(0, 2)]).toEqual(['node', 'opencode.js', 'run']);
    expect(env.A).toBe('1');
  });
});

describe('what a seat may do', () => {
  test('a read-only seat has no edits, commands, subagents and MCP tools, for all agents and for its own', () => {
    const commandLine = openCodeCommand(invocation(), seat(), EXECUTABLE);
    const rules = rulesOf(commandLine);
    expect(rules).toMatchObject({ '*_*': 'deny', 'edi?': 'deny', 'bas?': 'deny', 'tas?': 'deny' });
    expect(configOf(commandLine).agent).toEqual({ plan: { disable: false, mode: 'primary', permission: rules } });
    // The pattern for MCP tools fits two more, which have rules of their own behind it.
    expect(Object.keys(rules).indexOf('external_director?')).toBeGreaterThan(Object.keys(rules).indexOf('*_*'));
    expect(Object.keys(rules).indexOf('doom_loo?')).toBeGreaterThan(Object.keys(rules).indexOf('*_*'));
  });

  test('no rule stands under a name that the operator’s configuration can have', () => {
    for (const allowWrite of [false, true]) {
      const rules = rulesOf(openCodeCommand(invocation({ allowWrite, attachments: [A] }), seat(), EXECUTABLE));
      for (const name of Object.keys(rules)) expect(name).toMatch(/[*?]/);
    }
  });

  test('the project’s own configuration is left out of a read-only seat alone, but for its instructions', () => {
    const reading = openCodeCommand(invocation(), seat(), EXECUTABLE);
    expect(reading.env.OPENCODE_DISABLE_PROJECT_CONFIG).toBe('1');
    expect(configOf(reading).instructions).toEqual(['/src/shop/AGENTS.md']);
    const writing = openCodeCommand(invocation({ allowWrite: true }), seat(), EXECUTABLE);
    expect(writing.env).not.toHaveProperty('OPENCODE_DISABLE_PROJECT_CONFIG');
  });

  test('a seat that can write keeps the operator’s own rules, and its tools leave Parley’s data alone', () => {
    const rules = rulesOf(openCodeCommand(invocation({ allowWrite: true }), seat(), EXECUTABLE));
    expect(Object.keys(rules).sort()).toEqual(['edi?', 'external_director?', 'rea?']);
    // As seen from the working directory, from above it and from the root: wherever the repository begins.
    expect(rules['edi?']).toEqual({ '../../data/*': 'deny', '../data/*': 'deny', 'data/*': 'deny' });
  });

  test('where Parley’s data lies below the working directory it is left alone there', () => {
    const inside = invocation({ cwd: '/home/o', allowWrite: true, artifactsDir: '/home/o/.data/parley/artifacts/r' });
    expect(rulesOf(openCodeCommand(inside, seat(), EXECUTABLE))['edi?']).toMatchObject({ '.data/parley/*': 'deny' });
  });

  test('each says what it leaves open', () => {
    const reading = openCodeCommand(invocation(), seat(), EXECUTABLE).caveats.join(' ');
    const writing = openCodeCommand(invocation({ allowWrite: true }), seat(), EXECUTABLE).caveats.join(' ');
    expect(reading).not.toContain('without a sandbox');
    expect(writing).toContain('without a sandbox');
    for (const caveats of [reading, writing]) expect(caveats).toContain('git repository');
  });
});

describe('grants', () => {
  test('without attachments outside nothing outside is allowed', () => {
    const commandLine = openCodeCommand(invocation(), seat({ images: [image('/src/shop/a.png')] }), EXECUTABLE);
    expect(commandLine.grants).toEqual([]);
    expect(rulesOf(commandLine)['external_director?']).toEqual({ '*': 'deny' });
    expect(commandLine.routes).toEqual(['flag']);
  });

  test.each([false, true])(
    'attachments outside are one reading grant of their directory alone (write: %s)',
    (allowWrite) => {
      const commandLine = openCodeCommand(invocation({ allowWrite, attachments: [A, B] }), seat(), EXECUTABLE);
      expect(commandLine.grants).toMatchObject([
        { directory: '/data/attachments/c', right: 'read', expressedAs: 'OPENCODE_PERMISSION' },
      ]);
      const rules = rulesOf(commandLine);
      expect(rules['external_director?']).toEqual({ '*': 'deny', '/data/attachments/c/**': 'allow' });
      expect(Object.entries(rules['rea?'] ?? {})).toEqual([
        ...['../../data/*', '../data/*', 'data/*'].map((own) => [own, 'deny']),
        ...['../../data', '../data', 'data'].map((data) => [`${data}/attachments/c/*`, 'allow']),
      ]);
    },
  );

  test('a directory whose name would be a pattern is not granted, and that is said', () => {
    const odd = invocation({ attachments: ['/da?a/attachments/c/a.png'], artifactsDir: '/da?a/artifacts/r' });
    const commandLine = openCodeCommand(odd, seat({ images: [image('/da?a/attachments/c/a.png')] }), EXECUTABLE);
    expect(commandLine.grants).toEqual([]);
    expect(rulesOf(commandLine)['external_director?']).toEqual({ '*': 'deny' });
    expect(commandLine.caveats.join(' ')).toContain('cannot open their files again');
    expect(commandLine.routes).toEqual(['flag']);
  });
});
