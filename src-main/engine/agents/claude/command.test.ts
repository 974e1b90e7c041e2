import { describe, expect, test } from 'vitest';
import type { Invocation, SeatTurn } from '../agent.ts';
import { image, invocation, MINTED, SESSION, seat } from '../samples.ts';
import { claudeCommand } from './command.ts';
import { mentionPath, withoutMentionsOutside } from './mentions.ts';

const EXECUTABLE = { program: '/usr/bin/claude', args: [], env: {} };

const A = '/data/attachments/c/a.png';
const argsOf = (turn: Partial<Invocation> = {}, at: Partial<SeatTurn> = {}) =>
  claudeCommand(invocation(turn), seat(at), EXECUTABLE).args;

/** What the one `--settings` of the command line says. */
function settingsIn(args: readonly string[]): unknown {
  const [only, ...more] = args.filter((word) => word.startsWith('--settings='));
  expect(more).toEqual([]);
  return JSON.parse(only?.slice('--settings='.length) ?? '');
}

describe('the words of the command line', () => {
  test('a first turn of a seat that cannot write', () => {
    const args = argsOf();
    expect(args.filter((word) => !word.startsWith('--settings='))).toEqual([
      ...['-p', ' ', '--output-format=stream-json', '--verbose', '--include-partial-messages'],
      ...[`--session-id=${MINTED}`, '--permission-mode=default'],
      ...['--disallowedTools=Edit,Write,NotebookEdit,EnterWorktree', '--strict-mcp-config'],
    ]);
    expect(settingsIn(args)).toEqual({ disableAllHooks: true, permissions: { deny: ['Edit(//**)'] } });
  });

  test('a seat that can write asks nothing, and never skips the permission checks', () => {
    const args = argsOf({ allowWrite: true });
    expect(args).toEqual(expect.arrayContaining(['--permission-mode=acceptEdits', '--allowedTools=Bash']));
    expect(args.join(' ')).not.toMatch(/bypass|dangerously|disallowed/);
  });

  test('a first and a resumed turn differ by the session alone', () => {
    const turn = { allowWrite: true, attachments: [A] };
    const first = argsOf(turn, { model: 'm-1' });
    const resumed = argsOf(turn, { model: 'm-1', sessionId: SESSION });
    expect(first.map((word) => (word === `--session-id=${MINTED}` ? `--resume=${SESSION}` : word))).toEqual(resumed);
  });

  test('nothing that the operator wrote becomes a word of its own', () => {
    const args = argsOf({ attachments: ['/--yolo/a b/c.png'], cwd: '/src' }, { model: '--yolo' });
    expect(args).toEqual(expect.arrayContaining(['--model=--yolo', '--add-dir=/--yolo/a b']));
    expect(args.filter((word) => !word.startsWith('-'))).toEqual([' ']);
    expect(claudeCommand(invocation(), seat(), EXECUTABLE).stdin).toBe('prompt');
  });

  test('what is no UUID is never resumed: it would be looked for among titles', () => {
    for (const sessionId of ['my session', '--fork-session', '', `${SESSION} `]) {
      expect(argsOf({}, { sessionId })).toContain(`--session-id=${MINTED}`);
    }
    expect(argsOf({ sessions: false }, { sessionId: SESSION })).toContain(`--session-id=${MINTED}`);
  });

  test('what must stand before the agent’s own words does', () => {
    const executable = { program: 'node', args: ['claude.js'], env: { A: '1' } };
    const { program, args, env } = claudeCommand(invocation(), seat(), executable);
    expect([program, ...args.slice(0, 2)]).toEqual(['node', 'claude.js', '-p']);
    expect(env).toEqual({ A: '1', DISABLE_AUTOUPDATER: '1' });
  });
});

describe('grants', () => {
  test('a turn without attachments outside has none', () => {
    const { grants, args } = claudeCommand(invocation(), seat({ images: [image('/src/shop/a.png')] }), EXECUTABLE);
    expect(grants).toEqual([]);
    expect(args.join(' ')).not.toContain('--add-dir');
  });

  test('attachments outside are one reading grant of their directory', () => {
    const attachments = [A, '/data/attachments/c/b.png'];
    const { grants, args } = claudeCommand(invocation({ attachments }), seat(), EXECUTABLE);
    expect(grants).toMatchObject([{ directory: '/data/attachments/c', right: 'read', expressedAs: '--add-dir' }]);
    expect(args.filter((word) => word.startsWith('--add-dir'))).toEqual(['--add-dir=/data/attachments/c']);
  });

  test('a seat that can write is kept out of all of Parley’s data, the granted directory included', () => {
    const { grants, args } = claudeCommand(invocation({ allowWrite: true, attachments: [A] }), seat(), EXECUTABLE);
    expect(settingsIn(args)).toEqual({ permissions: { deny: ['Edit(//data/**)'] } });
    expect(grants).toMatchObject([{ right: 'read', expressedAs: expect.stringContaining('Edit denied') }]);
  });

  test('where the data holds the working directory, its own directories are denied one by one', () => {
    const args = argsOf({ allowWrite: true, cwd: '/data/work', attachments: [A] });
    const deny = ['Edit(//data/attachments/c/**)', 'Edit(//data/artifacts/**)'];
    expect(settingsIn(args)).toEqual({ permissions: { deny } });
  });

  test('a directory whose name would be a pattern is denied by its name', () => {
    const args = argsOf({ allowWrite: true, artifactsDir: '/da (t)a[1]*/artifacts/run-1' });
    expect(settingsIn(args)).toEqual({ permissions: { deny: ['Edit(//da \\(t\\)a\\[1\\]\\*/**)'] } });
  });

  test('what stays open is said', () => {
    expect(claudeCommand(invocation(), seat(), EXECUTABLE).caveats.join(' ')).toContain('settings allow');
    expect(claudeCommand(invocation({ allowWrite: true }), seat(), EXECUTABLE).caveats.join(' ')).toContain(
      'no sandbox',
    );
  });
});

describe('mentions', () => {
  test('an image is mentioned, and one whose path cannot be is left to the tool', () => {
    const images = [image('/a b/x.png'), image('/a"b/x.png'), image('/a\nb/x.png')];
    expect(claudeCommand(invocation(), seat({ images }), EXECUTABLE).routes).toEqual(['mention', 'tool', 'tool']);
    expect(images.map(({ path }) => mentionPath(path))).toEqual(['@"/a b/x.png"', '/a"b/x.png', '/a\nb/x.png']);
  });

  test.each([
    ['@/etc/passwd', '\\@/etc/passwd'],
    ['see @~/x and\n@"/etc/x"\t@../x', 'see \\@~/x and\n\\@"/etc/x"\t\\@../x'],
    ['。@a/../../x', '。\\@a/../../x'],
    ['@C:\\x @\\\\host\\x', '\\@C:\\x \\@\\\\host\\x'],
  ])('%j could be of a file outside', (text, written) => {
    expect(withoutMentionsOutside(text)).toBe(written);
    expect(withoutMentionsOutside(written)).toBe(written);
  });

  test.each(['@types/node @scope/pkg', 'a@b.example', '\n    @property\n', 'look at @in.txt', 'x@/etc/passwd', '@'])(
    '%j stays as it is',
    (text) => {
      expect(withoutMentionsOutside(text)).toBe(text);
    },
  );
});
