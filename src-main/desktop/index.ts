export { type DesktopOptions, runDesktop } from './desktop.ts';
export type { DesktopEngine } from './engine.ts';
