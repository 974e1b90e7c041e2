import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { _electron } from '@playwright/test';
import { drawPicture, PICTURE_HEIGHT, PICTURE_WIDTH } from './demo-picture.mjs';
import { ScriptError } from './steps.mjs';

/** @typedef {import('@playwright/test').Page} Page */

const ROOT = path.dirname(import.meta.dirname);
/** For anything that has to appear in the window, on a machine that may be busy. */
const APPEAR_TIMEOUT_MS = 60_000;
const WINDOW_SIZE = { width: 1440, height: 900 };

/** What the operator says, and what shows that the Guide has understood it. */
const TURNS = [
  {
    text: 'What is in this picture? And what is this project?',
    isWithPicture: true,
    answerHas: [new RegExp(`${PICTURE_WIDTH}\\s*[×x]\\s*${PICTURE_HEIGHT}`)],
  },
  // The second turn continues the session of the first, and its receipt says so.
  { text: 'What changed here lately?', isWithPicture: false, answerHas: [/resumed/, /commit/] },
];

/**
 * Plays a first conversation with the Guide in a real window, the way an operator would, and prints it.
 * @param {{ electron: string, switches: string[], env: NodeJS.ProcessEnv, steps: import('./steps.mjs').Steps }} options
 * @returns {Promise<void>} throws a {@link ScriptError} with the reason when it did not work
 */
export async function playDemo({ electron, switches, env, steps }) {
  const kept = await mkdtemp(path.join(os.tmpdir(), 'parley-demo-'));
  const home = path.join(kept, 'home');
  const picture = path.join(kept, 'sunset.png');
  const screenshot = path.join(kept, 'parley.png');
  await mkdir(home);
  await writeFile(picture, drawPicture());

  const app = await steps.step('Open a window on an empty data directory', () =>
    _electron.launch({
      executablePath: electron,
      args: [...switches, ROOT],
      env: definedOnly({ ...env, PARLEY_HOME: home }),
      timeout: APPEAR_TIMEOUT_MS,
    }),
  );
  try {
    const page = await app.firstWindow();
    page.setDefaultTimeout(APPEAR_TIMEOUT_MS);
    await resize(app);
    await steps.step('Start a conversation with the Guide', () => startConversation(page));
    const said = [];
    for (const turn of TURNS) {
      const title = `Say: ${turn.text}${turn.isWithPicture ? ' (with a picture)' : ''}`;
      said.push(await steps.step(title, () => say(page, turn, picture)));
    }
    steps.say(`\n${said.join('\n')}`);
    await page.getByRole('tab', { name: 'Evidence' }).click();
    await page.getByRole('table', { name: 'Command evidence' }).getByRole('row').nth(1).waitFor();
    await page.screenshot({ path: screenshot });
    steps.say(`Screenshot: ${screenshot}`);
  } catch (error) {
    const page = app.windows()[0];
    await page?.screenshot({ path: screenshot }).catch(() => {
      // The window may be what is broken; the reason below is what counts.
    });
    const reason = error instanceof Error ? error.message : String(error);
    throw new ScriptError(`The demonstration did not work: ${reason}\nWhat the window showed: ${screenshot}`);
  } finally {
    await app.close();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** @param {import('@playwright/test').ElectronApplication} app */
async function resize(app) {
  await app.evaluate(({ BrowserWindow }, { width, height }) => {
    BrowserWindow.getAllWindows()[0]?.setContentSize(width, height);
  }, WINDOW_SIZE);
}

/** @param {Page} page */
async function startConversation(page) {
  await page.getByRole('button', { name: 'New conversation' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New conversation' });
  await dialog.getByRole('textbox', { name: 'Working directory' }).fill(ROOT);
  await dialog.getByRole('group', { name: 'Seats' }).getByRole('radio', { name: 'Guide', exact: true }).check();
  await dialog.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
}

/**
 * Sends one message and waits for the whole answer.
 * @param {Page} page
 * @param {typeof TURNS[number]} turn
 * @param {string} picture
 * @returns {Promise<string>} what the transcript shows of it
 */
async function say(page, turn, picture) {
  if (turn.isWithPicture) {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Attach images' }).click();
    await (await chooser).setFiles(picture);
    await page
      .getByRole('list', { name: 'Attachments' })
      .getByRole('button', { name: /^Remove / })
      .waitFor();
  }
  await page.getByRole('textbox', { name: 'Message' }).fill(turn.text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const articles = page.getByRole('log', { name: 'Transcript' }).getByRole('article');
  const asked = articles.filter({ hasText: turn.text }).last();
  await asked.waitFor();
  // Older articles leave the page when they are scrolled away, so each is read while it is there.
  const askedText = await textOf(asked);
  let answer = page.getByRole('log', { name: 'Transcript' }).getByRole('article', { name: 'Guide', exact: true });
  for (const hasText of turn.answerHas) answer = answer.filter({ hasText });
  await answer.waitFor();
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'hidden' });
  return `${askedText}\n${await textOf(answer)}`;
}

/**
 * An article as text, line by line as it is shown.
 * @param {import('@playwright/test').Locator} article
 */
async function textOf(article) {
  // biome-ignore lint/performance/useDomNodeTextContent: the lines of the layout are wanted, not the bare text.
  const shown = await article.innerText();
  return `── ${await article.getAttribute('aria-label')}\n${shown.trim()}\n`;
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {Record<string, string>}
 */
function definedOnly(env) {
  /** @type {Record<string, string>} */
  const defined = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined) defined[name] = value;
  }
  return defined;
}
