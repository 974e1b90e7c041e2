import { describe, expect, it } from 'vitest';
import { findOnPath, hasDisplay, startDisplay } from './display.mjs';

it('only Linux can be without a display', () => {
  expect(hasDisplay({}, 'linux')).toBe(false);
  expect(hasDisplay({ DISPLAY: '' }, 'linux')).toBe(false);
  expect(hasDisplay({ DISPLAY: ':0' }, 'linux')).toBe(true);
  expect(hasDisplay({ WAYLAND_DISPLAY: 'wayland-0' }, 'linux')).toBe(true);
  expect(hasDisplay({}, 'darwin')).toBe(true);
  expect(hasDisplay({}, 'win32')).toBe(true);
});

const xvfb = await findOnPath('Xvfb', process.env);

describe.runIf(xvfb !== null)('startDisplay', () => {
  it('gives each its own display, and ends it', async () => {
    const [one, two] = await Promise.all([startDisplay(), startDisplay()]);
    expect(one.display).toMatch(/^:\d+$/);
    expect(two.display).not.toBe(one.display);
    await Promise.all([one.close(), two.close()]);
  });
});

it('says what is missing where there is no Xvfb', async () => {
  await expect(startDisplay({ PATH: '/nowhere' })).rejects.toThrow(/Xvfb is not installed/);
});
