import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ElectronApplication } from '@playwright/test';
import { PNG } from 'pngjs';
import { commandId } from '../../src-shared/api.ts';
import { chromiumSwitches, electronPath, expect, test } from './app.ts';
import { startConversation } from './operator.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');

/** Starts the application the way an icon does. */
async function startAgain(home: string) {
  const child = spawn(await electronPath(), [...chromiumSwitches(), ROOT], {
    env: { ...process.env, PARLEY_HOME: home },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let printed = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  return { exit: once(child, 'exit'), kill: () => child.kill('SIGKILL'), printed: () => printed };
}

/** Answers every dialog of one kind from now on, and remembers what was asked. */
async function answerDialogs(app: ElectronApplication, kind: string, answer: object): Promise<void> {
  await app.evaluate(
    ({ dialog }, [name, result]) => {
      Reflect.set(dialog, name, (...args: unknown[]) => {
        Reflect.set(globalThis, 'asked', args.at(-1));
        return Promise.resolve(result);
      });
    },
    [kind, answer] as const,
  );
}

const lastAsked = (app: ElectronApplication) => app.evaluate(() => Reflect.get(globalThis, 'asked'));

test('a second start on the same data directory brings the first window to the front', async ({ launch, home }) => {
  const { app } = await launch();
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
  const second = await startAgain(home);
  expect((await second.exit)[0], second.printed()).toBe(0);
  await expect
    .poll(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((window) => window.isVisible())))
    .toEqual([true]);
});

test('settings that cannot be read are set aside, and the operator is told', async ({ launch, home }) => {
  for (const broken of ['{"theme": "da', '{"theme": 7}', '\u0000\u0000']) {
    await writeFile(path.join(home, 'settings.json'), broken);
    const { page, close } = await launch();
    await expect(page.getByText('The settings could not be read and were set back.', { exact: false })).toBeVisible();
    const aside = (await readdir(home)).find((name) => name.startsWith('settings.unreadable-'));
    if (aside === undefined) throw new Error('nothing was set aside');
    expect(await readFile(path.join(home, aside), 'utf8')).toBe(broken);
    await close();
    await rm(path.join(home, aside));
  }
});

test('a preference that is changed holds after a restart, and leaves the others alone', async ({ launch }) => {
  const first = await launch();
  const change = (preferences: string) =>
    first.page.evaluate(`window.parley.call('setPreferences', { preferences: ${preferences} })`);
  await change(`{ sendKey: 'mod-enter', executables: { codex: '/opt/codex' } }`);
  await change(`{ theme: 'dark', defaultTimeoutMs: 5000 }`);
  await change(`{ defaultTimeoutMs: null }`);
  expect(await first.app.evaluate(({ nativeTheme }) => nativeTheme.themeSource)).toBe('dark');
  await first.close();
  const second = await launch();
  expect(await second.page.evaluate(`window.parley.call('getPreferences', {})`)).toEqual({
    ok: true,
    value: {
      preferences: {
        theme: 'dark',
        sendKey: 'mod-enter',
        executables: { codex: '/opt/codex' },
        environments: {},
        commands: [],
      },
    },
  });
  expect(await second.page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(true);
});

test('the window comes back where it was', async ({ launch }) => {
  const bounds = { x: 60, y: 40, width: 1_000, height: 640 };
  const first = await launch();
  await first.app.evaluate(({ BrowserWindow }, to) => BrowserWindow.getAllWindows()[0]?.setBounds(to), bounds);
  await first.close();
  const second = await launch();
  expect(await second.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getNormalBounds())).toEqual(
    bounds,
  );
});

test('every command is in the menu, and choosing it tells the page', async ({ launch }) => {
  const { app, page } = await launch();
  await page.evaluate(() => {
    const chosen: string[] = [];
    Reflect.set(window, 'chosen', chosen);
    window.parley?.on('command', ({ command }) => chosen.push(command));
  });
  for (const command of commandId.options) {
    const isThere = await app.evaluate(({ Menu }, id) => {
      const item = Menu.getApplicationMenu()?.getMenuItemById(id);
      item?.click();
      return item != null;
    }, command);
    expect(isThere, command).toBe(true);
  }
  await expect.poll(() => page.evaluate('window.chosen')).toEqual(commandId.options);
});

test('the directory picker gives what was picked, or nothing', async ({ launch, home }) => {
  const { app, page } = await launch();
  const choose = () => page.evaluate(`window.parley.call('chooseDirectory', { startIn: ${JSON.stringify(home)} })`);
  await answerDialogs(app, 'showOpenDialog', { canceled: false, filePaths: [home] });
  expect(await choose()).toEqual({ ok: true, value: { directory: home } });
  expect(await lastAsked(app)).toMatchObject({ defaultPath: home });
  await answerDialogs(app, 'showOpenDialog', { canceled: true, filePaths: [] });
  expect(await choose()).toEqual({ ok: true, value: { directory: null } });
});

test('an address is shown whole and opened outside only when the operator says so', async ({ launch }) => {
  const { app, page } = await launch();
  await app.evaluate(({ shell }) => {
    const opened: string[] = [];
    Reflect.set(globalThis, 'opened', opened);
    Reflect.set(shell, 'openExternal', async (url: string) => opened.push(url));
  });
  const open = (url: string) => page.evaluate(`window.parley.call('openExternal', { url: ${JSON.stringify(url)} })`);
  await answerDialogs(app, 'showMessageBox', { response: 0 });
  expect(await open('https://example.com/a')).toEqual({ ok: true, value: { opened: false } });
  expect(await lastAsked(app)).toMatchObject({ detail: 'https://example.com/a', cancelId: 0, defaultId: 0 });
  await answerDialogs(app, 'showMessageBox', { response: 1 });
  expect(await open('https://example.com/b')).toEqual({ ok: true, value: { opened: true } });
  for (const url of ['file:///etc/passwd', 'http://example.com/', 'javascript:alert(1)']) {
    expect(await open(url)).toMatchObject({ ok: false, error: { code: 'external-refused' } });
  }
  expect(await app.evaluate(() => Reflect.get(globalThis, 'opened'))).toEqual(['https://example.com/b']);
});

test('a stored image is served with its own type, saved elsewhere, and nothing else is', async ({ launch, home }) => {
  const { app, page } = await launch();
  const cwd = path.join(home, 'work');
  await mkdir(cwd);
  await startConversation(page, { cwd, agent: 'Guide' });
  const png = PNG.sync.write(new PNG({ width: 40, height: 30 }));
  const added = await page.evaluate(
    async (bytes) => {
      const listed = await window.parley?.call('listConversations', {});
      const conversationId = listed?.ok ? listed.value.conversations[0]?.id : undefined;
      if (conversationId === undefined) throw new Error('no conversation');
      return window.parley?.call('addAttachment', {
        conversationId,
        name: '../../dot.png',
        declaredType: 'image/png',
        bytes: new Uint8Array(bytes),
      });
    },
    [...png],
  );
  if (added === undefined || !added.ok) throw new Error('the image was not taken');
  const { id } = added.value.attachment;

  const size = await page.evaluate(async (address) => {
    const image = new Image();
    image.src = address;
    await image.decode();
    return [image.naturalWidth, image.naturalHeight];
  }, `attachment://${id}`);
  expect(size).toEqual([40, 30]);
  const served = await app.evaluate(async ({ session }, address) => {
    const response = await session.defaultSession.fetch(address);
    return { type: response.headers.get('content-type'), sniff: response.headers.get('x-content-type-options') };
  }, `attachment://${id}/`);
  expect(served).toEqual({ type: 'image/png', sniff: 'nosniff' });

  const target = path.join(home, 'saved.png');
  await answerDialogs(app, 'showSaveDialog', { canceled: false, filePath: target });
  expect(
    await page.evaluate(`window.parley.call('saveAttachmentAs', { attachmentId: ${JSON.stringify(id)} })`),
  ).toEqual({
    ok: true,
    value: { path: target },
  });
  expect((await readFile(target)).equals(png)).toBe(true);
  // The name that somebody else chose suggests a file, never a place.
  expect(await lastAsked(app)).toMatchObject({ defaultPath: 'dot.png' });
});

test('finished work notifies while the window is not in front, and not while it is', async ({ launch, home }) => {
  const { app, page } = await launch();
  const cwd = path.join(home, 'work');
  await mkdir(cwd);
  await app.evaluate(({ BrowserWindow, Notification }) => {
    const window = BrowserWindow.getAllWindows()[0];
    if (window === undefined) throw new Error('no window');
    const shown: object[] = [];
    Reflect.set(globalThis, 'shown', shown);
    Reflect.set(Notification, 'isSupported', () => true);
    Notification.prototype.show = function show() {
      shown.push({ title: this.title, body: this.body });
    };
    Reflect.set(globalThis, 'inFront', true);
    window.isFocused = () => Reflect.get(globalThis, 'inFront') === true;
  });
  await startConversation(page, { cwd, agent: 'Guide' });
  const say = async (text: string, count: number) => {
    await page.getByRole('textbox', { name: 'Message' }).fill(text);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const ended = async () => {
      const listed = await page.evaluate(async () => window.parley?.call('listConversations', {}));
      const conversationId = listed?.ok ? listed.value.conversations[0]?.id : undefined;
      if (conversationId === undefined) throw new Error('no conversation');
      const opened = await page.evaluate(
        async (id) => window.parley?.call('openConversation', { conversationId: id }),
        conversationId,
      );
      return opened?.ok ? opened.value.turns.filter((turn) => turn.state === 'ended').length : 0;
    };
    await expect.poll(ended).toBe(count);
  };
  await say('hello', 1);
  expect(await app.evaluate(() => Reflect.get(globalThis, 'shown'))).toEqual([]);
  await app.evaluate(() => Reflect.set(globalThis, 'inFront', false));
  await say('hello again', 2);
  await expect
    .poll(() => app.evaluate(() => Reflect.get(globalThis, 'shown')))
    .toEqual([{ title: 'hello', body: 'Guide finished.' }]);
});

test('a database that cannot be read is told in a sentence, and is not overwritten', async ({ home }) => {
  await writeFile(path.join(home, 'parley.db'), 'this is no database');
  const started = await startAgain(home);
  try {
    await expect.poll(started.printed).toContain('Parley cannot open its data');
    expect(started.printed()).toContain(home);
  } finally {
    // It shows a box that waits for a click.
    started.kill();
    await started.exit;
  }
  expect(await readFile(path.join(home, 'parley.db'), 'utf8')).toBe('this is no database');
});
