export { type ChildEnd, type ChildResult, type ChildSpec, runChild } from './child.ts';
export { type ChildEnvironment, type ChildVariables, childEnvironment } from './environment.ts';
export { askVersion, findExecutable, isExecutable, type Lookup } from './executables.ts';
export { LineCutter } from './lines.ts';
export { askLoginShell, joinPaths, knownDirectories } from './loginPath.ts';
export { findProcess } from './processTable.ts';
export { readSpool } from './spool.ts';
export { TailKeeper } from './tail.ts';
export { endTree, findTree, MARKER_VARIABLE, type TreeEnding, type TreeIdentity } from './tree.ts';
