import { useSyncExternalStore } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { useLayout } from '../state/layout.ts';
import { arrangePanes } from '../state/panes.ts';

function subscribeToWidth(listener: () => void): () => void {
  window.addEventListener('resize', listener);
  return () => window.removeEventListener('resize', listener);
}

/** Where the panes stand in this window, now. */
export function usePanes() {
  const windowWidth = useSyncExternalStore(subscribeToWidth, () => window.innerWidth);
  const wishes = useLayout(
    useShallow(({ sidebarOpen, sidebarWidth, reviewOpen, reviewWidth, drawer }) => ({
      sidebarOpen,
      sidebarWidth,
      reviewOpen,
      reviewWidth,
      drawer,
    })),
  );
  return arrangePanes({ ...wishes, windowWidth });
}
