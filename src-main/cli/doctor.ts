import type { AgentStatus } from '../../src-shared/agents.ts';
import type { CallOutput } from '../../src-shared/api.ts';
import type { Preferences } from '../../src-shared/preferences.ts';
import { describeVersion } from '../../src-shared/version.ts';

const SIGN_IN = {
  'signed-in': 'signed in',
  'not-signed-in': 'not signed in',
  unknown: 'sign-in not known',
} as const satisfies Record<string, string>;

/** What `parley seats` prints: how each agent stands on this machine, and where it was looked for. */
export function describeSeats(
  { agents, search }: CallOutput<'listAgents'>,
  { executables, commands }: Pick<Preferences, 'executables' | 'commands'>,
): string {
  const lines = agents
    .filter(({ availability }) => availability.kind !== 'by-definition')
    .flatMap((agent) => [...describeAgent(agent, executables[agent.id]), '']);
  if (commands.length > 0) {
    lines.push('Commands that are described in the settings');
    for (const { id, name, program } of commands) lines.push(`  ${name} (${id}): ${program}`);
    lines.push('');
  }
  lines.push('Searched, in this order', ...search.path.map((directory) => `  ${directory}`));
  return lines.join('\n');
}

function describeAgent(
  { id, label, availability, testedVersion, install }: AgentStatus,
  named: string | undefined,
): string[] {
  switch (availability.kind) {
    case 'found': {
      const { sentence } = describeVersion(availability.version, testedVersion);
      return [
        `${label} (${id}): found, ${SIGN_IN[availability.signIn.state]}`,
        `  path     ${availability.path}`,
        `  version  ${availability.version ?? 'not reported'}. ${sentence}`,
        `  account  ${availability.signIn.detail}`,
      ];
    }
    case 'not-found':
      if (named !== undefined && named !== '') {
        return [
          `${label} (${id}): the executable named in the settings cannot be run`,
          `  named    ${named}`,
          `  tested   ${testedVersion}`,
        ];
      }
      return [
        `${label} (${id}): not found`,
        ...(install.command === '' ? [] : [`  install  ${install.command}`]),
        ...(install.note === '' ? [] : [`           ${install.note}`]),
        `  tested   ${testedVersion}`,
      ];
    case 'by-definition':
      return [`${label} (${id}): any program, as the settings describe it`];
    default:
      return availability satisfies never;
  }
}
