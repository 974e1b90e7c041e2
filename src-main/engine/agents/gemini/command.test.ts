import { describe, expect, test } from 'vitest';
import type { CommandLine, Invocation, SeatTurn } from '../agent.ts';
import { image, invocation, MINTED, SESSION, seat } from '../samples.ts';
import { geminiCommand } from './command.ts';

const EXECUTABLE = { program: '/usr/bin/gemini', args: [], env: {} };
const A = '/data/attachments/c/a.png';

function build(fields: Partial<Invocation> = {}, seatFields: Partial<SeatTurn> = {}): CommandLine {
  return geminiCommand(invocation(fields), seat(seatFields), EXECUTABLE);
}

describe('the words of the command line', () => {
  test('a first turn', () => {
    expect(build().args).toEqual([
      ...['--output-format', 'stream-json', '--skip-trust', '--approval-mode', 'plan'],
      ...['--admin-policy', '/data/artifacts/run-1/chat.policy.toml', `--session-id=${MINTED}`],
    ]);
  });

  test('a resumed turn is given the same mode, directories and model as the first', () => {
    const [first, resumed] = [null, SESSION].map(
      (sessionId) => build({ allowWrite: true, attachments: [A] }, { sessionId, model: 'm-1' }).args,
    );
    expect(first?.at(-1)).toBe(`--session-id=${MINTED}`);
    expect(resumed?.at(-1)).toBe(`--resume=${SESSION}`);
    expect(resumed?.slice(0, -1)).toEqual(first?.slice(0, -1));
    expect(resumed).toContain('yolo');
    expect(resumed).toContain('--model=m-1');
  });

  test('nothing that the operator wrote becomes a word of its own', () => {
    const { args, stdin } = build({}, { model: '--yolo' });
    expect(args).not.toContain('--help');
    expect(args).not.toContain('--yolo');
    expect(args).toContain('--model=--yolo');
    expect(stdin).toBe('prompt');
  });

  test('without sessions a known session is left alone', () => {
    expect(build({ sessions: false }, { sessionId: SESSION }).args).toContain(`--session-id=${MINTED}`);
  });

  test('what must stand before the agent’s own words does', () => {
    const executable = { program: 'node', args: ['gemini.js'], env: { A: '1' } };
    expect(geminiCommand(invocation(), seat(), executable)).toMatchObject({
      program: 'node',
      args: expect.arrayContaining(['gemini.js']),
      env: { A: '1' },
    });
  });
});

describe('grants', () => {
  test('a turn without attachments outside has none', () => {
    const { args, grants } = build({}, { images: [image('/src/shop/a.png')] });
    expect(grants).toEqual([]);
    expect(args).not.toContain('--include-directories');
  });

  test('the directory of the attachments is granted, once, and nothing above or beside it', () => {
    const { args, grants, routes } = build({ attachments: [A, '/data/attachments/c/b.png'] }, { images: [image(A)] });
    expect(grants).toMatchObject([
      { directory: '/data/attachments/c', right: 'read', expressedAs: '--include-directories' },
    ]);
    expect(args.filter((word) => word.startsWith('/data'))).toEqual([
      '/data/artifacts/run-1/chat.policy.toml',
      '/data/attachments/c',
    ]);
    expect(routes).toEqual(['mention']);
  });

  test('a directory that the CLI would split is not granted, and the operator is told', () => {
    const path = '/a,b/attachments/c/a.png';
    const { args, grants, routes, caveats } = build({ attachments: [path] }, { images: [image(path)] });
    expect(grants).toEqual([]);
    expect(args).not.toContain('--include-directories');
    expect(routes).toEqual(['tool']);
    expect(caveats.join(' ')).toContain('comma');
  });

  test('what a mention cannot name is left to the file tool', () => {
    const path = '/data/att[1]/c/a.png';
    expect(build({ attachments: [path] }, { images: [image(path), image(A)] }).routes).toEqual(['tool', 'tool']);
  });
});

describe('the rules', () => {
  const rulesOf = (commandLine: CommandLine) => commandLine.files?.map(({ text }) => text).join('') ?? '';
  /** What each rule's pattern is tried with: the arguments of a call as the CLI writes them. */
  const patternsOf = (commandLine: CommandLine) =>
    [...rulesOf(commandLine).matchAll(/^argsPattern = (".*")$/gm)].map((match) => String(JSON.parse(match[1] ?? '""')));
  const denies = (commandLine: CommandLine, file_path: string) =>
    patternsOf(commandLine).some((pattern) =>
      new RegExp(pattern).test(`{"content":"x","file_path":${JSON.stringify(file_path)}}`),
    );

  test('a read-only seat cannot leave plan mode, write or run anything', () => {
    const rules = rulesOf(build());
    for (const tool of ['exit_plan_mode', 'enter_plan_mode', 'write_file', 'replace', 'run_shell_command']) {
      expect(rules).toContain(`"${tool}"`);
    }
    expect(rules).toContain('mcpName = "*"');
    expect(rules.match(/decision = "deny"\npriority = 999/g)).toHaveLength(2);
  });

  test('there is no read-only seat without them', () => {
    expect(() => build({ artifactsDir: '/a,b/artifacts/run-1' })).toThrow('comma');
    expect(build({ artifactsDir: '/a,b/artifacts/run-1', allowWrite: true }).args).not.toContain('--admin-policy');
  });

  test('the file tools of a seat that can write are kept out of Parley’s data, wherever it lies', () => {
    const outside = build({ allowWrite: true, attachments: [A] });
    for (const path of [A, '/data', '/data/parley.db', '/src/shop/../../data/x', '../data/x', '..']) {
      expect(denies(outside, path), path).toBe(true);
    }
    for (const path of ['/database', '/src/shop/data/x', 'data/x', 'a..b', '..x', '.env']) {
      expect(denies(outside, path), path).toBe(false);
    }
    const inside = build({ allowWrite: true, cwd: '/home/o', artifactsDir: '/home/o/.local/parley/artifacts/run-1' });
    for (const path of ['.local/parley/x', './.local/parley', '/home/o/.local/parley/x']) {
      expect(denies(inside, path), path).toBe(true);
    }
    for (const path of ['.local/parley2', '.local/x']) expect(denies(inside, path), path).toBe(false);
    const windows = build({ allowWrite: true, artifactsDir: 'C:\\P (x)+\\artifacts/run-1' });
    expect(patternsOf(windows).every((pattern) => new RegExp(pattern) instanceof RegExp)).toBe(true);
  });

  test('no pattern is one that the CLI passes over as unsafe (gemini-cli 0.61)', () => {
    const patterns = patternsOf(
      build({ allowWrite: true, cwd: '/home/o', artifactsDir: '/home/o/a (b)+/x*/artifacts/r' }),
    );
    expect(patterns.length).toBeGreaterThan(3);
    for (const pattern of patterns) expect(pattern).not.toMatch(/\([^)]*[*+?{].*\)[*+?{]/);
  });
});

describe('what stays open is said', () => {
  const caveats = (fields: Partial<Invocation>) => build(fields).caveats.join('\n');

  test('to a seat that can write: commands without a sandbox', () => {
    expect(caveats({ allowWrite: true })).toContain('without a sandbox');
    expect(caveats({})).not.toContain('without a sandbox');
  });

  test('to every seat: what the working directory starts', () => {
    for (const allowWrite of [true, false]) expect(caveats({ allowWrite })).toContain('hooks and MCP servers');
  });

  test('of a message: an @ that had to be escaped, and what is cut off', () => {
    expect(caveats({ prompt: 'Ask \\@alice' })).toContain('\\@name');
    expect(caveats({ prompt: 'Ask alice' })).not.toContain('@name');
    expect(caveats({ prompt: 'ä'.repeat(4 * 1024 * 1024 + 1) })).toContain('cut off');
    expect(caveats({ prompt: 'ä'.repeat(4 * 1024 * 1024) })).not.toContain('cut off');
  });
});
