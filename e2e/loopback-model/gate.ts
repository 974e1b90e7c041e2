/** A place in a reply at which the model stands still until the test lets it go on. */
export interface Gate {
  /** Settles when the model has come to the gate. */
  readonly reached: Promise<void>;
  /** Settles when the gate is open. */
  readonly opened: Promise<void>;
  reach(): void;
  open(): void;
}

export function createGate(): Gate {
  const reached = signal();
  const opened = signal();
  return { reached: reached.promise, opened: opened.promise, reach: reached.settle, open: opened.settle };
}

function signal(): { promise: Promise<void>; settle: () => void } {
  let settle: () => void = () => {};
  const promise = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { promise, settle };
}
