import { relative } from 'node:path';
import { contains } from '../../files/index.ts';

/**
 * Rules for gemini-cli 0.61, in the form of its policy files. The highest priority there is: what an operator allowed once
 * and for all in the CLI itself does not outrank them.
 */
const PRIORITY = 999;
const WRITING_TOOLS = ['write_file', 'replace'];

/**
 * What holds a read-only seat beside `--approval-mode plan`. Without a person at the keyboard the CLI grants its model to
 * leave plan mode whenever it asks, and lets it do anything from then on: measured, a file was written. So the way out is
 * closed, and with it every tool that writes or runs something, also those of MCP servers.
 */
export function readOnlyPolicy(): string {
  const denyMessage = 'This seat may only read.';
  return [
    rule({ toolName: ['enter_plan_mode', 'exit_plan_mode', 'run_shell_command', ...WRITING_TOOLS], denyMessage }),
    rule({ toolName: '*', mcpName: '*', denyMessage }),
  ].join('\n');
}

/**
 * Keeps the file tools of a seat that can write out of `directories`: they are granted, or lie in the working directory.
 * The CLI passes over a pattern with a group that is repeated, and over one of more than 2,048 characters.
 */
export function writingPolicy(directories: readonly string[], cwd: string): string {
  const ways = directories.flatMap((directory) => [
    literal(directory),
    // From the working directory it has a short name too.
    ...(contains(cwd, directory) && directory !== cwd ? [`[./]*${literal(relative(cwd, directory))}`] : []),
  ]);
  return [
    ...ways.map((way) => pathRule(`${way}${END_OF_NAME}`, 'Parley keeps its own data there.')),
    // Any directory can be named by a way round.
    pathRule(`\\.\\.${END_OF_NAME}`, ROUNDABOUT),
    pathRule(`[^"]*[/\\\\]\\.\\.${END_OF_NAME}`, ROUNDABOUT),
  ].join('\n');
}

const END_OF_NAME = '[/\\\\"]';
const ROUNDABOUT = 'Name the file by a path without “..”.';

function pathRule(pattern: string, denyMessage: string): string {
  return rule({ toolName: WRITING_TOOLS, argsPattern: `"file_path":"${pattern}`, denyMessage });
}

function rule(fields: Readonly<Record<string, string | readonly string[]>>): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name} = ${toml(value)}`);
  return ['[[rule]]', ...lines, 'decision = "deny"', `priority = ${PRIORITY}`, ''].join('\n');
}

/** JSON strings and lists of them are TOML, but for the one control character that JSON leaves as it is. */
function toml(value: string | readonly string[]): string {
  return JSON.stringify(value).replaceAll('\u007f', '\\u007f');
}

/** A pattern for a text as it stands in the JSON that the CLI's rules are matched with. */
function literal(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
