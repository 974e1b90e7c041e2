/** What the mounted composer can be asked to do from elsewhere: by a command, the menu, or after a dialog. */
export interface ComposerHandle {
  focus(): void;
  pickImages(): void;
}

let composer: ComposerHandle | null = null;
/** The focus was asked for before the composer was there. */
let isAwaited = false;

/** Called by the composer while it is mounted; returns the end of that. */
export function offerComposer(handle: ComposerHandle): () => void {
  composer = handle;
  if (isAwaited) handle.focus();
  isAwaited = false;
  return () => {
    if (composer === handle) composer = null;
  };
}

/** Puts the focus into the composer, now or as soon as it is drawn. */
export function focusComposer(): void {
  isAwaited = composer === null;
  composer?.focus();
}

let find: { focus(): void } | null = null;

/** Called by the find bar while it is mounted; returns the end of that. */
export function offerFind(handle: { focus(): void }): () => void {
  find = handle;
  return () => {
    if (find === handle) find = null;
  };
}

/** Puts the focus into the find bar, if it is open. */
export function focusFind(): void {
  find?.focus();
}

export function pickImages(): void {
  composer?.pickImages();
}
