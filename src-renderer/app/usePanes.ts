import { useSyncExternalStore } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { useLayout } from '../state/layout.ts';
import { arrangePanes } from './panes.ts';

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

/** Shows or hides a pane: beside the transcript where it fits, over it where it does not. */
export function togglePane(name: 'sidebar' | 'review', wanted?: boolean): void {
  const layout = useLayout.getState();
  const pane = arrangePanes({ ...layout, windowWidth: window.innerWidth })[name];
  const open = wanted ?? pane.place === 'hidden';
  if (!pane.fits) useLayout.setState({ drawer: open ? name : 'none' });
  else useLayout.setState(name === 'sidebar' ? { sidebarOpen: open } : { reviewOpen: open });
}
