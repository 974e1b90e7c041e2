import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './app.ts';
import { articles, messageBox, send, seriousFindings, untilIdle } from './operator.ts';

/** A program of the operator's, from its description in the settings to the evidence of what it did. */

/** Speaks Codex's event format, so that there is evidence; without `--events` all that it prints is its answer. */
const PROGRAM = `#!/usr/bin/env node
const { readFileSync } = require('node:fs');
const args = process.argv.slice(2);
const message = readFileSync(0, 'utf8').split('\\n')[0];
const said = 'Heard “' + message + '” with ' + JSON.stringify(args);
if (!args.includes('--events')) {
  process.stdout.write('\\u001b[32m' + said + '\\u001b[0m\\n');
} else {
  const line = (event) => console.log(JSON.stringify(event));
  line({ type: 'thread.started', thread_id: 'session-of-my-own' });
  line({ type: 'item.completed', item: { id: 'c', type: 'command_execution', command: 'make check', aggregated_output: 'broken', exit_code: 2, status: 'failed' } });
  line({ type: 'item.completed', item: { id: 'm', type: 'agent_message', text: said } });
  line({ type: 'turn.completed', usage: { input_tokens: 1, output_tokens: 2 } });
}
`;

async function installProgram(home: string): Promise<string> {
  const directory = join(home, 'own programs');
  await mkdir(directory, { recursive: true });
  const path = join(directory, 'my-agent');
  await writeFile(path, PROGRAM);
  await chmod(path, 0o755);
  return path;
}

async function openCommands(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Settings' }).click();
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('tab', { name: 'Commands' }).click();
  return settings;
}

async function useTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.evaluate((chosen) => window.parley?.call('setPreferences', { preferences: { theme: chosen } }), theme);
  await expect.poll(() => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe(theme);
}

test('a program is described, tried, given a seat, and leaves evidence', async ({ launch, home }) => {
  const program = await installProgram(home);
  const cwd = join(home, 'work-tree');
  await mkdir(cwd);
  const { page } = await launch();

  const settings = await openCommands(page);
  await expect(settings).toContainText('No command is described yet.');
  await settings.getByRole('button', { name: 'Add command' }).click();
  const form = settings.getByRole('form', { name: 'New command' });
  const template = form.getByRole('textbox', { name: 'Arguments', exact: true });
  await form.getByRole('textbox', { name: 'Program' }).fill(program);
  await expect(form).toContainText(`Found: ${program}`);
  await template.fill('--events "two words" -i {attachment} {oops}');
  await expect(form).toContainText('{oops} is none of the places that are known');

  // Refused with what is wrong; nothing that was typed is lost, not even when the dialog is closed.
  await form.getByRole('button', { name: 'Save command' }).click();
  await expect(form.getByRole('list', { name: 'What keeps it from being saved' })).toContainText('Give it a name.');
  await page.keyboard.press('Escape');
  await expect(settings).toBeHidden();
  await openCommands(page);
  await expect(template).toHaveValue('--events "two words" -i {attachment} {oops}');

  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('My agent');
  await template.fill('--events "two words" -i {attachment}');
  const words = form.getByRole('list', { name: 'A turn with two images and a model' });
  await expect(words.getByRole('listitem').nth(2)).toHaveText('two words');
  await expect(words.getByRole('listitem')).toHaveCount(7);
  await form.getByRole('combobox', { name: 'What it prints' }).selectOption({ label: 'Events of Codex (exec --json)' });
  await form.getByRole('radio', { name: 'By an id it reports' }).check();
  const later = form.getByRole('textbox', { name: 'Arguments of later turns' });
  await later.fill('--events ');
  await expect(form).toContainText('A turn that goes on with a session has to name it');
  await form
    .getByRole('list', { name: 'Places for Arguments of later turns' })
    .getByRole('button', { name: 'Put in {session}' })
    .click();
  await expect(later).toHaveValue('--events {session}');
  for (const theme of ['light', 'dark'] as const) {
    await useTheme(page, theme);
    expect(await seriousFindings(page), theme).toEqual([]);
  }
  await form.getByRole('button', { name: 'Save command' }).click();

  const list = settings.getByRole('list', { name: 'Commands' });
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await list.getByRole('button', { name: 'Duplicate My agent' }).click();
  await expect(form.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('My agent copy');
  await form.getByRole('button', { name: 'Cancel' }).click();
  await page
    .getByRole('alertdialog', { name: 'Discard what you wrote?' })
    .getByRole('button', { name: 'Discard' })
    .click();
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await list.getByRole('button', { name: 'Try it: My agent' }).click();
  const trial = list.getByRole('region', { name: 'Trial of My agent' });
  await expect(trial).toContainText('It works: My agent answered.');
  await expect(trial).toContainText('Heard “This is a trial.');
  await trial.getByRole('button', { name: 'Open the conversation' }).click();
  await expect(settings).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Trial of My agent' })).toBeVisible();
  await expect(articles(page, 'My agent')).toContainText('two words');

  await page.getByRole('button', { name: 'New conversation' }).click();
  const dialog = page.getByRole('dialog', { name: 'New conversation' });
  await dialog.getByRole('textbox', { name: 'Working directory' }).fill(cwd);
  await dialog.getByRole('radio', { name: 'My agent', exact: true }).check();
  await dialog.getByRole('button', { name: 'Start' }).click();
  await expect(messageBox(page)).toBeFocused();
  await send(page, 'first {cwd} --help');
  await expect(articles(page, 'My agent')).toContainText('Heard “first {cwd} --help” with ["--events","two words"]');
  await untilIdle(page);
  await send(page, 'second');
  await expect(articles(page, 'My agent').last()).toContainText('with ["--events","session-of-my-own"]');
  await untilIdle(page);

  const review = page.getByRole('complementary', { name: 'Review' });
  await review.getByRole('tab', { name: 'Evidence' }).click();
  const evidence = review.getByRole('table', { name: 'Command evidence' });
  await expect(evidence).toContainText('make check');
  await expect(evidence.getByRole('row').last()).toContainText('codex');
  await review.getByRole('tab', { name: 'Run' }).click();
  await expect(review).toContainText(`'${program}' --events session-of-my-own`);
  await expect(review).toContainText('Parley puts no sandbox around a command of your own');

  // Removed, it is said where it is missed, and the conversation stays.
  await openCommands(page);
  await list.getByRole('button', { name: 'Remove My agent' }).click();
  const confirmation = page.getByRole('alertdialog', { name: 'Remove My agent?' });
  await expect(confirmation).toContainText('no longer described');
  await confirmation.getByRole('button', { name: 'Remove' }).click();
  await expect(settings).toContainText('No command is described yet.');
  await page.keyboard.press('Escape');
  await send(page, 'third');
  const failure = articles(page, 'My agent').last().getByRole('alert');
  await expect(failure).toContainText('What My agent runs is no longer described in the settings.');
  await failure.getByRole('button', { name: 'Check commands' }).click();
  await expect(settings.getByRole('tab', { name: 'Commands' })).toHaveAttribute('data-state', 'active');
});
