import { MAIN_MIN_WIDTH, REVIEW_WIDTH, SIDEBAR_WIDTH, useLayout } from './layout.ts';

export interface PaneWishes {
  windowWidth: number;
  sidebarOpen: boolean;
  sidebarWidth: number;
  reviewOpen: boolean;
  reviewWidth: number;
  drawer: 'none' | 'sidebar' | 'review';
}

export interface Pane {
  /** `drawer`: over the transcript, because there is no room beside it. */
  place: 'beside' | 'drawer' | 'hidden';
  width: number;
  /** Whether there is room beside the transcript. */
  fits: boolean;
}

export const clamp = (value: number, min: number, max: number) => Math.max(min, Math.min(value, max));

/** Where the panes stand. What is remembered is what was wished; a narrow window only changes what is shown. */
export function arrangePanes(wishes: PaneWishes): { sidebar: Pane; review: Pane } {
  const { windowWidth, sidebarOpen, reviewOpen, drawer } = wishes;
  const place = (fits: boolean, open: boolean, name: 'sidebar' | 'review'): Pane['place'] => {
    if (fits) return open ? 'beside' : 'hidden';
    return drawer === name ? 'drawer' : 'hidden';
  };
  const sidebarFits = windowWidth >= SIDEBAR_WIDTH.min + MAIN_MIN_WIDTH;
  const sidebarRoom = Math.max(SIDEBAR_WIDTH.min, windowWidth - MAIN_MIN_WIDTH);
  const sidebar: Pane = {
    fits: sidebarFits,
    place: place(sidebarFits, sidebarOpen, 'sidebar'),
    width: clamp(wishes.sidebarWidth, SIDEBAR_WIDTH.min, Math.min(SIDEBAR_WIDTH.max, sidebarRoom)),
  };
  const left = windowWidth - MAIN_MIN_WIDTH - (sidebar.place === 'beside' ? sidebar.width : 0);
  const reviewFits = left >= REVIEW_WIDTH.min;
  const reviewRoom = reviewFits ? left : windowWidth;
  const review: Pane = {
    fits: reviewFits,
    place: place(reviewFits, reviewOpen, 'review'),
    width: clamp(
      wishes.reviewWidth,
      REVIEW_WIDTH.min,
      Math.max(REVIEW_WIDTH.min, Math.min(REVIEW_WIDTH.max, reviewRoom)),
    ),
  };
  return { sidebar, review };
}

/** Shows or hides a pane: beside the transcript where it fits, over it where it does not. */
export function togglePane(name: 'sidebar' | 'review', wanted?: boolean): void {
  const layout = useLayout.getState();
  const pane = arrangePanes({ ...layout, windowWidth: window.innerWidth })[name];
  const open = wanted ?? pane.place === 'hidden';
  if (!pane.fits) useLayout.setState({ drawer: open ? name : 'none' });
  else useLayout.setState(name === 'sidebar' ? { sidebarOpen: open } : { reviewOpen: open });
}
