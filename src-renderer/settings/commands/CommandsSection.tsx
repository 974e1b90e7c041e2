import { Plus } from 'lucide-react';
import { useState } from 'react';
import { type CommandDefinition, MAX_COMMAND_DEFINITIONS } from '../../../src-shared/commandDefinition.ts';
import type { Failure } from '../../../src-shared/failure.ts';
import type { Preferences } from '../../../src-shared/preferences.ts';
import { Button, ConfirmDialog, FailureBox } from '../../ui/index.ts';
import { CommandCard } from './CommandCard.tsx';
import { CommandEditor } from './CommandEditor.tsx';
import { emptyDraft } from './drafting.ts';
import { begin, remove, useEditing } from './editing.ts';

/** The operator's own commands: any program that can take a seat. */
export function CommandsSection({ commands }: { commands: Preferences['commands'] }) {
  const draft = useEditing((state) => state.draft);
  const [removing, setRemoving] = useState<CommandDefinition | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  if (draft !== null) {
    return (
      <section aria-label="Commands">
        <CommandEditor key={draft.id} draft={draft} />
      </section>
    );
  }
  return (
    <section aria-label="Commands" className="space-y-3">
      <div className="flex flex-wrap items-center gap-2">
        <p className="min-w-0 flex-1 basis-64 text-sm text-ink-2">
          Any program can take a seat. You describe how it is started and how it is read; Parley puts no sandbox around
          it.
        </p>
        <Button size="small" disabled={commands.length >= MAX_COMMAND_DEFINITIONS} onClick={() => begin(emptyDraft())}>
          <Plus size={13} aria-hidden="true" />
          Add command
        </Button>
      </div>
      {failure !== null && <FailureBox sentence={failure.message} hint={failure.hint} />}
      {commands.length === 0 ? (
        <p className="rounded-lg border border-dashed border-line-strong px-3 py-6 text-center text-sm text-ink-2">
          No command is described yet.
        </p>
      ) : (
        <ul aria-label="Commands" className="space-y-2">
          {commands.map((command) => (
            <li key={command.id} className="rounded-lg border border-line bg-raised px-3 py-2.5">
              <CommandCard command={command} onRemove={() => setRemoving(command)} />
            </li>
          ))}
        </ul>
      )}
      <ConfirmDialog
        open={removing !== null}
        onOpenChange={(isOpen) => !isOpen && setRemoving(null)}
        title={`Remove ${removing?.name ?? 'the command'}?`}
        text="Its description and its secrets are deleted. Conversations keep everything that was said; a seat that runs it says at its next turn that the command is no longer described."
        confirm="Remove"
        onConfirm={async () => {
          if (removing !== null) setFailure(await remove(removing));
        }}
      />
    </section>
  );
}
