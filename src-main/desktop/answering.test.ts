import { describe, expect, it } from 'vitest';
import { type CallResult, desktopCalls, engineCalls } from '../../src-shared/api.ts';
import { ParleyError } from '../../src-shared/failure.ts';
import { preferences } from '../../src-shared/preferences.ts';
import { createAnswering, type DesktopHandlers } from './answering.ts';
import type { DesktopEngine } from './engine.ts';

interface Given {
  handlers?: Partial<DesktopHandlers>;
  engineAnswer?: () => Promise<CallResult<unknown>>;
  /** Why the engine could not be opened. */
  engineFailure?: Error;
}

function answering({ handlers, engineAnswer, engineFailure }: Given = {}) {
  const called: string[] = [];
  const engine: DesktopEngine = {
    call: async (name) => {
      called.push(name);
      return engineAnswer === undefined ? { ok: true, value: {} } : engineAnswer();
    },
    on: () => () => {},
    busy: () => 0,
    close: async () => {},
    attachmentFile: () => null,
    artifactFile: () => null,
  };
  const opened = engineFailure === undefined ? Promise.resolve(engine) : Promise.reject(engineFailure);
  opened.catch(() => {});
  const answer = createAnswering(opened, {
    chooseDirectory: () => ({ directory: '/chosen' }),
    getPreferences: () => ({ preferences: preferences.parse({}) }),
    setPreferences: () => ({ preferences: preferences.parse({}) }),
    secretStorage: () => ({ kind: 'session-only', detail: '' }),
    setSecret: () => ({}),
    listSecrets: () => ({ names: [] }),
    openExternal: () => ({ opened: false }),
    copyText: () => ({}),
    revealAttachment: () => ({}),
    revealArtifact: () => ({}),
    saveAttachmentAs: () => ({ path: null }),
    saveArtifactAs: () => ({ path: null }),
    ...handlers,
  });
  return { answer, called };
}

describe('answering a call of the window', () => {
  it('hands every call of the engine to the engine, and none of its own', async () => {
    const { answer, called } = answering();
    for (const name of [...Object.keys(engineCalls), ...Object.keys(desktopCalls)]) await answer(name, {});
    expect(called).toEqual(Object.keys(engineCalls));
  });

  it('refuses what is no plain object before anybody sees it', async () => {
    const { answer, called } = answering();
    for (const input of [undefined, null, 1, 'x', [], new Date(), new Map(), new Uint8Array(2), () => {}]) {
      for (const name of ['about', 'getPreferences']) {
        expect(await answer(name, input)).toMatchObject({ ok: false, error: { code: 'invalid-input' } });
      }
    }
    expect(called).toEqual([]);
  });

  it('says what is wrong with an input without repeating it', async () => {
    const { answer } = answering();
    const result = await answer('copyText', { text: 7, secret: 'hunter2' });
    expect(result).toMatchObject({ ok: false, error: { code: 'invalid-input' } });
    expect(JSON.stringify(result)).toContain('text');
    expect(JSON.stringify(result)).not.toContain('hunter2');
  });

  it('knows no names but those of the contract', async () => {
    const { answer } = answering();
    for (const name of ['nothing', '__proto__', 'constructor', 'hasOwnProperty', 7, null, undefined, {}]) {
      expect(await answer(name, {})).toMatchObject({ ok: false, error: { code: 'unknown-call' } });
    }
  });

  it('turns whatever a handler throws into an error', async () => {
    const known = answering({
      handlers: {
        copyText: () => {
          throw new ParleyError('full', 'The clipboard is full.', 'Empty it.');
        },
      },
    });
    expect(await known.answer('copyText', { text: '' })).toEqual({
      ok: false,
      error: { code: 'full', message: 'The clipboard is full.', hint: 'Empty it.' },
    });
    const unknown = answering({ handlers: { copyText: () => Promise.reject(new TypeError('x is not a function')) } });
    expect(await unknown.answer('copyText', { text: '' })).toMatchObject({ ok: false, error: { code: 'internal' } });
    const broken = answering({ engineAnswer: () => Promise.reject(new Error('gone')) });
    expect(await broken.answer('about', {})).toMatchObject({ ok: false, error: { code: 'internal' } });
  });

  it('answers with an error when the engine could not be opened', async () => {
    const engineFailure = new ParleyError('data-directory', 'It cannot be used.');
    const { answer } = answering({ engineFailure });
    expect(await answer('about', {})).toMatchObject({ ok: false, error: { code: 'data-directory' } });
    expect(await answer('getPreferences', {})).toMatchObject({ ok: true });
  });

  it('lets nothing out that is not as agreed', async () => {
    const wrong: unknown = { directory: 7 };
    const { answer } = answering({ handlers: { chooseDirectory: async () => JSON.parse(JSON.stringify(wrong)) } });
    expect(await answer('chooseDirectory', {})).toMatchObject({ ok: false, error: { code: 'invalid-output' } });
    const more = answering({
      handlers: { chooseDirectory: async () => JSON.parse('{"directory": "/a", "secret": 1}') },
    });
    expect(await more.answer('chooseDirectory', {})).toEqual({ ok: true, value: { directory: '/a' } });
  });
});
