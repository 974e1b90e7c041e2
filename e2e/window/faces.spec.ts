import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './app.ts';
import { installFakeCodex, useCodex } from './fakeCodex.ts';
import { articles, messageBox, queuedList, send, seriousFindings, startConversation, untilIdle } from './operator.ts';

/** Every state has a face, is readable in both themes, and is worked by the keyboard. */

async function useTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.evaluate((chosen) => window.parley?.call('setPreferences', { preferences: { theme: chosen } }), theme);
  await expect.poll(() => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe(theme);
}

/** No serious finding of axe; in the second theme nothing but the colours differs. */
async function expectReadable(page: Page, state: string): Promise<void> {
  await useTheme(page, 'light');
  expect(await seriousFindings(page), `${state}, light`).toEqual([]);
  await useTheme(page, 'dark');
  expect(await seriousFindings(page, 'color-contrast'), `${state}, dark`).toEqual([]);
}

async function workTree(home: string): Promise<string> {
  const cwd = join(home, 'work-tree');
  await mkdir(cwd, { recursive: true });
  return cwd;
}

test('every state has a face, readable in light and in dark', async ({ launch, home }) => {
  const codex = await installFakeCodex(join(home, 'fake'));
  const { page } = await launch();
  const main = page.getByRole('main');

  await expect(page.getByRole('heading', { name: 'Welcome to Parley' })).toBeVisible();
  await expectReadable(page, 'no conversation');

  await page.getByRole('button', { name: 'New conversation' }).click();
  await expect(page.getByRole('dialog', { name: 'New conversation' })).toBeVisible();
  await expectReadable(page, 'the new conversation');
  await page.keyboard.press('Escape');

  await useCodex(page, codex.path);
  const cwd = await workTree(home);
  await startConversation(page, { cwd, agent: 'Codex' });
  await expect(page.getByText('Nothing was said yet')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Seats' }).getByRole('listitem')).toContainText('ready');
  await expectReadable(page, 'an empty conversation');

  await send(page, 'hold on');
  await expect(articles(page, 'Codex')).toContainText('Working on it.');
  await send(page, 'next');
  await expect(page.getByRole('status').filter({ hasText: 'Codex is working' })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Seats' }).getByRole('listitem')).toContainText('working');
  await expect(queuedList(page).getByRole('listitem')).toContainText('next');
  await expectReadable(page, 'running and queued');
  await codex.release();
  await expect(articles(page, 'Codex').last()).toContainText('Heard: next');
  await untilIdle(page);

  await useCodex(page, join(home, 'no-such-program'));
  await send(page, 'are you there?');
  const missing = articles(page, 'Codex').last().getByRole('alert');
  await expect(missing).toContainText('Codex was not found on this machine.');
  await expectReadable(page, 'failed');
  await missing.getByRole('button', { name: 'Check agents' }).click();
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await expect(settings).toContainText('The executable that you named cannot be run');
  await expectReadable(page, 'the settings');
  await page.keyboard.press('Escape');
  await expect(settings).toBeHidden();

  // The message is kept, and goes out again when the cause is gone.
  await useCodex(page, codex.path);
  await missing.getByRole('button', { name: 'Try again' }).click();
  await expect(articles(page, 'Codex').last()).toContainText('Heard: are you there?');

  await rm(cwd, { recursive: true });
  await send(page, 'and the directory?');
  const gone = articles(page, 'Codex').last().getByRole('alert');
  await expect(gone).toContainText(`The working directory ${cwd} is gone.`);
  await expect(gone.getByRole('button', { name: 'Choose another directory' })).toBeVisible();
  await expect(main).toBeVisible();
});

test('the keyboard does everything, and never sends what is being composed', async ({ launch, home }) => {
  const { page } = await launch();
  const dialog = page.getByRole('dialog');
  await expect(page.getByRole('button', { name: 'New conversation' })).toBeVisible();
  await page.keyboard.press('Control+n');
  await expect(page.getByRole('dialog', { name: 'New conversation' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  await page.keyboard.press('Control+n');
  await page.getByRole('textbox', { name: 'Working directory' }).fill(await workTree(home));
  await page.getByRole('radio', { name: 'Guide', exact: true }).check();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(messageBox(page)).toBeFocused();

  await page.keyboard.type('first line');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('second line');
  await expect(messageBox(page)).toHaveValue('first line\nsecond line');
  // An input method that composes takes Enter for itself.
  const chromium = await page.context().newCDPSession(page);
  await chromium.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
  const enter = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 229 };
  await chromium.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...enter });
  await chromium.send('Input.dispatchKeyEvent', { type: 'keyUp', ...enter });
  await expect(messageBox(page)).toHaveValue('first line\nsecond lineに');
  await chromium.send('Input.insertText', { text: '日' });
  await expect(messageBox(page)).toHaveValue('first line\nsecond line日');
  await page.keyboard.press('Enter');
  await expect(messageBox(page)).toHaveValue('');
  await expect(articles(page, 'Operator')).toContainText('second line日');
  await expect(articles(page, 'Guide')).toContainText('Hello!');
  await untilIdle(page);

  await page.keyboard.press('Control+k');
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  const sidebar = page.getByRole('navigation', { name: 'Main' });
  await page.keyboard.press('Control+b');
  await expect(sidebar).toBeHidden();
  await page.keyboard.press('Control+b');
  await expect(sidebar).toBeVisible();
  const review = page.getByRole('complementary', { name: 'Review' });
  await expect(review).toBeVisible();
  await page.keyboard.press('Control+Alt+b');
  await expect(review).toBeHidden();
  await page.keyboard.press('Control+Alt+b');
  await expect(review).toBeVisible();

  await page.keyboard.press('Control+1');
  await expect(page.getByRole('list', { name: 'Seats' }).getByRole('button').first()).toBeFocused();

  await page.keyboard.press('Control+f');
  const find = page.getByRole('search').getByRole('textbox');
  await expect(find).toBeFocused();
  await find.fill('ships with Parley');
  await expect(page.getByRole('search')).toContainText('1');
  await page.keyboard.press('Escape');
  await expect(find).toBeHidden();
});

const HOSTILE = `# Heading

<script>window.pwned = 'script';</script>
<img src="https://example.org/pixel.png" onerror="window.pwned = 'onerror'">
<iframe src="https://example.org/"></iframe>
<a href="https://example.org/" onclick="window.pwned = 'onclick'">raw link</a>

![tracker](https://example.org/pixel.gif) ![file](file:///etc/passwd)

[run](javascript:window.pwned='link') [data](data:text/html,<script>1</script>) [file](file:///etc/passwd)
[outside](https://example.org/path?q=1)

\`\`\`js
</code></pre><script>window.pwned = 'fence'</script>
\`\`\`

| a | b |
|---|---|
| <b onmouseover="window.pwned = 'cell'">x</b> | y |
`;

test('an answer that is hostile Markdown shows, and does nothing', async ({ launch, home }) => {
  const codex = await installFakeCodex(join(home, 'fake'));
  await codex.willSay(HOSTILE);
  const { app, page } = await launch();
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  await useCodex(page, codex.path);
  await startConversation(page, { cwd: await workTree(home), agent: 'Codex' });
  await send(page, 'say it');
  const article = articles(page, 'Codex');
  await expect(article.getByRole('heading', { name: 'Heading' })).toBeVisible();
  await untilIdle(page);

  await expect(article).toContainText("<script>window.pwned = 'script';</script>");
  await expect(article.locator('script, iframe, img, [onerror], [onclick], [onmouseover]')).toHaveCount(0);
  await expect(article.locator('a[href^="javascript:"], a[href^="data:"], a[href^="file:"]')).toHaveCount(0);

  // The one honest link asks before it opens anything, and goes nowhere here.
  await app.evaluate(({ dialog }) => {
    Reflect.set(dialog, 'showMessageBox', (...args: unknown[]) => {
      Reflect.set(globalThis, 'asked', args.at(-1));
      return Promise.resolve({ response: 0, checkboxChecked: false });
    });
  });
  await article.getByText('outside', { exact: true }).click();
  await expect
    .poll(() => app.evaluate(() => JSON.stringify(Reflect.get(globalThis, 'asked'))))
    .toContain('https://example.org/path?q=1');
  await article.getByText("javascript:window.pwned='link'").click();

  expect(await page.evaluate(() => Reflect.get(window, 'pwned'))).toBeUndefined();
  expect(page.url()).toBe('app://parley/');
  expect(requested.filter((url) => !/^(app|attachment|blob|data):/.test(url))).toEqual([]);
  expect(app.windows()).toHaveLength(1);
});
