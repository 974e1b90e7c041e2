import { expect, test } from 'vitest';
import { MAIN_MIN_WIDTH, REVIEW_WIDTH, SIDEBAR_WIDTH } from './layout.ts';
import { arrangePanes, type PaneWishes } from './panes.ts';

const wishes: PaneWishes = {
  windowWidth: 1440,
  sidebarOpen: true,
  sidebarWidth: SIDEBAR_WIDTH.initial,
  reviewOpen: true,
  reviewWidth: REVIEW_WIDTH.initial,
  drawer: 'none',
};

test('a wide window has room for all, as wide as was wished', () => {
  expect(arrangePanes(wishes)).toMatchObject({
    sidebar: { place: 'beside', width: SIDEBAR_WIDTH.initial },
    review: { place: 'beside', width: REVIEW_WIDTH.initial },
  });
});

test('a narrower window takes the review’s width before the transcript’s', () => {
  const { sidebar, review } = arrangePanes({ ...wishes, windowWidth: 1024 });
  expect(review.place).toBe('beside');
  expect(1024 - sidebar.width - review.width).toBe(MAIN_MIN_WIDTH);
});

test('a pane that does not fit is a drawer, shown only when it is asked for', () => {
  const narrow = { ...wishes, windowWidth: 760 };
  expect(arrangePanes(narrow)).toMatchObject({
    sidebar: { place: 'beside' },
    review: { place: 'hidden', fits: false },
  });
  expect(arrangePanes({ ...narrow, drawer: 'review' }).review.place).toBe('drawer');
  expect(arrangePanes({ ...narrow, windowWidth: 500 }).sidebar).toMatchObject({ place: 'hidden', fits: false });
});

test('a drawer never outgrows the window', () => {
  const { review } = arrangePanes({ ...wishes, windowWidth: 500, reviewWidth: 900, drawer: 'review' });
  expect(review.width).toBeLessThanOrEqual(500);
});

test('closing the sidebar makes room for the review', () => {
  expect(arrangePanes({ ...wishes, windowWidth: 800 }).review.fits).toBe(false);
  expect(arrangePanes({ ...wishes, windowWidth: 800, sidebarOpen: false }).review.place).toBe('beside');
});
