/** What the Guide is asked to do: the part of codex-cli 0.171's `exec` that Parley uses. */
export interface GuideArguments {
  cwd: string;
  images: readonly string[];
  /** The session to continue; `null` opens one. */
  resume: string | null;
}

export type ParsedArguments =
  | { kind: 'turn'; arguments: GuideArguments }
  | { kind: 'help' }
  | { kind: 'version' }
  | { kind: 'wrong'; sentence: string };

export const USAGE = `Usage: guide exec --json -C DIRECTORY -s MODE [-i FILE]... [resume SESSION] -

The Guide that ships with Parley. It needs no model: it reads the message from standard input, opens the
images, looks around DIRECTORY with read-only commands, and reports what it found as JSON lines.
It never writes in DIRECTORY, whatever MODE says.`;

const MODES = new Set(['read-only', 'workspace-write']);

export function parseArguments(argv: readonly string[]): ParsedArguments {
  if (argv.includes('--help') || argv.includes('-h')) return { kind: 'help' };
  if (argv[0] === '--version' || argv[0] === '-V') return { kind: 'version' };
  if (argv[0] !== 'exec') return wrong('the first argument has to be exec');

  let cwd: string | null = null;
  let isJson = false;
  let resume: string | null = null;
  let readsPrompt = false;
  const images: string[] = [];
  const rest = argv.slice(1);
  for (let at = 0; at < rest.length; at++) {
    const argument = rest[at] ?? '';
    const value = rest[at + 1];
    switch (argument) {
      case '--json':
        isJson = true;
        continue;
      case '--skip-git-repo-check':
        continue;
      case '-':
        readsPrompt = true;
        continue;
      case '-C':
      case '-s':
      case '-i':
      case 'resume':
        break;
      default:
        return wrong(`${argument} is not known here`);
    }
    if (value === undefined || value === '') return wrong(`${argument} needs a value`);
    at++;
    if (argument === '-C') cwd = value;
    if (argument === '-i') images.push(value);
    if (argument === 'resume') resume = value;
    if (argument === '-s' && !MODES.has(value))
      return wrong(`${value} is not a mode; read-only and workspace-write are`);
  }
  if (!isJson) return wrong('--json is missing; there is no other form of output');
  if (cwd === null) return wrong('-C DIRECTORY is missing');
  if (!readsPrompt) return wrong('- is missing; the message is read from standard input');
  return { kind: 'turn', arguments: { cwd, images, resume } };
}

function wrong(sentence: string): ParsedArguments {
  return { kind: 'wrong', sentence };
}
