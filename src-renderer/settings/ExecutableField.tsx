import { useState } from 'react';
import type { AgentStatus } from '../../src-shared/agents.ts';
import type { Preferences } from '../../src-shared/preferences.ts';
import { loadAgents } from '../state/agents.ts';
import { changePreferences } from '../state/preferences.ts';
import { Button, TextField } from '../ui/index.ts';

/** What is wrong with the name of an executable, in a sentence; `null` when it can be looked for. */
export function executableFault(typed: string): string | null {
  const isAbsolute = /^(\/|~\/|[A-Za-z]:[\\/])/.test(typed);
  if (typed === '' || isAbsolute || !/[/\\]/.test(typed)) return null;
  return 'Give a whole path, one that begins with ~/, or the name of a program on the PATH.';
}

/** The executable that the operator wants instead of the one that is found. */
export function ExecutableField({
  agent,
  executables,
}: {
  agent: AgentStatus;
  executables: Preferences['executables'];
}) {
  const named = executables[agent.id] ?? '';
  const [typed, setTyped] = useState(named);
  const wanted = typed.trim();
  const fault = executableFault(wanted);

  async function save(executable: string) {
    const { [agent.id]: _before, ...others } = executables;
    await changePreferences({ executables: executable === '' ? others : { ...others, [agent.id]: executable } });
    await loadAgents(false);
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (fault === null && wanted !== named) void save(wanted);
      }}
    >
      <TextField
        label={`Executable of ${agent.label}`}
        machine
        value={typed}
        placeholder="the one that is found"
        aria-invalid={fault !== null}
        onChange={(event) => setTyped(event.target.value)}
        hint={fault ?? undefined}
        action={
          <>
            <Button type="submit" disabled={wanted === named || fault !== null}>
              Use
            </Button>
            {named !== '' && (
              <Button
                look="quiet"
                aria-label={`Clear, and use the ${agent.label} that is found`}
                onClick={() => {
                  setTyped('');
                  void save('');
                }}
              >
                Clear
              </Button>
            )}
          </>
        }
      />
    </form>
  );
}
