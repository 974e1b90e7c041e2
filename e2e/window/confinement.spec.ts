import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from './app.ts';

test('the page cannot be led away', async ({ launch, home }) => {
  const { page, app } = await launch();
  const elsewhere = path.join(home, 'elsewhere.html');
  await writeFile(elsewhere, '<title>elsewhere</title>');
  for (const url of [
    'https://example.com/',
    `file://${elsewhere}`,
    'data:text/html,<title>elsewhere</title>',
    'app://other/',
  ]) {
    await page.evaluate((target) => {
      const link = document.createElement('a');
      link.href = target;
      document.body.append(link);
      link.click();
      link.remove();
    }, url);
    await page.evaluate((target) => {
      location.href = target;
    }, url);
    // Answered by the page itself, after whatever the lines above have set off.
    expect(await page.evaluate(() => location.href)).toBe('app://parley/');
  }
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getURL())).toBe(
    'app://parley/',
  );
});

test('a page that went blank comes back', async ({ launch }) => {
  const { page } = await launch();
  const wentBlank = page.waitForEvent('framenavigated', (frame) => frame.url() === 'about:blank');
  const cameBack = page.waitForEvent('framenavigated', (frame) => frame.url() === 'app://parley/');
  await page.evaluate(() => {
    location.href = 'about:blank';
  });
  await Promise.all([wentBlank, cameBack]);
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
});

test('the page opens no windows, frames or webviews', async ({ launch }) => {
  const { page, app } = await launch();
  expect(await page.evaluate(() => window.open('https://example.com/') === null)).toBe(true);
  expect(await page.evaluate(() => window.open('app://parley/') === null)).toBe(true);
  const framed = await page.evaluate(async () => {
    const blocked = new Promise<string>((resolve) => {
      document.addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective), {
        once: true,
      });
    });
    const frame = document.createElement('iframe');
    frame.src = 'app://parley/';
    document.body.append(frame);
    return blocked;
  });
  expect(framed).toBe('frame-src');
  await page.evaluate(() => {
    const view = document.createElement('webview');
    view.setAttribute('src', 'app://parley/');
    document.body.append(view);
  });
  expect(
    await app.evaluate(({ BrowserWindow, webContents }) => [
      BrowserWindow.getAllWindows().length,
      webContents.getAllWebContents().length,
    ]),
  ).toEqual([1, 1]);
});

test('the page is granted no permission', async ({ launch }) => {
  const { page } = await launch();
  const answers = await page.evaluate(async () => {
    const state = async (name: string) => {
      const descriptor = { name };
      // The list of names that the declarations know is shorter than Chromium's.
      const status: unknown = await Reflect.apply(navigator.permissions.query, navigator.permissions, [descriptor]);
      return status instanceof PermissionStatus ? status.state : 'unknown';
    };
    return {
      notification: await Notification.requestPermission(),
      geolocation: await state('geolocation'),
      camera: await state('camera'),
      microphone: await state('microphone'),
      clipboard: await navigator.clipboard.readText().then(
        () => 'granted',
        (error: unknown) => (error instanceof Error ? error.name : 'unknown'),
      ),
    };
  });
  expect(answers).toEqual({
    notification: 'denied',
    geolocation: 'denied',
    camera: 'denied',
    microphone: 'denied',
    clipboard: 'NotAllowedError',
  });
});

test('the content security policy forbids evaluation, inline scripts and other origins', async ({ launch }) => {
  const { page } = await launch();
  const headers = await page.evaluate(async () => {
    const response = await fetch('app://parley/');
    return {
      policy: response.headers.get('content-security-policy'),
      sniff: response.headers.get('x-content-type-options'),
    };
  });
  expect(headers.policy).toContain("default-src 'none'");
  expect(headers.policy).toContain("script-src 'self';");
  expect(headers.policy).not.toContain('unsafe-eval');
  expect(headers.sniff).toBe('nosniff');
  const blocked = await page.evaluate(async () => {
    const expected = new Set(['script-src', 'script-src-elem', 'connect-src']);
    const allBlocked = new Promise<string>((resolve) => {
      document.addEventListener('securitypolicyviolation', (event) => {
        expected.delete(event.effectiveDirective);
        if (expected.size === 0) resolve('all blocked');
      });
    });
    // In a task of its own: what the debugger evaluates itself is exempt from the policy.
    const evaluated = await new Promise<string>((resolve) => {
      setTimeout(() => {
        try {
          resolve(new Function('return "evaluated"')());
        } catch (error) {
          resolve(error instanceof Error ? error.name : 'unknown');
        }
      });
    });
    const inline = document.createElement('script');
    inline.textContent = 'window.inlineRan = true';
    document.body.append(inline);
    const remote = await fetch('https://example.com/').then(
      () => 'fetched',
      () => 'refused',
    );
    return { evaluated, inlineRan: 'inlineRan' in window, remote, violations: await allBlocked };
  });
  expect(blocked).toEqual({
    evaluated: 'EvalError',
    inlineRan: false,
    remote: 'refused',
    violations: 'all blocked',
  });
});

test('the page’s own protocol serves nothing but the built page', async ({ launch }) => {
  const { page } = await launch();
  const statuses = await page.evaluate(async () => {
    const paths = [
      '',
      'index.html',
      'nothing.js',
      'assets',
      '..%2fmain%2fmain.mjs',
      '%2e%2e/main/main.mjs',
      '..%5cmain%5cmain.mjs',
      '%00',
      '%E0%A4%A',
    ];
    const results: Record<string, number> = {};
    for (const path of paths) results[path] = (await fetch(`app://parley/${path}`)).status;
    return results;
  });
  const { '': root, 'index.html': index, ...others } = statuses;
  expect([root, index]).toEqual([200, 200]);
  for (const [name, status] of Object.entries(others)) expect(status, name).toBe(404);
});

test('the attachment protocol knows stored images by their id and nothing else', async ({ launch }) => {
  const { page } = await launch();
  const loads = await page.evaluate(async () => {
    const addresses = [
      'attachment://att-20260101-000000-00000000',
      'attachment://..%2f..%2fetc%2fpasswd',
      'attachment:///etc/passwd',
      'attachment://x/',
    ];
    return Promise.all(
      addresses.map(
        (address) =>
          new Promise<string>((resolve) => {
            const image = new Image();
            image.onload = () => resolve('loaded');
            image.onerror = () => resolve('refused');
            image.src = address;
          }),
      ),
    );
  });
  expect(loads).toEqual(Array(4).fill('refused'));
});
