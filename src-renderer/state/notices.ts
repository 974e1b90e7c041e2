import { create } from 'zustand';
import type { Failure } from '../../src-shared/failure.ts';

export interface Notice {
  readonly key: number;
  readonly level: 'info' | 'warning' | 'failure';
  readonly text: string;
  readonly hint: string;
}

/** Older notices make room; the newest are what the operator just did. */
const MAX_NOTICES = 5;

interface NoticesState {
  notices: readonly Notice[];
  dismiss(key: number): void;
}

/** What the operator should know and what belongs to no conversation. Stays until it is dismissed. */
export const useNotices = create<NoticesState>()((set) => ({
  notices: [],
  dismiss: (key) => set(({ notices }) => ({ notices: notices.filter((notice) => notice.key !== key) })),
}));

let lastKey = 0;

export function tell(level: Notice['level'], text: string, hint = ''): void {
  useNotices.setState(({ notices }) => {
    // Said already and not yet dismissed: saying it twice tells nothing.
    if (notices.some((notice) => notice.text === text && notice.level === level)) return { notices };
    lastKey += 1;
    return { notices: [...notices, { key: lastKey, level, text, hint }].slice(-MAX_NOTICES) };
  });
}

export function tellFailure(failure: Failure): void {
  tell('failure', failure.message, failure.hint);
}
