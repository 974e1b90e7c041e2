import { bridgeCalls } from '../../src-shared/api.ts';
import { expect, test } from './app.ts';

interface Answer {
  ok: boolean;
  error?: { code: string; message: string; hint: string };
}

/** Inputs that no call of the contract accepts. Sent as they are: by structured clone, not as JSON. */
const MALFORMED = [
  'undefined',
  'null',
  '42',
  '"text"',
  '[]',
  '[{}]',
  'new Date(0)',
  'new Map([["a", 1]])',
  'new Uint8Array(8)',
  '({ unknownField: 1 })',
  '({ __proto__: null, constructor: 1 })',
  '({ conversationId: { toString: 1 }, url: {}, text: [], name: -1 })',
  '({ conversationId: "../../etc/passwd", seatId: "seat-", turnId: "\\u0000", run: "/", name: "../x", url: "javascript:alert(1)" })',
];

test('every call answers malformed input with an error, and the application goes on', async ({ launch }) => {
  const { page, output } = await launch();
  for (const name of Object.keys(bridgeCalls)) {
    for (const input of MALFORMED) {
      const answer = await page.evaluate<Answer>(`window.parley.call(${JSON.stringify(name)}, ${input})`);
      expect(answer, `${name}(${input})`).toMatchObject({
        ok: false,
        error: { code: expect.stringMatching(/./), message: expect.stringMatching(/./) },
      });
    }
  }
  const about = await page.evaluate<Answer>('window.parley.call("about", {})');
  expect(about.ok).toBe(true);
  expect(output()).not.toContain('UnhandledPromiseRejection');
});

test('what cannot be cloned is an error, not a crash', async ({ launch }) => {
  const { page } = await launch();
  const answer = await page.evaluate<Answer>(
    'window.parley.call("copyText", { text: Symbol("x") }).catch((e) => ({ ok: false, error: { code: "thrown", message: String(e) } }))',
  );
  expect(answer.ok).toBe(false);
});

test('names outside the contract are refused on both sides of the bridge', async ({ launch }) => {
  const { page, app } = await launch();
  for (const name of ['nothing', '__proto__', 'constructor', 'toString', '', 'parley:call']) {
    const answer = await page.evaluate<Answer>(`window.parley.call(${JSON.stringify(name)}, {})`);
    expect(answer).toMatchObject({ ok: false, error: { code: 'unknown-call' } });
    await expect(page.evaluate(`window.parley.on(${JSON.stringify(name)}, () => {})`)).rejects.toThrow();
  }
  // Past preload, as a page that had broken out of it would: the main process holds the same line.
  const answers = await app.evaluate(async ({ BrowserWindow, ipcMain }) => {
    const window = BrowserWindow.getAllWindows()[0];
    const handlers: unknown = Reflect.get(ipcMain, '_invokeHandlers');
    if (window === undefined || !(handlers instanceof Map)) throw new Error('no window, or no handlers');
    const handler = handlers.get('parley:call');
    const event = { sender: window.webContents, senderFrame: window.webContents.mainFrame };
    return [await handler(event, 'nothing', {}), await handler(event, 7, {}), await handler(event, 'constructor', {})];
  });
  for (const answer of answers) expect(answer).toMatchObject({ ok: false, error: { code: 'unknown-call' } });
});

test('only the main frame of Parley’s own page is answered', async ({ launch }) => {
  const { app } = await launch();
  const answers = await app.evaluate(async ({ BrowserWindow, ipcMain }) => {
    const window = BrowserWindow.getAllWindows()[0];
    const handlers: unknown = Reflect.get(ipcMain, '_invokeHandlers');
    if (window === undefined || !(handlers instanceof Map)) throw new Error('no window, or no handlers');
    const handler = handlers.get('parley:call');
    const main = window.webContents.mainFrame;
    const stranger = new BrowserWindow({ show: false });
    const own = { sender: window.webContents, senderFrame: main };
    const results = {
      own: await handler(own, 'about', {}),
      goneFrame: await handler({ ...own, senderFrame: null }, 'about', {}),
      otherFrame: await handler({ ...own, senderFrame: { url: main.url } }, 'about', {}),
      otherWindow: await handler(
        { sender: stranger.webContents, senderFrame: stranger.webContents.mainFrame },
        'about',
        {},
      ),
    };
    stranger.destroy();
    return results;
  });
  expect(answers.own).toMatchObject({ ok: true });
  for (const answer of [answers.goneFrame, answers.otherFrame, answers.otherWindow]) {
    expect(answer).toMatchObject({ ok: false, error: { code: 'forbidden' } });
  }
});

test('a page other than Parley’s own is not answered, even in the main frame', async ({ launch }) => {
  const { app, page } = await launch();
  await app.evaluate(async ({ BrowserWindow }) => {
    // The main process itself may load what a page may not.
    await BrowserWindow.getAllWindows()[0]?.loadURL('data:text/html,<title>stranger</title>');
  });
  await expect(page).toHaveTitle('stranger');
  const answer = await page.evaluate<Answer>('window.parley.call("about", {})');
  expect(answer).toMatchObject({ ok: false, error: { code: 'forbidden' } });
});

test('the page has no Node, and the bridge is all that it was given', async ({ launch }) => {
  const { page, app } = await launch();
  expect(await page.evaluate('[typeof require, typeof process, typeof module, typeof Buffer]')).toEqual(
    Array(4).fill('undefined'),
  );
  expect(await page.evaluate('Object.keys(window.parley).sort()')).toEqual(['call', 'on']);
  const settings = await app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    const read: unknown = contents === undefined ? null : Reflect.get(contents, 'getLastWebPreferences');
    return typeof read === 'function' ? read.call(contents) : null;
  });
  expect(settings).toMatchObject({ contextIsolation: true, sandbox: true, nodeIntegration: false, webviewTag: false });
});
