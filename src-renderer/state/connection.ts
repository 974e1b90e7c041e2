import { create } from 'zustand';
import { onBridgeState } from './bridge.ts';

/** Why the bridge to the engine is gone; `null` while it answers. */
export const useConnection = create<{ offline: string | null }>()(() => ({ offline: null }));

onBridgeState((offline) => {
  if (useConnection.getState().offline !== offline) useConnection.setState({ offline });
});
