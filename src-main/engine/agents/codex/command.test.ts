import { describe, expect, test } from 'vitest';
import { image, invocation, SESSION, seat } from '../samples.ts';
import { codexCommand } from './command.ts';

const EXECUTABLE = { program: '/usr/bin/codex', args: [], env: {} };

const A = '/data/attachments/c/a.png';
const B = '/data/attachments/c/b.png';

describe('the words of the command line', () => {
  test('a first turn', () => {
    expect(codexCommand(invocation(), seat(), EXECUTABLE).args).toEqual([
      ...['exec', '--json', '--skip-git-repo-check', '-C', '/src/shop', '-s', 'read-only'],
      ...['-c', 'approval_policy="never"', '-'],
    ]);
  });

  test('no image flag stands where it would take the prompt’s dash for another file', () => {
    const { args } = codexCommand(invocation(), seat({ images: [image(A), image(B)] }), EXECUTABLE);
    expect(args.slice(3, 8)).toEqual(['-i', A, '-i', B, '-C']);
    expect(args.at(-1)).toBe('-');
  });

  test('on a resumed turn every option of exec stands before `resume`, and the images after it', () => {
    const { args } = codexCommand(
      invocation({ allowWrite: true }),
      seat({ sessionId: SESSION, model: 'm-1', images: [image(A)] }),
      EXECUTABLE,
    );
    const resume = args.indexOf('resume');
    expect(args.slice(resume)).toEqual(['resume', SESSION, '-i', A, '-']);
    for (const option of ['-C', '-s', '-c', '--model=m-1']) expect(args.lastIndexOf(option)).toBeLessThan(resume);
  });

  test('a first and a resumed turn have the same directory, model and sandbox', () => {
    const turn = invocation({ allowWrite: true });
    const first = codexCommand(turn, seat({ model: 'm-1' }), EXECUTABLE).args;
    const resumed = codexCommand(turn, seat({ model: 'm-1', sessionId: SESSION }), EXECUTABLE).args;
    expect(resumed.slice(0, resumed.indexOf('resume'))).toEqual(first.slice(0, -1));
  });

  test('nothing that the operator wrote becomes a word of its own', () => {
    const { args, stdin } = codexCommand(invocation(), seat({ model: '--yolo' }), EXECUTABLE);
    expect(args).not.toContain('--help');
    expect(args).not.toContain('--yolo');
    expect(args).toContain('--model=--yolo');
    expect(stdin).toBe('prompt');
  });

  test('without sessions a known session is left alone', () => {
    expect(codexCommand(invocation({ sessions: false }), seat({ sessionId: SESSION }), EXECUTABLE).args).not.toContain(
      'resume',
    );
  });

  test('what must stand before the agent’s own words does', () => {
    const { program, args, env } = codexCommand(invocation(), seat(), {
      program: 'node',
      args: ['codex.js'],
      env: { A: '1' },
    });
    expect([program, ...args.slice(0, 2)]).toEqual(['node', 'codex.js', 'exec']);
    expect(env).toEqual({ A: '1' });
  });

  test('a path that Codex would split is left to its tool, and the receipt says so', () => {
    const { args, routes } = codexCommand(invocation(), seat({ images: [image('/a,b/x.png'), image(A)] }), EXECUTABLE);
    expect(routes).toEqual(['tool', 'flag']);
    expect(args.filter((word) => word === '-i')).toHaveLength(1);
    expect(args).not.toContain('/a,b/x.png');
  });
});

describe('grants', () => {
  test('a read-only turn without attachments outside has none', () => {
    expect(codexCommand(invocation(), seat({ images: [image('/src/shop/a.png')] }), EXECUTABLE).grants).toEqual([]);
  });

  test('attachments outside the working directory are one reading grant of their directory', () => {
    const { grants } = codexCommand(invocation({ attachments: [A, B] }), seat(), EXECUTABLE);
    expect(grants).toMatchObject([{ directory: '/data/attachments/c', right: 'read', expressedAs: 'none needed' }]);
  });

  test('no attachment ever makes its directory writable', () => {
    const { args } = codexCommand(invocation({ allowWrite: true, attachments: [A] }), seat(), EXECUTABLE);
    expect(args).not.toContain('--add-dir');
    expect(args.join(' ')).not.toContain('/data');
  });

  test('a seat that can write is shown the temporary directory that Codex lets it write', () => {
    const { grants, env } = codexCommand(invocation({ allowWrite: true }), seat(), EXECUTABLE);
    expect(grants).toMatchObject([{ directory: '/tmp', right: 'write', expressedAs: '-s workspace-write' }]);
    expect(env).toEqual({ TMPDIR: '/tmp' });
  });
});

describe('where Parley’s own data lies in a place that Codex can write', () => {
  const profile = (data: string) => [
    ...['-c', 'default_permissions="parley"', '-c'],
    `permissions.parley={extends=":workspace", filesystem={${JSON.stringify(data)}="read"}}`,
  ];

  test.each([
    ['below the temporary directory', '/src/shop', '/tmp/p q'],
    ['below what macOS calls so', '/src/shop', '/private/tmp/p'],
    ['below the working directory', '/home/o', '/home/o/.local/share/parley'],
  ])('%s it stays readable only', (_where, cwd, data) => {
    const { args } = codexCommand(
      invocation({
        cwd,
        allowWrite: true,
        artifactsDir: `${data}/artifacts/run-1`,
        attachments: [`${data}/attachments/c/a.png`],
      }),
      seat({ sessionId: SESSION }),
      EXECUTABLE,
    );
    // `-s` would outrank the profile (codex-cli 0.171).
    expect(args).not.toContain('-s');
    expect(args.join('\n')).toContain(profile(data).join('\n'));
    expect(args.indexOf('resume')).toBeGreaterThan(args.lastIndexOf('-c'));
  });

  test('a read-only turn needs no profile', () => {
    const { args } = codexCommand(invocation({ artifactsDir: '/tmp/p/artifacts/run-1' }), seat(), EXECUTABLE);
    expect(args).toContain('read-only');
    expect(args.join(' ')).not.toContain('permissions');
  });
});
