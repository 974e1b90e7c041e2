import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './app.ts';
import { installFakeCodex, useCodex } from './fakeCodex.ts';
import { articles, send, seriousFindings, startConversation, untilIdle } from './operator.ts';
import { closing, finishedCommand, installPrinter, opening, THREAD } from './printer.ts';

const review = (page: Page): Locator => page.getByRole('complementary', { name: 'Review' });
const tab = (page: Page, name: string): Locator => review(page).getByRole('tab', { name });
const live = (page: Page): Locator => page.getByRole('region', { name: 'Live output' });
const tree = (page: Page): Locator => page.getByRole('tree', { name: 'Artifacts' });
const file = (page: Page, ending: string): Locator =>
  tree(page).getByRole('treeitem', { name: new RegExp(`\\.${ending.replace('.', '\\.')}`) });
const viewer = (page: Page): Locator => page.getByRole('region', { name: 'Artifact', exact: true });
const table = (page: Page): Locator => page.getByRole('table', { name: 'Command evidence' });
/** A seat's letter and name; the letter is decoration, but part of the text. */
const SEAT = /^C?Codex$/;
/** A row by its place, the header being the first. */
const row = (page: Page, place: number): Locator => table(page).locator(`[role=row][aria-rowindex="${place}"]`);

async function workTree(home: string): Promise<string> {
  const cwd = join(home, 'work-tree');
  await mkdir(cwd, { recursive: true });
  return cwd;
}

/** Starts with a program in Codex's place that prints `stdout`, and has it run once. */
async function print(page: Page, home: string, stdout: Uint8Array, stderr = ''): Promise<void> {
  await useCodex(page, await installPrinter(join(home, 'printer'), stdout, stderr));
  await startConversation(page, { cwd: await workTree(home), agent: 'Codex' });
  await send(page, 'print it');
  await expect(articles(page, 'Codex')).toBeVisible();
  await untilIdle(page);
}

/** The files of the only run, by their endings, as they are on disk. */
async function filesOfRun(home: string): Promise<Map<string, Buffer>> {
  const root = join(home, 'artifacts');
  const [run = ''] = await readdir(root);
  const names = await readdir(join(root, run));
  const read = async (name: string): Promise<[string, Buffer]> => [
    name.split('.').slice(-2).join('.'),
    await readFile(join(root, run, name)),
  ];
  return new Map(await Promise.all(names.map(read)));
}

/** The bytes of a file of the only run as the window is given them, piece by piece, as Latin-1 text. */
async function bytesInWindow(page: Page, ending: string): Promise<string> {
  return page.evaluate(async (wanted) => {
    const bridge = window.parley;
    if (bridge === undefined) throw new Error('no bridge');
    const listed = await bridge.call('listConversations', {});
    const conversation = listed.ok ? listed.value.conversations[0] : undefined;
    if (conversation === undefined) throw new Error('no conversation');
    const opened = await bridge.call('openConversation', { conversationId: conversation.id });
    const turn = opened.ok ? opened.value.turns[0] : undefined;
    if (turn === undefined) throw new Error('no turn');
    const files = await bridge.call('listArtifacts', { run: turn.run });
    const artifact = files.ok ? files.value.artifacts.find(({ name }) => name.endsWith(wanted)) : undefined;
    if (artifact === undefined) throw new Error(`no ${wanted}`);
    let text = '';
    for (let offset = 0; ; ) {
      const part = await bridge.call('readArtifact', { run: turn.run, name: artifact.name, offset });
      if (!part.ok) throw new Error(part.error.message);
      if (part.value.bytes.byteLength === 0) return text;
      for (const byte of part.value.bytes) text += String.fromCharCode(byte);
      offset += part.value.bytes.byteLength;
    }
  }, ending);
}

test('Live shows what is printed while the agent runs, and the rest when it has ended', async ({ launch, home }) => {
  const { page } = await launch();
  const codex = await installFakeCodex(join(home, 'codex'));
  await useCodex(page, codex.path);
  await startConversation(page, { cwd: await workTree(home), agent: 'Codex' });
  await tab(page, 'Live').click();
  await expect(review(page)).toContainText('Nothing has run yet');
  await send(page, 'hold on');

  await expect(live(page)).toContainText('thread.started');
  await expect(live(page)).toContainText('make check');
  await expect(live(page)).toContainText('Working on it.');
  await expect(live(page)).not.toContainText('turn.completed');
  await expect(live(page).getByRole('button', { name: 'Follow' })).toHaveAttribute('aria-pressed', 'true');

  // Looking elsewhere and coming back shows the same from the file, nothing twice.
  await tab(page, 'Run').click();
  await expect(review(page)).toContainText('Codex is working');
  await tab(page, 'Live').click();
  await expect(live(page).locator('.xterm-rows')).toContainText('thread.started');

  await codex.release();
  await expect(live(page)).toContainText('turn.completed');
  const shown = (await live(page).locator('.xterm-rows').textContent()) ?? '';
  expect(shown.match(/thread\.started/g)).toHaveLength(1);
  expect(shown.match(/Working on it\./g)).toHaveLength(1);

  await live(page).getByRole('textbox', { name: 'Find in the output' }).fill('no such text');
  await page.keyboard.press('Enter');
  await expect(live(page).getByRole('status')).toHaveText('No match');
  await live(page).getByRole('radio', { name: 'stderr' }).click();
  await expect(live(page)).toContainText('Nothing was printed on stderr');
});

test('a run shows its receipts, its command line, its limits and what was not reported', async ({ launch, home }) => {
  const { page } = await launch();
  await print(page, home, Buffer.from(opening + closing));
  await tab(page, 'Run').click();
  const run = review(page);
  await expect(run).toContainText('Codex finished.');
  await expect(run).toContainText(`fresh ${THREAD}`);
  await expect(run.getByRole('region', { name: 'Command line', exact: true })).toContainText('exec --json');
  await expect(run).toContainText('MAGI_RUN');
  await expect(run).toContainText('1,234 tokens');
  await expect(run).toContainText('Read-only');
  await expect(run.getByRole('button', { name: 'Copy the run id' })).toBeVisible();
});

test('a failed run says why, with the end of its error output', async ({ launch, home }) => {
  const { page } = await launch();
  await print(page, home, Buffer.from(opening), '\u001b[31merror:\u001b[0m the provider hung up\n');
  await tab(page, 'Run').click();
  await expect(review(page).getByRole('alert')).toBeVisible();
  await expect(review(page).getByRole('region', { name: 'End of the error output' })).toHaveText(
    'error: the provider hung up',
  );
  await expect(review(page)).toContainText('not reported');
});

test('artifacts are byte for byte what was sent and printed, and can be read by keyboard', async ({ launch, home }) => {
  const { app, page } = await launch();
  await app.evaluate(({ clipboard }) => clipboard.writeText('untouched'));
  const acting =
    '\u001b]52;c;aGVsbG8=\u0007\u001b]0;owned\u0007\u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007';
  const stdout = Buffer.concat([
    Buffer.from(opening),
    Buffer.from(`${acting} nul \u0000 bidi \u202e end\n`),
    Buffer.from([0xff, 0xfe, 0x0a]),
    Buffer.from(`${'long '.repeat(60_000)}\n`),
    Buffer.from(closing),
  ]);
  await print(page, home, stdout, 'a warning\n');
  await tab(page, 'Live').click();
  await expect(live(page)).toContainText('turn.completed');

  const onDisk = await filesOfRun(home);
  expect([...onDisk.keys()].sort()).toEqual(['meta.json', 'prompt.md', 'stderr.log', 'stdout.log']);
  expect(onDisk.get('stdout.log')?.equals(stdout)).toBe(true);
  expect(onDisk.get('prompt.md')?.toString()).toBe('print it');
  for (const [ending, bytes] of onDisk) {
    expect(Buffer.from(await bytesInWindow(page, ending), 'latin1').equals(bytes)).toBe(true);
  }

  // Tabs and tree by arrow keys alone.
  await tab(page, 'Live').focus();
  await page.keyboard.press('ArrowRight');
  await expect(tab(page, 'Artifacts')).toBeFocused();
  await expect(viewer(page)).toContainText('print it');
  await file(page, 'prompt.md').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(file(page, 'stderr.log')).toHaveAttribute('aria-selected', 'true');
  await expect(viewer(page)).toContainText('a warning');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(viewer(page)).toContainText('thread.started');
  await expect(viewer(page)).toContainText('nul \\x00 bidi U+202E end');
  await expect(viewer(page)).toContainText('\\xff\\xfe');

  await viewer(page).getByRole('textbox', { name: 'Find in the file' }).fill('ALL PRINTED');
  await page.keyboard.press('Enter');
  await expect(viewer(page).getByRole('status')).toHaveText('Line 6');
  await viewer(page)
    .getByRole('button', { name: /^Line 5: show/ })
    .click();
  await expect(viewer(page).getByRole('region', { name: 'Line 5' })).toContainText('long long long');
  await viewer(page).getByRole('radio', { name: 'Hex' }).click();
  await expect(viewer(page)).toContainText('00000000  7b 22 74 79 70 65');

  await page.keyboard.press('ArrowLeft');
  await tree(page).getByRole('treeitem', { name: 'Turn 1: print it' }).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(file(page, 'meta.json')).toBeHidden();

  // What was printed acted on nothing.
  // The clipboard belongs to the display, which other tests share; what the output tried to put there is not in it.
  expect(await app.evaluate(({ clipboard }) => clipboard.readText())).not.toBe('hello');
  expect(await page.title()).not.toContain('owned');
  await expect(live(page).getByRole('link')).toHaveCount(0);
});

test('output that was deleted is said to be gone, not empty', async ({ launch, home }) => {
  const { page } = await launch();
  await print(page, home, Buffer.from(opening + closing));
  const [run = ''] = await readdir(join(home, 'artifacts'));
  const directory = join(home, 'artifacts', run);
  for (const name of await readdir(directory)) if (name.endsWith('.stdout.log')) await rm(join(directory, name));
  await tab(page, 'Live').click();
  await expect(live(page).getByRole('alert')).toContainText('cannot be read');
  await expect(live(page)).not.toContainText('Nothing was printed');
});

test('evidence lists exactly the commands that were reported as finished, however many', async ({ launch, home }) => {
  const commands = 1_200;
  const lines = Array.from({ length: commands }, (_, index) =>
    finishedCommand(`item_${index}`, `make part-${index}`, `first line\npart ${index} done\n`, index % 7 === 3 ? 2 : 0),
  );
  const unreported = finishedCommand('item_u', "cat 'a file'", 'what it said\n', undefined);
  const unfinished = finishedCommand('item_r', 'sleep 600', '', 0).replace('item.completed', 'item.started');
  const { page } = await launch();
  await print(page, home, Buffer.from(opening + lines.join('') + unreported + unfinished + closing));

  await tab(page, 'Evidence').click();
  await expect(table(page)).toHaveAttribute('aria-rowcount', String(commands + 2));
  await expect(table(page).getByRole('columnheader')).toHaveText(['Seat', 'Command', 'Exit', 'Result', 'Source']);
  await expect(row(page, 2).getByRole('cell')).toHaveText([SEAT, 'make part-0', '0', 'part 0 done', 'codex']);
  await expect(row(page, 5).getByRole('cell').nth(2)).toHaveText('2');
  expect(await table(page).getByRole('row').count()).toBeLessThan(200);

  await row(page, 2).getByRole('button', { name: 'make part-0' }).focus();
  await page.keyboard.press('Enter');
  await expect(table(page).getByRole('region', { name: 'End of its output' })).toContainText('first line');
  await table(page).getByRole('button', { name: 'Whole output in Artifacts' }).click();
  const artifact = review(page).getByRole('region', { name: 'Artifact', exact: true });
  await expect(artifact.getByRole('heading')).toHaveText(/\.stdout\.log$/);
  await expect(artifact).toContainText('make part-0');
  await expect(artifact.getByText('Line 3', { exact: true })).toBeVisible();
  await tab(page, 'Evidence').click();
  await expect(table(page).getByRole('region', { name: 'End of its output' })).toBeHidden();

  await table(page).getByRole('rowgroup').nth(1).focus();
  await page.keyboard.press('End');
  const last = row(page, commands + 2);
  await expect(last.getByRole('cell')).toHaveText([SEAT, "cat 'a file'", 'not reported', 'what it said', 'codex']);

  await review(page)
    .getByRole('textbox', { name: 'Filter the commands' })
    .fill(`part-${commands - 1}`);
  await expect(review(page).getByRole('status')).toHaveText(`1 of ${(commands + 1).toLocaleString('en')}`);
  await expect(row(page, commands + 1).getByRole('button')).toHaveText(`make part-${commands - 1}`);
  await review(page).getByRole('textbox', { name: 'Filter the commands' }).fill('sleep');
  await expect(review(page).getByRole('status')).toHaveText(`0 of ${(commands + 1).toLocaleString('en')}`);
});

test('markup in an answer is inert in the window', async ({ launch, home }) => {
  const { app, page } = await launch();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await app.evaluate(({ dialog, shell }) => {
    const record = (name: string, value: unknown) => {
      const before: unknown = Reflect.get(globalThis, name);
      Reflect.set(globalThis, name, [...(Array.isArray(before) ? before : []), value]);
    };
    Reflect.set(dialog, 'showMessageBox', (...args: unknown[]) => {
      record('asked', JSON.stringify(args.at(-1)));
      return Promise.resolve({ response: -1, checkboxChecked: false });
    });
    Reflect.set(shell, 'openExternal', (url: string) => {
      record('opened', url);
      return Promise.resolve();
    });
  });
  const codex = await installFakeCodex(join(home, 'codex'));
  await useCodex(page, codex.path);
  await codex.willSay(
    [
      '<script>document.title = "owned"</script> <img src=x onerror="document.title = \'owned\'">',
      '[script](javascript:document.title="owned") [file](file:///etc/passwd) [site](https://site.example/page)',
      '![picture](https://pictures.example/pixel.png)',
      '```js\nconst answer = 42;\n```',
    ].join('\n\n'),
  );
  await startConversation(page, { cwd: await workTree(home), agent: 'Codex' });
  await send(page, 'say it');
  const answer = articles(page, 'Codex');
  await expect(answer).toContainText('<script>document.title = "owned"</script>');
  await expect(answer).toContainText('(file:///etc/passwd)');
  await expect(answer.getByRole('img', { name: 'picture' })).toHaveCount(0);
  await expect(answer.getByRole('link')).toHaveText(['site', 'Image, not loaded: picture']);
  const address = page.url();
  await answer.getByText('(javascript:document').click();
  await answer.getByRole('link', { name: 'site' }).click();
  await expect(async () => {
    expect(await app.evaluate(() => String(Reflect.get(globalThis, 'asked')))).toContain('https://site.example/page');
  }).toPass();
  expect(await app.evaluate(() => Reflect.get(globalThis, 'opened'))).toBeUndefined();
  expect(page.url()).toBe(address);
  expect(await page.title()).not.toContain('owned');
  expect(requests.filter((url) => !/^(?:app|attachment|data|blob):/.test(url))).toEqual([]);

  await answer.getByRole('button', { name: 'Copy code' }).click();
  await expect.poll(() => app.evaluate(({ clipboard }) => clipboard.readText())).toBe('const answer = 42;');
});

for (const theme of ['light', 'dark'] as const) {
  test(`axe finds nothing serious in the review, ${theme}`, async ({ launch, home }) => {
    const { page } = await launch();
    await page.evaluate((chosen) => window.parley?.call('setPreferences', { preferences: { theme: chosen } }), theme);
    await print(page, home, Buffer.from(opening + finishedCommand('item_0', 'make', 'done\n', 0) + closing));
    for (const name of ['Run', 'Live', 'Artifacts', 'Evidence']) {
      await tab(page, name).click();
      const place = {
        Run: review(page).getByRole('region', { name: 'Command line', exact: true }),
        Live: live(page).locator('.xterm-rows').getByText('turn.completed'),
        Artifacts: viewer(page).getByText('print it').last(),
        Evidence: row(page, 2),
      }[name];
      await expect(place ?? review(page)).toBeVisible();
      expect(await seriousFindings(page)).toEqual([]);
    }
  });
}
