import { dirname } from 'node:path';
import { contains } from '../files/index.ts';
import type { Invocation } from './agent.ts';

/** Where the conversation's attachments outside the working directory lie. */
export function attachmentDirectories(invocation: Invocation): string[] {
  return [...new Set(invocation.attachments.map((path) => dirname(path)))];
}

/** Where Parley keeps attachments and artifacts. No agent writes there, whatever the seat may do. */
export function ownDirectories(invocation: Invocation): string[] {
  const artifacts = dirname(invocation.artifactsDir);
  const kept = [...invocation.attachments.map((path) => dirname(path)), artifacts];
  // Attachments and artifacts lie side by side in the data directory, with the database: all of it is left alone.
  const data = dirname(artifacts);
  const isDataDirectory = data !== dirname(data) && !contains(data, invocation.cwd);
  const own = isDataDirectory ? [data, ...kept.filter((directory) => !contains(data, directory))] : kept;
  return [...new Set(own)];
}
