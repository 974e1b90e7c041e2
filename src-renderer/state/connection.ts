import { create } from 'zustand';
import { onBridgeOffline } from './bridge.ts';

/** Why the bridge to the engine is gone; `null` while it answers. */
export const useConnection = create<{ offline: string | null }>()(() => ({ offline: null }));

onBridgeOffline((message) => useConnection.setState({ offline: message }));
