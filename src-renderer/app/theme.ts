import { usePreferences } from '../state/preferences.ts';

const systemIsDark = window.matchMedia('(prefers-color-scheme: dark)');

function applyTheme(): void {
  const { theme } = usePreferences.getState().preferences;
  const isDark = theme === 'dark' || (theme === 'system' && systemIsDark.matches);
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
}

/** Sets `data-theme` and keeps it true to the preference and the system. */
export function followTheme(): void {
  applyTheme();
  systemIsDark.addEventListener('change', applyTheme);
  usePreferences.subscribe(applyTheme);
}
