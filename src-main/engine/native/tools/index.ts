import type { Tool } from '../tool.ts';
import { bashTool } from './bash.ts';
import { edit } from './edit.ts';
import { glob } from './glob.ts';
import { grepTool } from './grep.ts';
import { read } from './read.ts';
import { mayRunCommands, type Sandbox } from './sandbox.ts';
import { viewImage } from './viewImage.ts';
import { write } from './write.ts';

export { type BatchCall, type BatchOptions, type BatchResult, runBatch } from './batch.ts';
export { findSandbox } from './findSandbox.ts';
export { type Sandbox, sandboxCaveats } from './sandbox.ts';

/**
 * The tools of a seat. One that may not write is not offered `write` and `edit`, and `bash` only inside a sandbox that
 * keeps commands from writing.
 */
export function toolsFor({ allowWrite, sandbox }: { allowWrite: boolean; sandbox: Sandbox }): Tool[] {
  return [
    read,
    glob,
    grepTool(sandbox),
    viewImage,
    ...(allowWrite ? [write, edit] : []),
    ...(mayRunCommands(sandbox, allowWrite) ? [bashTool(sandbox, allowWrite)] : []),
  ];
}
