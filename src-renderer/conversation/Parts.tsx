import { Ban, ChevronRight, CircleAlert, Info } from 'lucide-react';
import { memo } from 'react';
import { never } from '../../src-shared/failure.ts';
import type { Part } from '../../src-shared/fold.ts';
import { MAX_TEXT_PART_LENGTH } from '../../src-shared/limits.ts';
import { Chip, ExitChip, Fold, MachineBox } from '../ui/index.ts';
import { Markdown } from './markdown/index.tsx';

type ToolPart = Extract<Part, { kind: 'tool' }>;

const MIB = 1024 * 1024;

/** One step of a seat's reply. Parts keep their identity while others grow, so only what changed is drawn again. */
export const PartView = memo(function PartView({ part, isRunning }: { part: Part; isRunning: boolean }) {
  switch (part.kind) {
    case 'text':
      return (
        <div data-searchable="" className="my-2 wrap-anywhere">
          <Markdown text={part.text} streaming={isRunning} />
          {part.truncated && (
            <Chip tone="warn">Shown up to {MAX_TEXT_PART_LENGTH / MIB} MiB; the whole is in Artifacts</Chip>
          )}
        </div>
      );
    case 'thinking':
      return (
        <div className="my-2">
          <Fold summary="Thinking">
            <div className="mt-1 border-l-2 border-line pl-3 text-ink-2 wrap-anywhere">
              <Markdown text={part.text} streaming={isRunning} />
            </div>
          </Fold>
        </div>
      );
    case 'tool':
      return <ToolCard part={part} isRunning={isRunning} />;
    case 'denied':
      return (
        <div data-searchable="" className="my-2 flex items-start gap-2 rounded-lg bg-warn-soft px-3 py-1.5 text-sm">
          <Ban size={14} aria-hidden="true" className="mt-0.5 shrink-0 text-warn" />
          <p className="min-w-0 wrap-anywhere">
            <span className="font-semibold text-warn">Denied:</span> {part.what}
            {part.reason !== '' && <span className="text-ink-2"> ({part.reason})</span>}
          </p>
        </div>
      );
    case 'notice': {
      const isWarning = part.level === 'warning';
      const Icon = isWarning ? CircleAlert : Info;
      return (
        <p data-searchable="" className="my-1.5 flex items-start gap-2 text-sm text-ink-2">
          <Icon size={14} aria-hidden="true" className={`mt-0.5 shrink-0 ${isWarning ? 'text-warn' : 'text-ink-3'}`} />
          <span className="min-w-0 wrap-anywhere">
            {isWarning && <span className="sr-only">Warning: </span>}
            {part.text}
          </span>
        </p>
      );
    }
    default:
      return never(part);
  }
});

function ToolState({ part, isRunning }: { part: ToolPart; isRunning: boolean }) {
  if (part.status === 'denied') {
    return (
      <Chip tone="warn" icon={<Ban size={12} aria-hidden="true" />}>
        denied
      </Chip>
    );
  }
  // While it runs, “started” is all that was reported; it is not a claim that it is still running.
  if (part.status === 'open') return <Chip tone="unknown">{isRunning ? 'started' : 'no end reported'}</Chip>;
  if (part.exitCode !== null) return <ExitChip exitCode={part.exitCode} />;
  if (part.status === 'failed') return <Chip tone="bad">failed</Chip>;
  if (part.status === 'ok') return <Chip tone="good">ok</Chip>;
  return <Chip tone="unknown">result not reported</Chip>;
}

function ToolCard({ part, isRunning }: { part: ToolPart; isRunning: boolean }) {
  const head = (
    <>
      <span className="sr-only">{part.tool}: </span>
      <span data-searchable="" className="machine min-w-0 flex-1 truncate group-open:whitespace-pre-wrap wrap-anywhere">
        {part.title}
      </span>
      <ToolState part={part} isRunning={isRunning} />
    </>
  );
  const box = 'my-2 overflow-hidden rounded-lg border border-line bg-raised';
  const line = 'flex min-h-8 items-center gap-2 px-2.5 py-1';
  if (part.output === '') return <div className={`${box} ${line}`}>{head}</div>;
  return (
    <details className={`group ${box}`}>
      <summary className={`${line} list-none hover:bg-code`} title={part.title}>
        <ChevronRight
          size={14}
          aria-hidden="true"
          className="shrink-0 text-ink-3 transition-transform group-open:rotate-90"
        />
        {head}
      </summary>
      <MachineBox
        label={part.status === 'denied' ? 'Why it was denied' : 'Output'}
        text={part.output}
        className="border-t border-line"
      />
    </details>
  );
}
