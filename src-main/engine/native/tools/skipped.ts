/**
 * Directories that searches do not enter unless they are named: what version control, package managers and builds keep.
 * `build` and `vendor` are not among them: in many projects they hold what people write.
 */
export const SKIPPED_DIRECTORIES: readonly string[] = [
  '.git',
  '.hg',
  '.svn',
  '.jj',
  'node_modules',
  'bower_components',
  '.venv',
  'venv',
  '__pycache__',
  '.next',
  '.nuxt',
  '.turbo',
  '.cache',
  'target',
  'dist',
  'coverage',
];
