import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** What a test may say about the account; the defaults let Claude Code give up after the first try. */
export interface ClaudeHomeOptions {
  /** What it asks the provider with: a key, a subscription's token, or nothing at all. */
  readonly account?: 'key' | 'subscription' | 'none';
  /** Tries after the first, of a request that was refused or broke off. */
  readonly retries?: number;
}

/** The program itself: npm runs no install scripts here, so what `.bin/claude` leads to is a stand-in (2.1.197). */
export function realClaude(): string {
  const modules = resolve('e2e/clients/node_modules/@anthropic-ai');
  const names = [`${process.platform}-${process.arch}`, `${process.platform}-${process.arch}-musl`];
  const programs = names.map((name) => join(modules, `claude-code-${name}`, 'claude'));
  const program = programs.find((path) => existsSync(path));
  if (program === undefined) throw new Error(`there is none of ${programs.join(', ')}`);
  return program;
}

/** Makes `directory` a home of Claude Code whose model answers on `url`, and returns the variables that a child needs. */
export function makeClaudeHome(
  directory: string,
  url: string,
  options: ClaudeHomeOptions = {},
): Readonly<Record<string, string>> {
  const { account = 'key', retries = 0 } = options;
  mkdirSync(directory, { recursive: true });
  return {
    CLAUDE_CONFIG_DIR: directory,
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: account === 'key' ? 'loopback' : '',
    CLAUDE_CODE_OAUTH_TOKEN: account === 'subscription' ? 'sk-ant-oat01-loopback' : '',
    CLAUDE_CODE_MAX_RETRIES: String(retries),
    // Nothing but the loopback model is to be asked anything.
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
  };
}
