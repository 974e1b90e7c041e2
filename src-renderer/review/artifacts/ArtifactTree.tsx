import { ChevronRight, Copy, Download, FileText, FolderOpen } from 'lucide-react';
import { type ComponentProps, type KeyboardEvent, useRef, useState } from 'react';
import type { Artifact } from '../../../src-shared/conversations.ts';
import type { RunId } from '../../../src-shared/ids.ts';
import { copyText } from '../../state/outside.ts';
import { ContextMenu, classes } from '../../ui/index.ts';
import { formatBytes } from '../format.ts';
import { type TreeNode, treeMove } from './tree.ts';
import type { FileChoice, FilesByRun, RunFiles } from './useArtifacts.ts';
import { revealArtifact, saveArtifact } from './Viewer.tsx';

export interface RunEntry {
  readonly run: RunId;
  readonly title: string;
}

const fileId = (run: RunId, name: string) => `${run}/${name}`;

/** The runs of a conversation, and the files of those that are open. One item is in the order of Tab; arrows move it. */
export function ArtifactTree({
  runs,
  files,
  opened,
  choice,
  onTurn,
  onChoose,
}: {
  runs: readonly RunEntry[];
  files: FilesByRun;
  opened: ReadonlySet<RunId>;
  choice: FileChoice | null;
  onTurn: (run: RunId, open: boolean) => void;
  onChoose: (choice: FileChoice) => void;
}) {
  const root = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState<string | null>(null);

  const choices = new Map<string, FileChoice>();
  const nodes: TreeNode[] = runs.flatMap(({ run }) => {
    const isOpen = opened.has(run);
    const known = files.get(run);
    const artifacts = isOpen && known?.kind === 'files' ? known.artifacts : [];
    for (const { name } of artifacts) choices.set(fileId(run, name), { run, name });
    return [
      { id: run, level: 1 as const, isOpen },
      ...artifacts.map(({ name }) => ({ id: fileId(run, name), level: 2 as const, isOpen: false })),
    ];
  });
  const chosen = choice === null ? null : fileId(choice.run, choice.name);
  const inTabOrder = [focused, chosen].find((id) => nodes.some((node) => node.id === id)) ?? nodes[0]?.id;

  function focus(id: string): void {
    setFocused(id);
    root.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(id)}"]`)?.focus();
  }

  function onKeyDown(event: KeyboardEvent, id: string): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const move = treeMove(nodes, id, event.key);
    if (move === null) return;
    event.preventDefault();
    event.stopPropagation();
    const run = runs.find((entry) => entry.run === move.id)?.run;
    const file = choices.get(move.id);
    if (move.kind === 'focus') focus(move.id);
    else if (move.kind === 'choose' && file !== undefined) onChoose(file);
    else if (run !== undefined) onTurn(run, move.kind === 'open');
  }

  const itemProps = (id: string): ItemProps => ({
    'data-node': id,
    tabIndex: id === inTabOrder ? 0 : -1,
    onFocus: () => setFocused(id),
    onKeyDown: (event: KeyboardEvent) => onKeyDown(event, id),
  });

  return (
    <div ref={root} role="tree" aria-label="Artifacts" className="text-sm">
      {runs.map(({ run, title }) => (
        <div key={run}>
          <TreeItem
            {...itemProps(run)}
            level={1}
            aria-expanded={opened.has(run)}
            aria-selected={false}
            title={run}
            onClick={() => onTurn(run, !opened.has(run))}
          >
            <ChevronRight
              size={13}
              aria-hidden="true"
              className={classes('shrink-0 text-ink-3 transition-transform', opened.has(run) && 'rotate-90')}
            />
            <span className="truncate">{title}</span>
          </TreeItem>
          {opened.has(run) && (
            <Files
              known={files.get(run)}
              chosen={chosen}
              onChoose={(artifact) => onChoose({ run, name: artifact.name })}
              itemProps={(artifact) => itemProps(fileId(run, artifact.name))}
            />
          )}
        </div>
      ))}
    </div>
  );
}

function Files({
  known,
  chosen,
  onChoose,
  itemProps,
}: {
  known: RunFiles | undefined;
  chosen: string | null;
  onChoose: (artifact: Artifact) => void;
  itemProps: (artifact: Artifact) => ItemProps;
}) {
  if (known === undefined) return <p className="animate-appear-late py-1 pl-7 text-ink-2">Loading…</p>;
  if (known.kind === 'failed') return <p className="py-1 pl-7 text-bad">{known.failure.message}</p>;
  if (known.artifacts.length === 0) return <p className="py-1 pl-7 text-ink-2">This run left no files.</p>;
  return known.artifacts.map((artifact) => (
    <ContextMenu
      key={artifact.name}
      entries={[
        { label: 'Copy name', icon: <Copy size={14} />, onSelect: () => void copyText(artifact.name) },
        { label: 'Save as…', icon: <Download size={14} />, onSelect: () => void saveArtifact(artifact) },
        { label: 'Reveal in folder', icon: <FolderOpen size={14} />, onSelect: () => void revealArtifact(artifact) },
      ]}
    >
      <TreeItem
        {...itemProps(artifact)}
        level={2}
        aria-selected={fileId(artifact.run, artifact.name) === chosen}
        onClick={() => onChoose(artifact)}
      >
        <FileText size={13} aria-hidden="true" className="shrink-0 text-ink-3" />
        <span className="machine min-w-0 flex-1 truncate">{artifact.name}</span>
        <span className="shrink-0 text-xs text-ink-2">{formatBytes(artifact.bytes)}</span>
      </TreeItem>
    </ContextMenu>
  ));
}

type ItemProps = Required<Pick<ComponentProps<'div'>, 'tabIndex' | 'onFocus' | 'onKeyDown'>> & {
  readonly 'data-node': string;
};

function TreeItem({
  level,
  tabIndex,
  onKeyDown,
  children,
  ...rest
}: Omit<ComponentProps<'div'>, 'role' | 'className'> & ItemProps & { level: 1 | 2 }) {
  return (
    <div
      role="treeitem"
      aria-level={level}
      tabIndex={tabIndex}
      onKeyDown={onKeyDown}
      className={classes(
        'flex min-h-7 items-center gap-1.5 rounded-md pr-2 outline-offset-[-2px] hover:bg-code aria-selected:bg-accent-soft',
        level === 1 ? 'pl-1' : 'pl-7',
      )}
      {...rest}
    >
      {children}
    </div>
  );
}
