import { expect, it } from 'vitest';
import { operatorEnvironment } from './operator-environment.mjs';

it('gives agents the PATH that the operator had before npm', () => {
  const env = operatorEnvironment({
    PATH: '/p/node_modules/.bin:/node_modules/.bin:/usr/lib/node_modules/npm/node_modules/@npmcli/run-script/lib/node-gyp-bin:/home/o/bin:/usr/bin',
    HOME: '/home/o',
    npm_lifecycle_event: 'start',
    npm_node_execpath: '/usr/bin/node',
    npm_config_editor: 'vi',
    INIT_CWD: '/p',
    NODE: '/usr/bin/node',
    EDITOR: 'vi',
  });
  expect(env).toEqual({ PATH: '/home/o/bin:/usr/bin', HOME: '/home/o' });
});

it('keeps an editor that is the operator’s own', () => {
  expect(operatorEnvironment({ PATH: '', EDITOR: 'emacs', npm_config_editor: 'vi' }).EDITOR).toBe('emacs');
});
