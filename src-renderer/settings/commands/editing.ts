import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { CallOutput } from '../../../src-shared/api.ts';
import {
  type CommandDefinition,
  type CommandDraft,
  commandDefinition,
  commandDraft,
  MAX_COMMAND_DEFINITIONS,
} from '../../../src-shared/commandDefinition.ts';
import type { Failure } from '../../../src-shared/failure.ts';
import { call } from '../../state/bridge.ts';
import { usePreferences } from '../../state/preferences.ts';
import { keepSecret } from '../../state/secrets.ts';
import { copyName, emptyDraft, freshId } from './drafting.ts';

export interface Editing {
  /** The description that is being written; `null` while none is. It outlives the dialog and the window. */
  draft: CommandDraft | null;
  /** What was said of the draft last; `null` before anything was. */
  check: CallOutput<'checkCommand'> | null;
  /** Whether what is merely empty yet is a problem by now. */
  hasTriedToSave: boolean;
  failure: Failure | null;
}

const NOTHING: Editing = { draft: null, check: null, hasTriedToSave: false, failure: null };

export const useEditing = create<Editing>()(
  persist((): Editing => NOTHING, {
    name: 'parley-command-draft',
    version: 1,
    partialize: ({ draft }) => ({ draft }),
    merge: (stored, current) => {
      const draft = typeof stored === 'object' && stored !== null ? Reflect.get(stored, 'draft') : null;
      return { ...current, draft: commandDraft.safeParse(draft).data ?? null };
    },
  }),
);

export function begin(draft: CommandDraft): void {
  useEditing.setState({ ...NOTHING, draft });
  void check();
}

/** A description like another one, under a name of its own. Secrets belong to the one they were given to. */
export function beginCopy(original: CommandDefinition): void {
  const names = usePreferences.getState().preferences.commands.map(({ name }) => name);
  begin({ ...original, id: freshId(), name: copyName(original.name, names) });
}

export function change(fields: Partial<CommandDraft>): void {
  const { draft } = useEditing.getState();
  if (draft === null) return;
  useEditing.setState({ draft: { ...draft, ...fields }, failure: null });
  void check();
}

let asked = 0;

/** Asks what is to be said of the draft as it is. An answer that a later one has overtaken counts for nothing. */
export async function check(): Promise<CallOutput<'checkCommand'> | null> {
  const { draft } = useEditing.getState();
  if (draft === null) return null;
  const turn = ++asked;
  const result = await call('checkCommand', { definition: draft });
  if (turn !== asked) return null;
  useEditing.setState(result.ok ? { check: result.value } : { failure: result.error });
  return result.ok ? result.value : null;
}

/** The saved description that is being edited; `undefined` for a new one. */
export function savedOf(draft: CommandDraft): CommandDefinition | undefined {
  return usePreferences.getState().preferences.commands.find(({ id }) => id === draft.id);
}

export function isChanged(draft: CommandDraft): boolean {
  const saved = savedOf(draft) ?? { ...emptyDraft(), id: draft.id };
  return JSON.stringify(commandDraft.parse(saved)) !== JSON.stringify(commandDraft.parse(draft));
}

/** Stores the draft, if nothing is wrong with it. Says whether it did. */
export async function save(): Promise<boolean> {
  const checked = await check();
  const { draft } = useEditing.getState();
  useEditing.setState({ hasTriedToSave: true });
  if (draft === null || checked === null || checked.problems.some(({ level }) => level === 'problem')) return false;
  const definition = commandDefinition.parse(draft);
  const { commands } = usePreferences.getState().preferences;
  const before = secretsOf(savedOf(draft));
  const others = commands.some(({ id }) => id === definition.id)
    ? commands.map((command) => (command.id === definition.id ? definition : command))
    : [...commands, definition];
  if (others.length > MAX_COMMAND_DEFINITIONS) {
    const message = `There are ${MAX_COMMAND_DEFINITIONS} commands already.`;
    useEditing.setState({ failure: { code: 'too-many', message, hint: 'Remove one that you no longer use.' } });
    return false;
  }
  const failure = await store(others);
  useEditing.setState(failure === null ? NOTHING : { failure });
  if (failure !== null) return false;
  const kept = secretsOf(definition);
  for (const name of before) if (!kept.includes(name)) await keepSecret(definition.id, name, null);
  return true;
}

/** Forgets the draft. What it gave to the keychain goes, too, unless a saved description has it. */
export async function discard(): Promise<void> {
  const { draft } = useEditing.getState();
  useEditing.setState(NOTHING);
  if (draft === null) return;
  const kept = new Set(secretsOf(savedOf(draft)));
  for (const name of secretsOf(draft)) if (!kept.has(name)) await keepSecret(draft.id, name, null);
}

export async function remove(command: CommandDefinition): Promise<Failure | null> {
  const { commands } = usePreferences.getState().preferences;
  const failure = await store(commands.filter(({ id }) => id !== command.id));
  if (failure !== null) return failure;
  for (const name of secretsOf(command)) await keepSecret(command.id, name, null);
  return null;
}

function secretsOf(description: CommandDraft | undefined): string[] {
  return description?.environment.flatMap(({ name, value }) => (value === null ? [name] : [])) ?? [];
}

async function store(commands: readonly CommandDefinition[]): Promise<Failure | null> {
  const result = await call('setPreferences', { preferences: { commands: [...commands] } });
  if (!result.ok) return result.error;
  usePreferences.setState({ preferences: result.value.preferences });
  return null;
}
