import path from 'node:path';

/** What npm sets for the scripts it runs. `NODE` and `EDITOR` are npm's only while `npm_*` names the same. */
const NPM_VARIABLE = /^(npm_|INIT_CWD$)/i;
/** Directories that npm puts before the operator's own: the project's tools, and its copy of node-gyp. */
const NPM_DIRECTORY = /(^|[\\/])node_modules[\\/](\.bin$|.*node-gyp-bin$)/;

/**
 * The operator's environment as it was before npm ran a script: Parley hands it on to agents, which must not find
 * Parley's own tools first on their PATH.
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
export function operatorEnvironment(env) {
  /** @type {NodeJS.ProcessEnv} */
  const cleaned = {};
  for (const [name, value] of Object.entries(env)) {
    if (!NPM_VARIABLE.test(name)) cleaned[name] = value;
  }
  if (env.npm_node_execpath !== undefined && env.NODE === env.npm_node_execpath) delete cleaned.NODE;
  if (env.npm_config_editor !== undefined && env.EDITOR === env.npm_config_editor) delete cleaned.EDITOR;
  const directories = (env.PATH ?? '').split(path.delimiter);
  cleaned.PATH = directories.filter((directory) => !NPM_DIRECTORY.test(directory)).join(path.delimiter);
  return cleaned;
}
