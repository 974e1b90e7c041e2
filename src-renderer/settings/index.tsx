export { InstallHint } from './InstallHint.tsx';
export { SettingsDialog } from './SettingsDialog.tsx';
