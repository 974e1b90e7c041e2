import type { ReactNode } from 'react';
import type { AgentId, AgentStatus } from '../../src-shared/agents.ts';
import type { EnvironmentVariable } from '../../src-shared/commandDefinition.ts';
import type { Preferences } from '../../src-shared/preferences.ts';
import { describeVersion } from '../../src-shared/version.ts';
import { loadAgents } from '../state/agents.ts';
import { changePreferences, usePreferences } from '../state/preferences.ts';
import { Chip, Fold, MachineBox, SeatBadge } from '../ui/index.ts';
import { EnvironmentFields } from './EnvironmentFields.tsx';
import { ExecutableField } from './ExecutableField.tsx';
import { InstallHint } from './InstallHint.tsx';
import { TryIt } from './TryIt.tsx';

const SIGN_IN = {
  'signed-in': { tone: 'good', text: 'signed in' },
  'not-signed-in': { tone: 'warn', text: 'not signed in' },
  unknown: { tone: 'unknown', text: 'sign-in not known' },
} as const;

/** An agent may be signed in by a variable. */
async function changeEnvironment(id: AgentId, variables: EnvironmentVariable[]): Promise<void> {
  const { environments } = usePreferences.getState().preferences;
  await changePreferences({ environments: { ...environments, [id]: variables } });
  await loadAgents(false);
}

/** One agent under the doctor's eyes. */
export function AgentCard({ agent, preferences }: { agent: AgentStatus; preferences: Preferences }) {
  const { availability } = agent;
  const isEmbedded = agent.id === 'guide';
  const named = preferences.executables[agent.id] ?? '';
  const variables = preferences.environments[agent.id] ?? [];
  return (
    <section aria-label={agent.label} className="space-y-2">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <SeatBadge letter={agent.letter} hue={agent.hue} />
        <h3 className="font-medium">{agent.label}</h3>
        {availability.kind === 'found' ? (
          <Chip tone={SIGN_IN[availability.signIn.state].tone}>{SIGN_IN[availability.signIn.state].text}</Chip>
        ) : (
          <Chip tone="warn">not found</Chip>
        )}
      </div>
      <p className="text-sm text-ink-2">{agent.description}</p>
      {availability.kind === 'found' && <Found agent={agent} availability={availability} isEmbedded={isEmbedded} />}
      {availability.kind === 'not-found' && <NotFound agent={agent} searched={availability.searched} named={named} />}
      {availability.kind === 'found' && <TryIt subject={{ agent: agent.id }} label={agent.label} />}
      {!isEmbedded && <ExecutableField agent={agent} executables={preferences.executables} />}
      <Fold summary={variables.length === 0 ? 'Environment' : `Environment (${variables.length})`}>
        <div className="mt-1">
          <EnvironmentFields
            label={`Environment of ${agent.label}`}
            scope={agent.id}
            variables={variables}
            onChange={(next) => void changeEnvironment(agent.id, next)}
          />
        </div>
      </Fold>
    </section>
  );
}

function Found({
  agent,
  availability,
  isEmbedded,
}: {
  agent: AgentStatus;
  availability: Extract<AgentStatus['availability'], { kind: 'found' }>;
  isEmbedded: boolean;
}) {
  const version = describeVersion(availability.version, agent.testedVersion);
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5 text-sm">
      <Fact name="Path">
        <span className="machine wrap-anywhere select-text">{availability.path}</span>
      </Fact>
      <Fact name="Version">
        {availability.asking ? (
          <span className="text-ink-2">asking the program…</span>
        ) : (
          <>
            <span className="machine">{availability.version ?? 'not reported'}</span>{' '}
            <span className={version.isTested ? 'text-ink-2' : 'text-warn'}>
              {isEmbedded ? 'It ships with Parley.' : version.sentence}
            </span>
          </>
        )}
      </Fact>
      <Fact name="Account">
        <span className="wrap-anywhere text-ink-2">{availability.signIn.detail}</span>
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function NotFound({ agent, searched, named }: { agent: AgentStatus; searched: readonly string[]; named: string }) {
  const [only] = searched;
  return (
    <>
      {named !== '' && (
        <p role="alert" className="text-sm text-bad wrap-anywhere">
          {searched.length === 1
            ? `The executable that you named cannot be run: ${only} is not there, or is no executable file.`
            : `The executable that you named, ${named}, is not on the PATH.`}
        </p>
      )}
      <InstallHint agent={agent} />
      <p className="text-sm text-ink-2">Parley was tested with version {agent.testedVersion}.</p>
      {searched.length > 1 && (
        <Fold summary={`Where it was looked for (${searched.length})`}>
          <MachineBox
            label={`Directories searched for ${agent.label}`}
            text={searched.join('\n')}
            className="mt-1 max-h-40 rounded-md border border-line"
          />
        </Fold>
      )}
    </>
  );
}
