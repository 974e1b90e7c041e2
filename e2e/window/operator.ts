import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { expect } from './app.ts';

/** What an operator does in the window, by the names that assistive technology hears. */

export interface NewConversation {
  cwd: string;
  /** The agent's label. */
  agent: 'Guide' | 'Codex';
  access?: 'Read-only' | 'Can write';
}

export async function startConversation(page: Page, { cwd, agent, access = 'Read-only' }: NewConversation) {
  await page.getByRole('button', { name: 'New conversation' }).click();
  const dialog = page.getByRole('dialog', { name: 'New conversation' });
  await dialog.getByRole('textbox', { name: 'Working directory' }).fill(cwd);
  await dialog.getByRole('group', { name: 'Seats' }).getByRole('radio', { name: agent, exact: true }).check();
  await dialog.getByRole('radiogroup', { name: 'Access' }).getByRole('radio', { name: access }).check();
  await dialog.getByRole('button', { name: 'Start' }).click();
  await expect(dialog).toBeHidden();
  await expect(messageBox(page)).toBeFocused();
}

export const messageBox = (page: Page): Locator => page.getByRole('textbox', { name: 'Message' });
export const transcript = (page: Page): Locator => page.getByRole('log', { name: 'Transcript' });
export const conversationPane = (page: Page): Locator => page.getByRole('region', { name: 'Conversation' });
/** The images of the draft. */
export const attachmentList = (page: Page): Locator => page.getByRole('list', { name: 'Attachments' });
export const queuedList = (page: Page): Locator => page.getByRole('list', { name: 'Queued messages' });

/** The articles of one seat, or of the operator. */
export const articles = (page: Page, name: string): Locator =>
  transcript(page).getByRole('article', { name, exact: true });

export async function send(page: Page, text: string): Promise<void> {
  await messageBox(page).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(messageBox(page)).toHaveValue('');
}

/** Waits until nothing works in the open conversation. */
export async function untilIdle(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeHidden();
}

/** Times that a dragged file is moved before it is dropped. */
const DRAG_MOVES = 5;

/** Drops files from disk on the middle of an element, as a file manager does. A path may name nothing. */
export async function dropFiles(page: Page, target: Locator, files: readonly string[]): Promise<void> {
  await target.waitFor({ state: 'visible' });
  const box = await target.boundingBox();
  if (box === null) throw new Error('what is dropped on cannot be seen');
  const session = await page.context().newCDPSession(page);
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const data = { items: [], files: [...files], dragOperationsMask: 1 };
  await session.send('Input.dispatchDragEvent', { type: 'dragEnter', ...at, data });
  // A drop counts only once the page has answered that it takes it. It answers with a later frame, and a hand moves
  // several times before it lets go.
  for (let move = 0; move < DRAG_MOVES; move++) {
    await session.send('Input.dispatchDragEvent', { type: 'dragOver', ...at, data });
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  }
  await session.send('Input.dispatchDragEvent', { type: 'drop', ...at, data });
  await session.detach();
}

/** Runs axe, all of it or one rule, and gives the serious and critical findings, each with the elements that it means. */
export async function seriousFindings(page: Page, rule: string | null = null): Promise<string[]> {
  const source = await readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
  await page.evaluate(source);
  return page.evaluate(async (only) => {
    const axe: unknown = Reflect.get(window, 'axe');
    if (typeof axe !== 'object' || axe === null) throw new Error('axe is not there');
    const run: unknown = Reflect.get(axe, 'run');
    if (typeof run !== 'function') throw new Error('axe cannot run');
    const { violations } = await run.call(axe, document, {
      resultTypes: ['violations'],
      ...(only === null ? {} : { runOnly: [only] }),
    });
    return violations
      .filter(({ impact }: { impact: string }) => impact === 'serious' || impact === 'critical')
      .map(
        ({ id, help, nodes }: { id: string; help: string; nodes: { html: string }[] }) =>
          `${id}: ${help}: ${nodes.map(({ html }) => html).join(' ')}`,
      );
  }, rule);
}
