import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './app.ts';
import {
  articles,
  attachmentList,
  conversationPane,
  dropFiles,
  messageBox,
  send,
  startConversation,
  untilIdle,
} from './operator.ts';
import { pngBytes, writePictures } from './pictures.ts';

/** The images of the draft that are stored: one on its way has nothing to be viewed. */
const thumbnails = (page: Page) => attachmentList(page).getByRole('button', { name: /^View / });

/** Every stored copy below the data directory, as `name bytes`. */
async function storedCopies(home: string): Promise<string[]> {
  const root = join(home, 'attachments');
  const conversations = await readdir(root);
  const names = await Promise.all(conversations.map((name) => readdir(join(root, name))));
  return names.flat().sort();
}

async function workTree(home: string): Promise<string> {
  const cwd = join(home, 'work-tree');
  await mkdir(cwd, { recursive: true });
  return cwd;
}

test('images are dropped, each refused file says why, and what is shown is what is sent', async ({ launch, home }) => {
  const pictures = await writePictures(join(home, 'pictures'));
  const { page } = await launch();
  // What is dropped elsewhere does nothing; were it otherwise, there would be more below.
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await dropFiles(page, navigation, [pictures.path('sameName')]);
  await startConversation(page, { cwd: await workTree(home), agent: 'Guide' });
  await dropFiles(page, navigation, [pictures.path('sameName')]);
  await dropFiles(page, page.getByRole('complementary', { name: 'Review' }), [pictures.path('sameName')]);
  await dropFiles(
    page,
    conversationPane(page),
    (
      [
        ...['png', 'empty', 'truncated', 'jpeg', 'heic', 'svg', 'pdf', 'gif'],
        ...['mislabelled', 'wide', 'large', 'folder', 'vanished', 'webp'],
      ] as const
    ).map(pictures.path),
  );

  await expect(thumbnails(page)).toHaveText(['shot.png', 'photo.jpg', 'loop.gif', 'tiny.webp']);
  const alerts = conversationPane(page).getByRole('alert');
  for (const sentence of [
    '“empty.png” is empty (0 bytes).',
    '“cut.jpg” ends in the middle of the image, so its JPEG data is incomplete.',
    '“phone.heic” is a HEIC image; agents take PNG, JPEG, GIF and WebP images.',
    '“logo.svg” is an SVG image; agents take',
    '“paper.pdf” is a PDF document; agents take',
    '“page.png” says it is a PNG image, but its bytes are an HTML page.',
    '“wide.png” is 8001 × 1 px; the limit is 8000 px a side.',
    '“large.png” has 21.0 MiB; the limit is 20.0 MiB for each image.',
    '“other” is a folder; agents take',
    '“vanished.png” was gone before it could be read.',
  ]) {
    await expect(alerts.filter({ hasText: sentence })).toHaveCount(1);
  }
  expect(page.url()).toBe('app://parley/');

  // One is taken out again; the copies of the others outlive their sources.
  await attachmentList(page).getByRole('button', { name: 'Remove loop.gif' }).click();
  await expect(thumbnails(page)).toHaveCount(3);
  await rm(join(home, 'pictures'), { recursive: true });
  // Refused files stay to be read until they are dismissed, and take nothing else along.
  await alerts.filter({ hasText: 'vanished.png' }).getByRole('button', { name: 'Dismiss' }).click();
  await expect(alerts).toHaveCount(9);
  await expect(thumbnails(page)).toHaveCount(3);
  await attachmentList(page).getByRole('button', { name: 'View shot.png' }).click();
  const image = page.getByRole('dialog', { name: 'Image' }).getByRole('img');
  await expect(image).toBeVisible();
  expect(await image.evaluate((element) => (element instanceof HTMLImageElement ? element.naturalWidth : 0))).toBe(40);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();

  await send(page, 'What is in these images?');
  await expect(articles(page, 'Guide')).toContainText('shot.png: PNG image, 40 × 30 px');
  await expect(articles(page, 'Guide')).toContainText('blue #143cc8 (100 %)');
  await expect(articles(page, 'Guide')).toContainText('photo.jpg: JPEG image, 9 × 7 px');
  await expect(articles(page, 'Guide')).toContainText('tiny.webp: WebP image, 6 × 5 px');
  await expect(articles(page, 'Guide')).toContainText('3 of 3 images delivered');
  await expect(articles(page, 'Guide')).not.toContainText('loop.gif');

  const sha256 = createHash('sha256').update(pngBytes(40, 30)).digest('hex');
  expect(await storedCopies(home)).toContain(`${sha256}.png`);
});

test('images come by paste and by the picker, and a message may be only an image', async ({ launch, home }) => {
  const pictures = await writePictures(join(home, 'pictures'));
  const { app, page } = await launch();
  await startConversation(page, { cwd: await workTree(home), agent: 'Guide' });

  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Attach images' }).click();
  // Two different images of one name.
  await (await chooser).setFiles([pictures.path('png'), pictures.path('sameName')]);
  await expect(thumbnails(page)).toHaveCount(2);

  // An image on the real clipboard, as a browser puts it there.
  const shown = await thumbnails(page).first().getByRole('presentation').boundingBox();
  if (shown === null) throw new Error('the thumbnail cannot be seen');
  const at = { x: Math.round(shown.x + 10), y: Math.round(shown.y + 10) };
  await app.evaluate(({ BrowserWindow }, { x, y }) => {
    BrowserWindow.getAllWindows()[0]?.webContents.copyImageAt(x, y);
  }, at);
  await messageBox(page).focus();
  await expect(async () => {
    await page.keyboard.press('Control+V');
    await expect(thumbnails(page)).toHaveCount(3, { timeout: 2_000 });
  }).toPass();

  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const answer = articles(page, 'Guide');
  await expect(answer.getByText('PNG image, 40 × 30 px')).toHaveCount(2);
  await expect(answer).toContainText('shot.png: PNG image, 40 × 30 px');
  await expect(answer).toContainText('shot.png: PNG image, 41 × 31 px');
  await expect(answer).toContainText('3 of 3 images delivered');
  await expect(thumbnails(page)).toHaveCount(0);
});

test('a message takes twenty images, and goes without one that was lost on disk', async ({ launch, home }) => {
  const pictures = await writePictures(join(home, 'pictures'));
  const directory = join(home, 'many');
  await mkdir(directory);
  const paths = Array.from({ length: 21 }, (_, index) => join(directory, `image-${index + 1}.png`));
  await Promise.all(paths.map((path, index) => writeFile(path, pngBytes(10 + index, 10))));
  const { page } = await launch();
  await startConversation(page, { cwd: await workTree(home), agent: 'Guide' });
  await dropFiles(page, conversationPane(page), paths);
  await expect(thumbnails(page)).toHaveCount(20);
  await expect(conversationPane(page).getByRole('alert')).toContainText('a message takes 20 images');
  await send(page, 'all of them');
  await expect(articles(page, 'Guide')).toContainText('20 of 20 images delivered');
  await untilIdle(page);
  await conversationPane(page).getByRole('alert').getByRole('button', { name: 'Dismiss' }).click();

  await dropFiles(page, conversationPane(page), [pictures.path('png'), pictures.path('jpeg')]);
  await expect(thumbnails(page)).toHaveCount(2);
  const [copy] = (await storedCopies(home)).filter((name) => name.endsWith('.jpg'));
  const [conversation] = await readdir(join(home, 'attachments'));
  await writeFile(join(home, 'attachments', conversation ?? '', copy ?? ''), 'something else');
  await send(page, 'What is in these images?');
  const failure = articles(page, 'Guide').last().getByRole('alert');
  await expect(failure).toContainText('The image “photo.jpg” can no longer be read');
  await failure.getByRole('button', { name: 'Try without “photo.jpg”' }).click();
  await expect(articles(page, 'Guide').last()).toContainText('1 of 1 image delivered');
  await expect(articles(page, 'Guide').last()).toContainText('shot.png: PNG image');
});
