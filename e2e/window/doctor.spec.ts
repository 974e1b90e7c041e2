import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { expect, test } from './app.ts';
import { installFakeCodex, isAlive } from './fakeCodex.ts';
import { articles, seriousFindings } from './operator.ts';

/** The doctor: Settings, Agents, and `parley seats`; with programs on the PATH that print what a real CLI prints. */

const CLI = resolve(import.meta.dirname, '..', '..', 'dist', 'main', 'cli.mjs');
const settings = (page: Page) => page.getByRole('dialog', { name: 'Settings' });
const card = (page: Page, agent: string) => settings(page).getByRole('region', { name: agent, exact: true });

async function openAgents(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('tab', { name: 'Agents' }).click();
  await expect(card(page, 'Guide')).toBeVisible();
}

/** A machine of an operator: its own home, and a PATH on which only `bin`, Node and the system's programs lie. */
async function machine(home: string) {
  const user = join(home, 'user');
  const bin = join(user, 'tools');
  const codex = await installFakeCodex(bin);
  await symlink(process.execPath, join(bin, 'node'));
  const env = { HOME: user, PATH: `${bin}:/usr/bin:/bin`, LANG: 'C.UTF-8', TERM: 'dumb', CODEX_HOME: undefined };
  return { user, bin, codex, env };
}

async function program(path: string, body: string): Promise<void> {
  await writeFile(path, `#!/bin/sh\n${body}\n`);
  await chmod(path, 0o755);
}

test('says how each agent stands, and takes the one that is named', async ({ launch, home }) => {
  const { user, bin, codex, env } = await machine(home);
  const { page } = await launch({ env });
  await openAgents(page);

  const found = card(page, 'Codex');
  await expect(found).toContainText(codex.path);
  await expect(found).toContainText('0.171.0 The version that Parley was tested with.');
  await expect(found).toContainText('not signed in');
  await expect(found).toContainText(join(user, '.codex', 'auth.json'));
  const missing = card(page, 'Claude Code');
  await expect(missing).toContainText('not found');
  await expect(missing).toContainText('npm install -g @anthropic-ai/claude-code');
  await settings(page).getByText('Directories that are searched').click();
  await expect(settings(page).getByRole('region', { name: 'Searched directories' })).toContainText(bin);
  expect(await seriousFindings(page)).toEqual([]);

  // What is installed and signed in meanwhile is found when it is looked for again.
  await program(join(bin, 'claude'), 'echo "9.9.9 (Claude Code)"');
  await mkdir(join(user, '.codex'));
  await writeFile(join(user, '.codex', 'auth.json'), '{}');
  await settings(page).getByRole('button', { name: 'Find again' }).click();
  await expect(missing).toContainText(/9\.9\.9 Newer than .*, the version that Parley was tested with/);
  await expect(found.getByText('signed in', { exact: true })).toBeVisible();

  const executable = found.getByRole('textbox', { name: 'Executable of Codex' });
  const use = found.getByRole('button', { name: 'Use', exact: true });
  await executable.fill('bin/codex');
  await expect(executable).toHaveAccessibleDescription(/Give a whole path/);
  await expect(use).toBeDisabled();
  await executable.fill('~/nowhere/codex');
  await use.click();
  await expect(found.getByRole('alert')).toContainText(`${join(user, 'nowhere', 'codex')} is not there`);
  await mkdir(join(user, 'own'));
  await program(join(user, 'own', 'codex-nightly'), 'echo "codex-cli 0.170.3"');
  await executable.fill('~/own/codex-nightly');
  await executable.press('Enter');
  await expect(found).toContainText(join(user, 'own', 'codex-nightly'));
  await expect(found).toContainText('0.170.3 Older than 0.171.0');
  await found.getByRole('button', { name: 'Use the Codex that is found' }).click();
  await expect(found).toContainText(codex.path);
});

test('a login shell that takes its time holds nothing up', async ({ launch, home }) => {
  const { user, bin, env } = await machine(home);
  const shell = join(user, 'slow-shell');
  await program(shell, `echo $$ > '${user}/shell-pid'; exec sleep 600`);
  // As from a desktop icon: there is a shell, and no terminal.
  const { page, close } = await launch({ env: { ...env, SHELL: shell, TERM: undefined } });
  await openAgents(page);
  await settings(page).getByRole('button', { name: 'Find again' }).click();
  await expect(settings(page).getByRole('button', { name: 'Looking…' })).toBeVisible();
  await page.getByRole('tab', { name: 'General' }).click();
  await expect(settings(page).getByRole('radiogroup', { name: 'Theme' })).toBeVisible();
  await page.getByRole('tab', { name: 'Agents' }).click();
  await expect(settings(page)).toContainText(`The login shell ${shell} has not told its PATH yet.`);
  await expect(card(page, 'Codex')).toContainText(join(bin, 'codex'));
  const pid = Number(await readFile(join(user, 'shell-pid'), 'utf8'));
  expect(await isAlive(pid)).toBe(true);
  await close();
  await expect.poll(() => isAlive(pid)).toBe(false);
});

test('tries an agent with one real turn, that can be opened afterwards', async ({ launch, home }) => {
  const { bin, codex, env } = await machine(home);
  await program(join(bin, 'claude'), 'echo "you are not signed in" >&2; exit 1');
  const { page } = await launch({ env });
  await openAgents(page);

  await card(page, 'Claude Code').getByRole('button', { name: 'Try it: Claude Code' }).click();
  const failed = card(page, 'Claude Code').getByRole('alert');
  await expect(failed).toContainText('you are not signed in');

  // One that hangs has a way out.
  await program(join(bin, 'opencode'), 'if [ "$1" = --version ]; then echo 1.18.33; else exec sleep 600; fi');
  await page.getByRole('button', { name: 'Find again' }).click();
  await card(page, 'OpenCode').getByRole('button', { name: 'Try it: OpenCode' }).click();
  await card(page, 'OpenCode').getByRole('button', { name: 'Stop the trial of OpenCode' }).click();
  await expect(card(page, 'OpenCode').getByRole('alert')).toContainText('Stopped. Ended: sleep');

  // By the keyboard, and to the conversation that it was.
  await card(page, 'Codex').getByRole('button', { name: 'Try it: Codex' }).press('Enter');
  const trial = card(page, 'Codex').getByRole('region', { name: 'Trial of Codex' });
  await expect(trial).toContainText('It works: Codex answered.');
  await expect(trial).toContainText('Heard: This is a trial.');
  const [turn] = await codex.turns();
  expect(turn?.args).toEqual(expect.arrayContaining(['-s', 'read-only']));
  await trial.getByRole('button', { name: 'Open the conversation' }).click();
  await expect(settings(page)).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Trial of Codex' })).toBeVisible();
  await expect(articles(page, 'Codex')).toContainText('Heard: This is a trial.');
});

test('gives an agent variables, and keeps the value of a secret to itself', async ({ launch, home }) => {
  const SECRET = 'sk-nobody-may-see-this';
  const { user, bin, env } = await machine(home);
  // Prints what it was given, which is what no other part of Parley may have.
  await program(
    join(bin, 'codex'),
    `[ "$1" = --version ] && echo "codex-cli 0.171.0" && exit
cat > /dev/null
printf '%s\\n' "$OPENAI_BASE_URL" "$CODEX_API_KEY" "$CARGO_TARGET_DIR" "$MAGI_NODE" > '${user}/given'
echo '{"type":"thread.started","thread_id":"0199a213-81c0-7800-8aa1-000000000001"}'
echo '{"type":"item.completed","item":{"id":"i","type":"agent_message","text":"ready"}}'
echo '{"type":"turn.completed","usage":{}}'`,
  );
  const { page, close } = await launch({ env, args: ['--password-store=basic'] });
  await openAgents(page);
  const codex = card(page, 'Codex');
  await codex.getByText('Environment', { exact: true }).click();
  const name = codex.getByRole('textbox', { name: 'Name of a new variable' });
  const value = codex.getByLabel('Its value');
  const add = codex.getByRole('button', { name: 'Add variable' });

  for (const [wrong, sentence] of [
    ['MAGI_RUN', 'name the run'],
    ['PARLEY_INVOCATION', 'Parley’s own'],
    ['path', 'PATH is the login shell’s'],
    ['1ST', 'does not begin with a digit'],
  ] as const) {
    await name.fill(wrong);
    await add.click();
    await expect(codex.getByRole('alert')).toContainText(sentence);
  }
  await name.fill('OPENAI_BASE_URL');
  await value.fill('http://127.0.0.1:9/v1');
  await value.press('Enter');
  await name.fill('OPENAI_BASE_URL');
  await add.click();
  await expect(codex.getByRole('alert')).toContainText('There is a variable OPENAI_BASE_URL already.');
  await name.fill('CODEX_API_KEY');
  await codex.getByRole('checkbox', { name: 'Secret' }).check();
  await value.fill(SECRET);
  await add.click();
  const listed = codex.getByRole('list', { name: 'Environment of Codex' }).getByRole('listitem');
  await expect(listed).toHaveCount(2);
  await expect(listed.last()).toContainText('secret, until Parley ends');
  await expect(codex).toContainText('There is no keychain here');
  // A key signs it in, and the doctor sees that at once.
  await expect(codex.getByText('signed in', { exact: true })).toBeVisible();
  expect(await seriousFindings(page)).toEqual([]);

  await page.getByRole('tab', { name: 'General' }).click();
  const cache = page.getByRole('textbox', { name: 'Build cache' });
  await cache.fill(join(home, 'cache'));
  await cache.blur();
  await page.getByRole('tab', { name: 'Agents' }).click();
  await codex.getByRole('button', { name: 'Try it: Codex' }).click();
  await expect(codex.getByRole('region', { name: 'Trial of Codex' })).toContainText('It works');
  expect((await readFile(join(user, 'given'), 'utf8')).trim().split('\n')).toEqual([
    'http://127.0.0.1:9/v1',
    SECRET,
    join(home, 'cache'),
    'chat',
  ]);

  // It is in nothing that the window can ask for, and in no file.
  const answers = await page.evaluate(async () => {
    const calls = [
      window.parley?.call('getPreferences', {}),
      window.parley?.call('listSecrets', { scope: 'codex' }),
      window.parley?.call('secretStorage', {}),
      window.parley?.call('listConversations', {}),
    ];
    return JSON.stringify([await Promise.all(calls), document.documentElement.outerHTML]);
  });
  expect(answers).toContain('CODEX_API_KEY');
  expect(answers).not.toContain(SECRET);
  await close();
  for (const entry of await readdir(home, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || path === join(user, 'given')) continue;
    expect((await readFile(path, 'latin1')).includes(SECRET), path).toBe(false);
  }

  // Without a keychain it is gone with Parley, and said to be.
  const again = await launch({ env, args: ['--password-store=basic'] });
  await openAgents(again.page);
  await card(again.page, 'Codex').getByText('Environment (2)').click();
  await expect(card(again.page, 'Codex').getByRole('listitem').last()).toContainText('secret, no value');
  await card(again.page, 'Codex').getByRole('button', { name: 'Remove CODEX_API_KEY' }).click();
  await expect(card(again.page, 'Codex').getByRole('list', { name: 'Environment of Codex' })).not.toContainText(
    'CODEX_API_KEY',
  );
});

test('parley seats says the same, and tries an agent', async ({ home }) => {
  const { bin, codex, env } = await machine(home);
  const parley = async (...args: string[]) => {
    const run = promisify(execFile)(process.execPath, [CLI, ...args], { env: { ...env, PARLEY_HOME: home } });
    return run.then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
    );
  };
  const seats = await parley('seats');
  expect(seats.code).toBe(0);
  expect(seats.stdout).toContain('Codex (codex): found, not signed in');
  expect(seats.stdout).toContain(`path     ${codex.path}`);
  expect(seats.stdout).toContain('version  0.171.0. The version that Parley was tested with.');
  expect(seats.stdout).toContain('install  npm install -g @anthropic-ai/claude-code');
  expect(seats.stdout).toContain(`Searched, in this order\n  ${bin}\n`);
  const json = JSON.parse((await parley('seats', '--json')).stdout);
  expect(json.search.path[0]).toBe(bin);
  expect(json.agents).toContainEqual(expect.objectContaining({ id: 'codex', testedVersion: '0.171.0' }));

  const tried = await parley('seats', 'try', 'codex');
  expect(tried).toMatchObject({ code: 0, stdout: expect.stringContaining('Heard: This is a trial.') });
  const missing = await parley('seats', 'try', 'claude');
  expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('was not found on this machine') });
  expect((await parley('seats', 'try', 'nobody')).code).toBe(2);
});
