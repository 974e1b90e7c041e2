/**
 * Who may import whom. The engine's floors, from below: cellar (what two rooms of the ground floor need), ground, middle,
 * runner, table. A room imports from floors below, by their doors, and nothing from its neighbours on the same floor.
 */
const CELLAR = 'files|images';
const GROUND = 'agents|process|storage';
const MIDDLE = 'native|conversations|services|search|tasks';
const ROOMS = [CELLAR, GROUND, MIDDLE, 'runner', 'table'].join('|');
const TESTS = '\\.test\\.tsx?$';

module.exports = {
  forbidden: [
    {
      name: 'no-circles',
      comment: 'Two modules that import each other are one module in two files.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'imports-resolve',
      comment: 'What is imported must exist.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^electron$' },
    },
    {
      name: 'shared-stands-alone',
      comment: 'src-shared holds the words: it imports nothing of ours.',
      severity: 'error',
      from: { path: '^src-shared/' },
      to: { path: '^(src-main|src-renderer|e2e|bench|scripts)/' },
    },
    {
      name: 'shared-without-platform',
      comment: 'src-shared runs in the window and under Node: it imports neither Node nor Electron.',
      severity: 'error',
      from: { path: '^src-shared/', pathNot: TESTS },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'shared-without-electron',
      severity: 'error',
      from: { path: '^src-shared/' },
      to: { path: '(^|/)electron(/|$)' },
    },
    {
      name: 'renderer-imports-shared-only',
      comment: 'The window knows the contract and nothing else of ours.',
      severity: 'error',
      from: { path: '^src-renderer/' },
      to: { path: '^(src-main|e2e|bench|scripts)/' },
    },
    {
      name: 'renderer-without-node',
      comment: 'The window is sandboxed: there is no Node and no Electron in it.',
      severity: 'error',
      from: { path: '^src-renderer/', pathNot: TESTS },
      to: { path: '(^|/)node_modules/(electron|libsql|electron-store)/|^electron$' },
    },
    {
      name: 'renderer-without-core-modules',
      severity: 'error',
      from: { path: '^src-renderer/', pathNot: TESTS },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'engine-without-electron',
      comment: 'The engine runs and is tested under plain Node.',
      severity: 'error',
      from: { path: '^src-main/(engine/|cli/|cli\\.ts)' },
      to: { path: '(^|/)node_modules/electron(-store)?/|^electron(-store)?$' },
    },
    {
      name: 'engine-knows-no-desktop',
      severity: 'error',
      from: { path: '^src-main/engine/' },
      to: { path: '^src-main/(desktop/|main\\.ts|cli\\.ts|preload\\.ts)|^src-renderer/' },
    },
    {
      name: 'cellar',
      comment: 'files and images import src-shared only, and not each other.',
      severity: 'error',
      from: { path: `^src-main/engine/(${CELLAR})/`, pathNot: TESTS },
      to: { path: '^src-main/engine/', pathNot: '^src-main/engine/$1/' },
    },
    {
      name: 'ground-floor',
      comment: 'agents, process and storage import src-shared and the cellar, and not each other.',
      severity: 'error',
      from: { path: `^src-main/engine/(${GROUND})/`, pathNot: TESTS },
      to: { path: '^src-main/engine/', pathNot: `^src-main/engine/(${CELLAR}|$1)/` },
    },
    {
      name: 'middle-floor',
      comment: 'native, conversations, services, search and tasks import the ground floor, and not each other.',
      severity: 'error',
      from: { path: `^src-main/engine/(${MIDDLE})/`, pathNot: TESTS },
      to: { path: '^src-main/engine/', pathNot: `^src-main/engine/(${CELLAR}|${GROUND}|$1)/` },
    },
    {
      name: 'runner-floor',
      severity: 'error',
      from: { path: '^src-main/engine/runner/', pathNot: TESTS },
      to: { path: '^src-main/engine/', pathNot: `^src-main/engine/(${CELLAR}|${GROUND}|${MIDDLE}|runner)/` },
    },
    {
      name: 'table-floor',
      severity: 'error',
      from: { path: '^src-main/engine/table/', pathNot: TESTS },
      to: { path: '^src-main/engine/', pathNot: `^src-main/engine/(${ROOMS})/` },
    },
    {
      name: 'by-the-door',
      comment: 'Others come into a room of the engine by its index.ts.',
      severity: 'error',
      from: { path: '^(src-main|bench|e2e|scripts)/', pathNot: `^src-main/engine/(${ROOMS})/` },
      to: {
        path: `^src-main/engine/(${ROOMS})/`,
        pathNot: `^src-main/engine/(${ROOMS})/index\\.ts$`,
      },
    },
    {
      name: 'by-the-door-from-rooms',
      comment: 'Rooms come into another room by its index.ts, too; a test may borrow its samples.',
      severity: 'error',
      from: { path: `^src-main/engine/(${ROOMS})/`, pathNot: TESTS },
      to: {
        path: `^src-main/engine/(${ROOMS})/`,
        pathNot: [`^src-main/engine/$1/`, `^src-main/engine/(${ROOMS})/index\\.ts$`],
      },
    },
    {
      name: 'desktop-by-the-door',
      severity: 'error',
      from: { path: '^(src-main|bench|e2e)/', pathNot: '^src-main/(desktop/|preload\\.ts)' },
      to: { path: '^src-main/desktop/', pathNot: '^src-main/desktop/index\\.ts$' },
    },
    {
      name: 'desktop-knows-no-rooms',
      comment: 'The desktop is given an engine; main.ts puts them together.',
      severity: 'error',
      from: { path: '^src-main/desktop/', pathNot: TESTS },
      to: { path: '^src-main/(engine/|main\\.ts|cli\\.ts|preload\\.ts)' },
    },
    {
      name: 'nothing-imports-tests',
      severity: 'error',
      from: { path: '^(src-main|src-renderer|src-shared)/', pathNot: TESTS },
      to: { path: `^(e2e|bench)/|${TESTS}` },
    },
    {
      name: 'no-undeclared-packages',
      comment: 'A package that is imported is in package.json.',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|transcripts|test-results)/' },
    tsPreCompilationDeps: true,
    // A folder with a package.json of its own may use what the project depends on.
    combinedDependencies: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
  },
};
