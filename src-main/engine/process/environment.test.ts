import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { childEnvironment, operatorEnvironment } from './index.ts';

const own = { run: 'run-1', node: 'chat', seat: 'seat-1', marker: 'inv-1', cacheDir: '/cache' };

/** What a real child finds in its environment. */
async function seenByChild(variables: Record<string, string>): Promise<Record<string, string>> {
  const print = 'process.stdout.write(JSON.stringify(process.env))';
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', print], { env: variables });
  return JSON.parse(stdout);
}

describe('the environment of a real child', () => {
  it('is the operator’s, with what Parley sets, and nothing of Parley’s own', async () => {
    const base = {
      HOME: '/home/o',
      USER: 'o',
      LANG: 'de_DE.ISO-8859-1',
      LC_ALL: 'de_DE.ISO-8859-1',
      PATH: '/tmp/.mount_Parley/usr/bin:/usr/bin',
      SSH_AUTH_SOCK: '/run/ssh',
      HTTPS_PROXY: 'http://proxy:1',
      NODE_EXTRA_CA_CERTS: '/certs.pem',
      NPM_TOKEN: 'of the operator',
      CHROME_PATH: '/usr/bin/chromium',
      ELECTRON_MIRROR: 'http://mirror',
      ELECTRON_RUN_AS_NODE: '1',
      ELECTRON_NO_ATTACH_CONSOLE: '1',
      CHROME_DESKTOP: 'parley.desktop',
      ORIGINAL_XDG_CURRENT_DESKTOP: 'GNOME',
      XDG_CURRENT_DESKTOP: 'Unity',
      APPIMAGE: '/home/o/Parley.AppImage',
      APPDIR: '/tmp/.mount_Parley',
      ARGV0: './Parley.AppImage',
      OWD: '/home/o',
      PARLEY_HOME: '/data',
      PARLEY_ELECTRON: '/electron',
      NODE_OPTIONS: '--inspect',
      npm_config_prefix: '/p',
      INIT_CWD: '/p',
      MAGI_RUN: 'of a surrounding run',
      PARLEY_INVOCATION: 'of a surrounding invocation',
    };
    const { variables, set } = childEnvironment(base, '/login/bin:/usr/bin', own, { API_KEY: 'x' });
    expect(await seenByChild(variables)).toEqual({
      HOME: '/home/o',
      USER: 'o',
      LANG: 'de_DE.ISO-8859-1',
      LC_CTYPE: process.platform === 'darwin' ? 'UTF-8' : 'C.UTF-8',
      PATH: '/login/bin:/usr/bin',
      SSH_AUTH_SOCK: '/run/ssh',
      HTTPS_PROXY: 'http://proxy:1',
      NODE_EXTRA_CA_CERTS: '/certs.pem',
      NPM_TOKEN: 'of the operator',
      CHROME_PATH: '/usr/bin/chromium',
      ELECTRON_MIRROR: 'http://mirror',
      XDG_CURRENT_DESKTOP: 'GNOME',
      GIT_TERMINAL_PROMPT: '0',
      MAGI_RUN: 'run-1',
      MAGI_NODE: 'chat',
      MAGI_SEAT: 'seat-1',
      PARLEY_INVOCATION: 'inv-1',
      CARGO_TARGET_DIR: '/cache',
      API_KEY: 'x',
      ...(process.platform === 'darwin' ? { __CF_USER_TEXT_ENCODING: expect.any(String) } : {}),
    });
    expect(set).toEqual([
      'API_KEY',
      'CARGO_TARGET_DIR',
      'GIT_TERMINAL_PROMPT',
      'LC_CTYPE',
      'MAGI_NODE',
      'MAGI_RUN',
      'MAGI_SEAT',
      'PARLEY_INVOCATION',
      'PATH',
    ]);
  });

  it('cannot be told another run, another marker or another PATH by what is added for an agent', async () => {
    const { variables } = childEnvironment({ LANG: 'C.UTF-8' }, '/login', own, {
      MAGI_RUN: 'x',
      MAGI_NODE: 'x',
      MAGI_SEAT: 'x',
      PARLEY_INVOCATION: 'x',
      PATH: '/x',
      GIT_TERMINAL_PROMPT: '1',
      LC_ALL: 'C',
    });
    expect(await seenByChild(variables)).toMatchObject({
      MAGI_RUN: 'run-1',
      MAGI_NODE: 'chat',
      MAGI_SEAT: 'seat-1',
      PARLEY_INVOCATION: 'inv-1',
      PATH: '/login',
      GIT_TERMINAL_PROMPT: '0',
    });
    expect(variables).not.toHaveProperty('LC_ALL');
  });

  it('has no build cache when none is set, and the agent’s own when one is added', () => {
    const { cacheDir: _cacheDir, ...without } = own;
    expect(childEnvironment({}, '/bin', without, {}).variables).not.toHaveProperty('CARGO_TARGET_DIR');
    const { variables } = childEnvironment({}, '/bin', own, { CARGO_TARGET_DIR: '/own', LANG: 'C.UTF-8' });
    expect(variables).toMatchObject({ CARGO_TARGET_DIR: '/own', LANG: 'C.UTF-8' });
    expect(variables).not.toHaveProperty('LC_CTYPE');
  });
});

describe('operatorEnvironment', () => {
  it('gives back what an AppImage’s start script has changed', () => {
    expect(
      operatorEnvironment({
        APPDIR: '/tmp/.mount_P/',
        PATH: '/tmp/.mount_P:/tmp/.mount_P/usr/sbin:/usr/bin',
        XDG_DATA_DIRS: '/tmp/.mount_P/usr/share/:/usr/share:/tmp/.mount_Photos/share',
        LD_LIBRARY_PATH: '/tmp/.mount_P/usr/lib:',
        GSETTINGS_SCHEMA_DIR: '/tmp/.mount_P/usr/share/glib-2.0/schemas:',
        GTK_PATH: '/tmp/.mount_P/usr/lib/gtk-3.0',
        PYTHONHOME: '/tmp/.mount_P/usr',
        APPIMAGE_ORIGINAL_PYTHONHOME: '',
        APPIMAGE_ORIGINAL_GTK_THEME: 'Adwaita',
        GTK_THEME: 'of the package',
        APPIMAGE_ORIGINAL_QT_PLUGIN_PATH: '',
        QT_PLUGIN_PATH: 'relative/of/the/package',
      }),
    ).toEqual({
      PATH: '/usr/bin',
      XDG_DATA_DIRS: '/usr/share:/tmp/.mount_Photos/share',
      GTK_THEME: 'Adwaita',
    });
  });

  it('gives back what a snap has changed', () => {
    expect(
      operatorEnvironment({
        SNAP: '/snap/parley/7',
        SNAP_NAME: 'parley',
        SNAP_USER_DATA: '/home/o/snap/parley/7',
        SNAP_REAL_HOME: '/home/o',
        HOME: '/home/o/snap/parley/7',
        XDG_CONFIG_HOME: '/home/o/snap/parley/7/.config',
        LD_LIBRARY_PATH: '/snap/parley/7/usr/lib:/opt/cuda/lib',
        GIO_MODULE_DIR: '/home/o/snap/parley/7/.cache/gio',
        PATH: '/snap/parley/7/bin:/usr/bin:/snap/bin',
      }),
    ).toEqual({ HOME: '/home/o', LD_LIBRARY_PATH: '/opt/cuda/lib', PATH: '/usr/bin:/snap/bin' });
  });

  it('leaves a value alone that only looks like a list', () => {
    const env = { HTTPS_PROXY: 'http://a:1', APPDIR: 'relative', LS_COLORS: 'di=1:ln=2::' };
    expect(operatorEnvironment(env)).toEqual({ HTTPS_PROXY: 'http://a:1', LS_COLORS: 'di=1:ln=2::' });
  });
});
