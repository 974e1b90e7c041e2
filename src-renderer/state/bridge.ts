import type {
  Bridge,
  BridgeCallName,
  BridgeEventName,
  CallInput,
  CallOutput,
  CallResult,
  EventPayload,
} from '../../src-shared/api.ts';
import { errorText } from '../../src-shared/failure.ts';

declare global {
  interface Window {
    /** Set by the preload script; missing when the page was opened outside Parley. */
    readonly parley?: Bridge;
  }
}

const OFFLINE_HINT = 'Close this window and start Parley again; what you wrote is stored.';

let told: (offline: string | null) => void = () => {};

/** Sets who is told, after every call, why the bridge itself (not the engine) did not answer; `null` when it did. */
export function onBridgeState(listener: (offline: string | null) => void): void {
  told = listener;
}

/** Calls the engine or the desktop. Never throws: a bridge that is gone is a failure like any other. */
export async function call<Name extends BridgeCallName>(
  name: Name,
  input: CallInput<Name>,
): Promise<CallResult<CallOutput<Name>>> {
  const bridge = window.parley;
  if (bridge === undefined) {
    const message = 'This window has no connection to Parley’s engine.';
    told(message);
    return { ok: false, error: { code: 'offline', message, hint: OFFLINE_HINT } };
  }
  try {
    const result = await bridge.call(name, input);
    // What preload answers when the main process did not.
    told(!result.ok && result.error.code === 'bridge' ? result.error.message : null);
    return result;
  } catch (error) {
    const message = `Parley’s engine did not answer: ${errorText(error)}.`;
    told(message);
    return { ok: false, error: { code: 'offline', message, hint: OFFLINE_HINT } };
  }
}

/** Listens to one kind of event; returns a function that ends it. */
export function listen<Name extends BridgeEventName>(
  event: Name,
  listener: (payload: EventPayload<Name>) => void,
): () => void {
  return window.parley?.on(event, listener) ?? (() => {});
}
