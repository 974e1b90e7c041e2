/** What the mounted composer can be asked to do from elsewhere: by a command, the menu, or after a dialog. */
export interface ComposerHandle {
  focus(): void;
  pickImages(): void;
}

let composer: ComposerHandle | null = null;

/** Called by the composer while it is mounted; returns the end of that. */
export function offerComposer(handle: ComposerHandle): () => void {
  composer = handle;
  return () => {
    if (composer === handle) composer = null;
  };
}

export function focusComposer(): void {
  composer?.focus();
}

export function pickImages(): void {
  composer?.pickImages();
}
