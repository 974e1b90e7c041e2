import { Copy, Pencil, Trash2 } from 'lucide-react';
import type { CommandDefinition } from '../../../src-shared/commandDefinition.ts';
import { useAgent } from '../../state/agents.ts';
import { Button, Chip, SeatBadge } from '../../ui/index.ts';
import { TryIt } from '../TryIt.tsx';
import { begin, beginCopy } from './editing.ts';
import { OUTPUTS } from './options.ts';

/** One description, what can be done with it, and a trial of it. */
export function CommandCard({ command, onRemove }: { command: CommandDefinition; onRemove: () => void }) {
  const agent = useAgent('command');
  const { name, environment } = command;
  const secrets = environment.filter(({ value }) => value === null).length;
  return (
    <section aria-label={name} className="space-y-2">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        {agent !== undefined && <SeatBadge letter={agent.letter} hue={agent.hue} />}
        <h3 className="min-w-0 font-medium wrap-anywhere">{name}</h3>
        {!command.images && <Chip>no images</Chip>}
        {command.resume.kind === 'none' && <Chip>no sessions</Chip>}
        {environment.length > 0 && (
          <Chip>
            {environment.length === 1 ? '1 variable' : `${environment.length} variables`}
            {secrets > 0 && `, ${secrets} secret`}
          </Chip>
        )}
        <span className="ml-auto flex flex-wrap gap-1.5">
          <Button size="small" aria-label={`Edit ${name}`} onClick={() => begin(command)}>
            <Pencil size={13} aria-hidden="true" />
            Edit
          </Button>
          <Button size="small" aria-label={`Duplicate ${name}`} onClick={() => beginCopy(command)}>
            <Copy size={13} aria-hidden="true" />
            Duplicate
          </Button>
          <Button size="small" look="danger" aria-label={`Remove ${name}`} onClick={onRemove}>
            <Trash2 size={13} aria-hidden="true" />
            Remove
          </Button>
        </span>
      </div>
      <p className="machine text-ink-2 wrap-anywhere select-text">
        {command.program} {command.arguments}
      </p>
      <p className="text-sm text-ink-2">{OUTPUTS.find(({ value }) => value === command.output)?.label}</p>
      <TryIt subject={{ agent: 'command', definitionId: command.id }} label={name} />
    </section>
  );
}
