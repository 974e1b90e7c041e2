import Store from 'electron-store';
import { z } from 'zod';

const windowState = z.object({
  bounds: z.object({ x: z.number().int(), y: z.number().int(), width: z.number().int(), height: z.number().int() }),
  maximized: z.boolean(),
});
export type WindowState = z.infer<typeof windowState>;

export interface WindowStateStore {
  get(): WindowState | null;
  set(state: WindowState): void;
}

/** Where the window was, in `window.json`. What cannot be read is forgotten: it is worth no question. */
export function openWindowState(dataDirectory: string): WindowStateStore {
  const store = new Store<Record<string, unknown>>({ cwd: dataDirectory, name: 'window', clearInvalidConfig: true });
  return {
    get: () => windowState.safeParse(store.store).data ?? null,
    set(state) {
      store.store = state;
    },
  };
}
