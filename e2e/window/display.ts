import { hasDisplay, startDisplay } from '../../scripts/display.mjs';

/** Gives all windows of a test run a virtual display where there is no real one. */
export default async function giveDisplay(): Promise<(() => Promise<void>) | undefined> {
  if (hasDisplay(process.env, process.platform)) return undefined;
  const { display, close } = await startDisplay();
  process.env.DISPLAY = display;
  return close;
}
