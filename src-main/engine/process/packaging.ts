import { delimiter } from 'node:path';

/**
 * Variables that belong to Parley's own runtime, or to how Parley was packaged and started, and that would change what
 * a child does. The operator's own ones of the same families stay: mirrors for installing Electron, a browser for tests.
 */
const OWN_VARIABLES: readonly RegExp[] = [
  /^ELECTRON_(?!MIRROR$|NIGHTLY_MIRROR$|CUSTOM_|BUILDER_|GET_|CACHE$|SKIP_BINARY_DOWNLOAD$)/,
  /^CHROME_(DESKTOP|WRAPPER|VERSION_EXTRA|CRASHPAD_.*|LOG_FILE|HEADLESS)$/,
  /^(APPIMAGE|APPDIR|APPIMAGE_.*|APPRUN_.*|ARGV0|OWD|DESKTOPINTEGRATION|APPIMAGELAUNCHER_.*)$/,
  /^(SNAP|SNAP_.*)$/,
  /^PARLEY_/,
  /^(NODE_OPTIONS|NODE_CHANNEL_.*)$/,
  // In small letters: what npm sets for a script. NPM_TOKEN and NPM_CONFIG_… are the operator's.
  /^(npm_.*|INIT_CWD)$/,
  /^(VITE_.*|VITEST.*)$/,
  /^(GDK_BACKEND|ORIGINAL_XDG_.*)$/,
  /^(MAGI_RUN|MAGI_NODE|MAGI_SEAT)$/,
];

/** Where AppImage launchers keep what a variable was before they set it; empty when there was none. */
const ORIGINAL = /^(?:APPIMAGE|APPRUN)_ORIGINAL_(.+)$/;
/** A whole value, or one entry of a list, that lies in one of these is the package's and not the operator's. */
const PACKAGE_ROOTS = ['APPDIR', 'SNAP', 'SNAP_USER_DATA', 'SNAP_USER_COMMON'];

/** The operator's environment as it was before Parley was started: what Parley's runtime and package set is taken away. */
export function operatorEnvironment(base: NodeJS.ProcessEnv): Record<string, string> {
  const variables: Record<string, string> = {};
  const roots = PACKAGE_ROOTS.flatMap((name) => (base[name]?.startsWith('/') ? [withoutSlash(base[name])] : []));
  for (const [name, value] of Object.entries(base)) {
    if (value === undefined || OWN_VARIABLES.some((own) => own.test(name))) continue;
    const kept = withoutPackage(value, roots);
    if (kept !== null) variables[name] = kept;
  }
  for (const [name, value] of Object.entries(base)) restore(variables, ORIGINAL.exec(name)?.[1], value);
  // Chromium changes the one and keeps what it was in the other. A snap moves HOME into its own directory.
  restore(variables, 'XDG_CURRENT_DESKTOP', base.ORIGINAL_XDG_CURRENT_DESKTOP);
  restore(variables, 'HOME', base.SNAP_REAL_HOME);
  return variables;
}

function restore(variables: Record<string, string>, name: string | undefined, value: string | undefined): void {
  if (name === undefined || value === undefined || OWN_VARIABLES.some((own) => own.test(name))) return;
  if (value === '') delete variables[name];
  else variables[name] = value;
}

/** Takes the entries that lie in a package out of a value; `null` when nothing is left. */
function withoutPackage(value: string, roots: readonly string[]): string | null {
  const isInside = (entry: string) => roots.some((root) => entry === root || entry.startsWith(`${root}/`));
  const entries = value.split(delimiter);
  const kept = entries.filter((entry) => !isInside(entry));
  if (kept.length === entries.length) return value;
  // An AppImage's start script leaves an empty entry where a list was not set: it would mean the working directory.
  const named = kept.filter((entry) => entry !== '');
  return named.length === 0 ? null : named.join(delimiter);
}

function withoutSlash(path: string): string {
  return path.replace(/\/+$/, '');
}
