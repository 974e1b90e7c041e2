import { Download, FolderOpen } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Artifact } from '../../../src-shared/conversations.ts';
import type { Failure } from '../../../src-shared/failure.ts';
import { call } from '../../state/bridge.ts';
import { tell, tellFailure } from '../../state/notices.ts';
import { copyText } from '../../state/outside.ts';
import { CopyButton, FailureBox, IconButton } from '../../ui/index.ts';
import { formatBytes } from '../format.ts';
import { MAX_COPIED_BYTES, MAX_INDENTED_JSON_BYTES, SNIFFED_BYTES } from '../limits.ts';
import { Segments } from '../Segments.tsx';
import { artifactSource } from '../source.ts';
import { HexView } from './HexView.tsx';
import { IndentedPane } from './IndentedPane.tsx';
import { looksLikeText } from './marks.ts';
import { readWhole } from './readWhole.ts';
import { TextPane } from './TextPane.tsx';

type View = 'text' | 'indented' | 'hex';

const VIEW_LABELS: Readonly<Record<View, string>> = { text: 'Text', indented: 'Indented', hex: 'Hex' };

/** One artifact, as its bytes are, at the last line that holds `find`. Mounted anew for another one. */
export function Viewer({ artifact, find }: { artifact: Artifact; find: string | null }) {
  const { run, name, kind, bytes: size } = artifact;
  const [source] = useState(() => artifactSource(run, name));
  const [chosen, setChosen] = useState<View | null>(null);
  const [sniffed, setSniffed] = useState<'text' | 'hex' | null>(kind === 'other' ? null : 'text');
  const [failure, setFailure] = useState<Failure | null>(null);
  const isEmpty = size === 0;

  // What the agent printed is shown as text, with the bytes that are none marked. Whether a file of another kind is text
  // shows in its first bytes, which an empty one does not have yet.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first bytes are what asks again
  useEffect(() => {
    if (kind !== 'other') return;
    let isCurrent = true;
    void source.read(0, SNIFFED_BYTES).then((result) => {
      if (!isCurrent) return;
      if (result.ok) setSniffed(looksLikeText(result.value.bytes) ? 'text' : 'hex');
      setFailure(result.ok ? null : result.error);
    });
    return () => {
      isCurrent = false;
    };
  }, [source, kind, isEmpty]);

  const view = chosen ?? sniffed;
  const views: View[] = [
    'text',
    ...(name.endsWith('.json') && size <= MAX_INDENTED_JSON_BYTES ? (['indented'] as const) : []),
    'hex',
  ];
  const label = `${name}, content`;
  const choice = view !== null && (
    <Segments
      label="View"
      value={view}
      options={views.map((value) => ({ value, label: VIEW_LABELS[value] }))}
      onChange={setChosen}
    />
  );

  return (
    <section aria-label="Artifact" className="flex min-h-0 flex-1 flex-col border-t">
      <div className="flex items-center gap-x-2 px-3 py-1">
        <h2 className="machine min-w-0 flex-1 truncate" title={name}>
          {name}
        </h2>
        <span className="text-xs whitespace-nowrap text-ink-2">{formatBytes(size)}</span>
        <FileActions artifact={artifact} />
      </div>
      {failure !== null && (
        <div className="px-3 pb-2">
          <FailureBox sentence={failure.message} hint={failure.hint} />
        </div>
      )}
      {failure === null && isEmpty && <p className="px-3 py-2 text-sm text-ink-2">This file is empty (0 bytes).</p>}
      {failure === null && !isEmpty && view === 'text' && (
        <TextPane label={label} source={source} size={size} lead={choice} find={find} />
      )}
      {failure === null && !isEmpty && view === 'indented' && (
        <IndentedPane label={label} source={source} size={size} lead={choice} />
      )}
      {failure === null && !isEmpty && view === 'hex' && (
        <>
          <div className="border-b px-3 pb-1.5">{choice}</div>
          <HexView key={size} label={label} source={source} size={size} />
        </>
      )}
    </section>
  );
}

async function copyAll({ run, name, bytes }: Artifact): Promise<boolean> {
  if (bytes > MAX_COPIED_BYTES) {
    const limit = formatBytes(MAX_COPIED_BYTES);
    tell('info', `“${name}” has ${formatBytes(bytes)}; up to ${limit} can be copied at once.`, 'Use Save as… instead.');
    return false;
  }
  const whole = await readWhole(artifactSource(run, name), bytes);
  if (whole.ok) return copyText(new TextDecoder().decode(whole.value));
  tellFailure(whole.error);
  return false;
}

export async function saveArtifact({ run, name }: Artifact): Promise<void> {
  const result = await call('saveArtifactAs', { run, name });
  if (!result.ok) tellFailure(result.error);
}

export async function revealArtifact({ run, name }: Artifact): Promise<void> {
  const result = await call('revealArtifact', { run, name });
  if (!result.ok) tellFailure(result.error);
}

function FileActions({ artifact }: { artifact: Artifact }) {
  return (
    <span className="flex">
      <CopyButton label="Copy the file’s text" onCopy={() => copyAll(artifact)} />
      <IconButton label="Save as…" icon={<Download size={14} />} onClick={() => void saveArtifact(artifact)} />
      <IconButton
        label="Reveal in folder"
        icon={<FolderOpen size={14} />}
        onClick={() => void revealArtifact(artifact)}
      />
    </span>
  );
}
