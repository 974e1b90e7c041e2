import { call } from './bridge.ts';
import { tellFailure } from './notices.ts';

/** Puts text on the clipboard; `false` when that failed, which the operator is told. */
export async function copyText(text: string): Promise<boolean> {
  const result = await call('copyText', { text });
  if (!result.ok) tellFailure(result.error);
  return result.ok;
}

/** Asks the desktop to open an https: or mailto: address outside of Parley. */
export async function openOutside(url: string): Promise<void> {
  const result = await call('openExternal', { url });
  if (!result.ok) tellFailure(result.error);
}
