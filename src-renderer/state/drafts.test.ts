import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { BridgeCallName, CallResult } from '../../src-shared/api.ts';
import type { Attachment } from '../../src-shared/attachments.ts';
import { MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS_PER_MESSAGE } from '../../src-shared/limits.ts';
import type { call } from './bridge.ts';
import { canSend, createDrafts, EMPTY_DRAFT, SAVE_DELAY_MS } from './drafts.ts';
import type { IntakeFile } from './intake.ts';
import { conversationAt, deferred, sampleAttachment, sampleTurn } from './samples.ts';

const here = conversationAt(1);
const there = conversationAt(2);

/** The engine's side of the bridge, as far as drafts go: what it keeps, and what it was told, in order. */
function createEngineSide() {
  const told: { name: BridgeCallName; input: unknown }[] = [];
  const stored = new Map<string, { text: string; ids: readonly string[] }>();
  const refusals = new Map<BridgeCallName, string>();
  let images = 0;
  const answer = (name: BridgeCallName, input: unknown): CallResult<unknown> => {
    told.push({ name, input });
    const refused = refusals.get(name);
    if (refused !== undefined) return { ok: false, error: { code: refused, message: `${name} failed.`, hint: '' } };
    const field = (key: string): unknown =>
      typeof input === 'object' && input !== null ? Reflect.get(input, key) : undefined;
    const id = String(field('conversationId'));
    switch (name) {
      case 'saveDraft': {
        const ids = field('attachmentIds');
        stored.set(id, { text: String(field('text')), ids: Array.isArray(ids) ? ids.map(String) : [] });
        return { ok: true, value: { draft: { text: '', attachments: [] } } };
      }
      case 'addAttachment': {
        images += 1;
        const attachment: Attachment = { ...sampleAttachment(images), name: String(field('name')) };
        return { ok: true, value: { attachment } };
      }
      case 'sendMessage':
        stored.delete(id);
        return { ok: true, value: { turn: sampleTurn(1, { text: String(field('text')) }) } };
      default:
        return { ok: true, value: {} };
    }
  };
  // The store is written against the typed bridge; this side of it is as untyped as the wire.
  const typed: unknown = (name: BridgeCallName, input: unknown) => Promise.resolve(answer(name, input));
  const isCall = (candidate: unknown): candidate is typeof call => typeof candidate === 'function';
  if (!isCall(typed)) throw new Error('unreachable');
  return { call: typed, told, stored, refusals, names: () => told.map(({ name }) => name) };
}

const image = (name: string, more: Partial<IntakeFile> = {}): IntakeFile => ({
  name,
  isDirectory: false,
  size: 4,
  type: 'image/png',
  read: () => Promise.resolve(new ArrayBuffer(4)),
  ...more,
});

const failing = (name: string, error: string): IntakeFile =>
  image(name, { read: () => Promise.reject(new DOMException('no', error)) });

let engine = createEngineSide();
let drafts = createDrafts(engine.call);
const draft = (id = here) => drafts.getState().byConversation[id] ?? EMPTY_DRAFT;
const { addFiles, send, setText, remove, retry, adopt, flush, flushAll } = {
  addFiles: (files: IntakeFile[]) => drafts.getState().addFiles(here, files),
  send: () => drafts.getState().send(here, null),
  setText: (text: string, id = here) => drafts.getState().setText(id, text),
  remove: (key: string) => drafts.getState().remove(here, key),
  retry: (key: string) => drafts.getState().retry(here, key),
  adopt: (text: string) => drafts.getState().adopt(here, { text, attachments: [] }),
  flush: () => drafts.getState().flush(here),
  flushAll: () => drafts.getState().flushAll(),
};
const added = () => vi.waitFor(() => expect(draft().items.some((item) => item.kind === 'adding')).toBe(false));
const failures = () => draft().items.flatMap((item) => (item.kind === 'failed' ? [item] : []));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  engine = createEngineSide();
  drafts = createDrafts(engine.call);
});
afterEach(() => vi.useRealTimers());

describe('text', () => {
  test('is stored when typing rests, once', async () => {
    setText('a');
    await vi.advanceTimersByTimeAsync(SAVE_DELAY_MS - 1);
    setText('ab');
    await vi.advanceTimersByTimeAsync(SAVE_DELAY_MS - 1);
    expect(engine.names()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(engine.names()).toEqual(['saveDraft']);
    expect(engine.stored.get(here)?.text).toBe('ab');
  });

  test('is stored at once when the conversation is left, and each keeps its own', async () => {
    setText('here');
    setText('there', there);
    flush();
    await vi.waitFor(() => expect(engine.stored.get(here)?.text).toBe('here'));
    expect(engine.stored.has(there)).toBe(false);
    flushAll();
    expect(engine.stored.get(there)?.text).toBe('there');
  });

  test('that is newer than what is stored is not overwritten by an opened snapshot', () => {
    setText('newer');
    adopt('older');
    expect(draft().text).toBe('newer');
  });

  test('is taken from the snapshot when the window has nothing newer', () => {
    adopt('stored');
    expect(draft().text).toBe('stored');
  });

  test('that could not be stored says so', async () => {
    engine.refusals.set('saveDraft', 'disk');
    setText('a');
    await vi.advanceTimersByTimeAsync(SAVE_DELAY_MS);
    expect(draft().failure?.message).toBe('saveDraft failed.');
    expect(draft().text).toBe('a');
  });
});

describe('images', () => {
  test('are added in the order in which they came, however long each takes to read', async () => {
    const slow = deferred<ArrayBuffer>();
    addFiles([image('slow.png', { read: () => slow.promise }), image('quick.png')]);
    expect(draft().items.map((item) => item.kind)).toEqual(['adding', 'adding']);
    slow.resolve(new ArrayBuffer(1));
    await added();
    expect(draft().items.map((item) => (item.kind === 'ready' ? item.attachment.name : ''))).toEqual([
      'slow.png',
      'quick.png',
    ]);
  });

  test('that are refused stay visible with their sentence, and the rest is kept', async () => {
    addFiles([
      image('a folder', { isDirectory: true }),
      image('huge.png', { size: MAX_ATTACHMENT_BYTES + 1 }),
      failing('gone.png', 'NotFoundError'),
      failing('locked.png', 'NotReadableError'),
      image('good.png'),
    ]);
    await added();
    expect(failures().map((item) => item.sentence)).toEqual([
      expect.stringContaining('is a folder'),
      expect.stringContaining('the limit is 20.0 MiB'),
      expect.stringContaining('was gone before it could be read'),
      expect.stringContaining('could not be read'),
    ]);
    expect(draft().items.filter((item) => item.kind === 'ready')).toHaveLength(1);
    // None of the refused was read or sent across.
    expect(engine.names()).toEqual(['addAttachment']);
  });

  test('above the count of a message are refused without being read', async () => {
    addFiles(Array.from({ length: MAX_ATTACHMENTS_PER_MESSAGE + 1 }, (_, index) => image(`${index}.png`)));
    await added();
    expect(draft().items.filter((item) => item.kind === 'ready')).toHaveLength(MAX_ATTACHMENTS_PER_MESSAGE);
    expect(failures().map((item) => item.sentence)).toEqual([expect.stringContaining('a message takes 20 images')]);
  });

  test('that vanished can be tried again; those that the engine refused cannot', async () => {
    let attempts = 0;
    const flaky = image('flaky.png', {
      read: () => {
        attempts += 1;
        return attempts === 1
          ? Promise.reject(new DOMException('', 'NotReadableError'))
          : Promise.resolve(new ArrayBuffer(4));
      },
    });
    addFiles([flaky]);
    await added();
    const [failed] = failures();
    if (failed === undefined) throw new Error('nothing failed');
    retry(failed.key);
    await added();
    expect(failures()).toEqual([]);
    engine.refusals.set('addAttachment', 'attachment-refused');
    addFiles([image('page.png')]);
    await added();
    expect(failures()[0]?.retry).toBeNull();
  });

  test('that are removed while they are being added do not come back', async () => {
    const slow = deferred<ArrayBuffer>();
    const read = vi.fn(() => slow.promise);
    addFiles([image('slow.png', { read })]);
    await vi.waitFor(() => expect(read).toHaveBeenCalled());
    remove(draft().items[0]?.key ?? '');
    slow.resolve(new ArrayBuffer(1));
    await vi.waitFor(() => expect(engine.names()).toEqual(['addAttachment', 'removeAttachment']));
    expect(draft().items).toEqual([]);
  });

  test('that are removed before their turn are not even read', async () => {
    const slow = deferred<ArrayBuffer>();
    const read = vi.fn(() => Promise.resolve(new ArrayBuffer(1)));
    addFiles([image('slow.png', { read: () => slow.promise }), image('unwanted.png', { read })]);
    remove(draft().items[1]?.key ?? '');
    slow.resolve(new ArrayBuffer(1));
    await added();
    expect(read).not.toHaveBeenCalled();
    expect(draft().items).toHaveLength(1);
  });
});

describe('sending', () => {
  test('waits until every image is added', async () => {
    const slow = deferred<ArrayBuffer>();
    setText('look');
    addFiles([image('slow.png', { read: () => slow.promise })]);
    expect(canSend(draft())).toBe(false);
    expect(await send()).toBeNull();
    slow.resolve(new ArrayBuffer(1));
    await added();
    expect(canSend(draft())).toBe(true);
  });

  test('takes exactly what was shown at the click, and what came later stays', async () => {
    setText('first');
    addFiles([image('shown.png')]);
    await added();
    const sending = send();
    setText('typed meanwhile');
    addFiles([image('later.png')]);
    expect((await sending)?.text).toBe('first');
    await added();
    const sent = engine.told.find(({ name }) => name === 'sendMessage');
    expect(sent?.input).toMatchObject({ text: 'first', attachmentIds: [sampleAttachment(1).id] });
    expect(draft().text).toBe('typed meanwhile');
    expect(draft().items).toMatchObject([{ kind: 'ready', attachment: { name: 'later.png' } }]);
    // Sending has emptied the stored draft; what was typed meanwhile is stored after it.
    await vi.advanceTimersByTimeAsync(SAVE_DELAY_MS);
    expect(engine.stored.get(here)?.text).toBe('typed meanwhile');
  });

  test('that fails puts text and images back, before what was typed meanwhile, and says why', async () => {
    setText('first');
    addFiles([image('shown.png')]);
    await added();
    engine.refusals.set('sendMessage', 'disk-full');
    const sending = send();
    setText('second');
    expect(await sending).toBeNull();
    expect(draft()).toMatchObject({
      text: 'first\nsecond',
      items: [{ kind: 'ready', attachment: { name: 'shown.png' } }],
      failure: { message: 'sendMessage failed.' },
      sending: false,
    });
  });

  test('does not store the draft behind the message that was made of it', async () => {
    setText('sent');
    await send();
    await vi.advanceTimersByTimeAsync(SAVE_DELAY_MS * 2);
    expect(engine.names()).toEqual(['sendMessage']);
    expect(engine.stored.has(here)).toBe(false);
  });

  test('needs text or an image', async () => {
    setText('  \n ');
    expect(canSend(draft())).toBe(false);
    addFiles([image('only.png')]);
    await added();
    expect(canSend(draft())).toBe(true);
  });

  test('keeps the notes of refused files until they are dismissed', async () => {
    addFiles([image('a folder', { isDirectory: true })]);
    await added();
    setText('go');
    await send();
    expect(failures()).toHaveLength(1);
    remove(failures()[0]?.key ?? '');
    expect(draft().items).toEqual([]);
  });
});
