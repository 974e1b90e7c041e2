import { expect, test } from './app.ts';

test('the workbench opens on a fresh data directory', async ({ launch }) => {
  const { page } = await launch();
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'New conversation' })).toBeVisible();
  expect(page.url()).toBe('app://parley/');
});
