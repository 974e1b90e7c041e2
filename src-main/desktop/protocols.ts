import { open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { protocol, type Session } from 'electron';
import { attachmentId } from '../../src-shared/ids.ts';
import { contentType, fileBelow, streamFile } from './assets.ts';
import type { DesktopEngine } from './engine.ts';

export const PAGE_ORIGIN = 'app://parley';
export const PAGE_URL = `${PAGE_ORIGIN}/`;

/**
 * Styles may be inline because xterm and Radix write `<style>` elements; scripts never are, and nothing is evaluated.
 */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' attachment: blob: data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "frame-src 'none'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Whether an address is of Parley's own page. */
export function isOwnPage(url: string): boolean {
  try {
    const { protocol: scheme, host } = new URL(url);
    return scheme === 'app:' && host === 'parley';
  } catch {
    // No address at all, as of a frame that is gone.
    return false;
  }
}

/** Must run before Electron is ready. */
export function declareSchemes(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
    { scheme: 'attachment', privileges: { standard: true, secure: true, stream: true } },
  ]);
}

const GUARDS = { 'X-Content-Type-Options': 'nosniff', 'Cross-Origin-Resource-Policy': 'cross-origin' };

const notFound = () =>
  new Response('Not found', { status: 404, headers: { 'Content-Type': 'text/plain; charset=utf-8', ...GUARDS } });

async function pageResponse(request: Request, root: string): Promise<Response> {
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.host !== 'parley') return notFound();
  const file = await fileBelow(root, url.pathname === '/' ? '/index.html' : url.pathname);
  if (file === null) return notFound();
  const type = contentType(file);
  if (type === null) return notFound();
  return new Response(await readFile(file), {
    headers: {
      'Content-Type': type,
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-cache',
      ...GUARDS,
    },
  });
}

async function attachmentResponse(request: Request, engine: Promise<DesktopEngine>): Promise<Response> {
  const id = attachmentId.safeParse(new URL(request.url).hostname);
  if (request.method !== 'GET' || !id.success) return notFound();
  const stored = (await engine).attachmentFile(id.data);
  if (stored === null) return notFound();
  const handle = await open(stored.path, 'r').catch(() => null);
  if (handle === null) return notFound();
  const { size } = await handle.stat();
  return new Response(streamFile(handle), {
    headers: {
      'Content-Type': stored.mime,
      'Content-Length': String(size),
      'Content-Security-Policy': "default-src 'none'; sandbox",
      // An attachment never changes: it is stored under the hash of its bytes.
      'Cache-Control': 'private, max-age=31536000, immutable',
      ...GUARDS,
    },
  });
}

/** Serves the window's files as `app://parley/…` and the stored images as `attachment://<attachmentId>`. */
export function serveProtocols(session: Session, rendererRoot: string, engine: Promise<DesktopEngine>): void {
  session.protocol.handle('app', (request) => pageResponse(request, path.resolve(rendererRoot)));
  session.protocol.handle('attachment', (request) => attachmentResponse(request, engine));
}
