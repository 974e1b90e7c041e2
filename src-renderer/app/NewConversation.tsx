import { FolderOpen } from 'lucide-react';
import { useRef, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { Access } from '../../src-shared/agents.ts';
import type { Failure } from '../../src-shared/failure.ts';
import { shortPath, useAbout } from '../state/about.ts';
import { proposedAgent, useAgents } from '../state/agents.ts';
import { useConversations } from '../state/conversations.ts';
import { focusComposer } from '../state/handles.ts';
import { chooseDirectory, createConversation } from '../state/intents.ts';
import { useLayout } from '../state/layout.ts';
import { closeDialog } from '../state/stage.ts';
import { Button, Dialog, FailureBox, Fold, RadioRow, TextField } from '../ui/index.ts';
import { SeatChoice } from './SeatChoice.tsx';
import type { SeatPick } from './seatPicks.ts';

/** Directories offered below the text box. */
const MAX_RECENT_DIRECTORIES = 4;

const FORM_ID = 'new-conversation';

function useRecentDirectories(): string[] {
  return useConversations(
    useShallow(({ order, byId }) => {
      const all = order.flatMap((id) => byId[id]?.cwd ?? []);
      return [...new Set(all)].slice(0, MAX_RECENT_DIRECTORIES);
    }),
  );
}

/** Asks for what a conversation needs, and starts it. */
export function NewConversation() {
  const agents = useAgents((state) => state.agents);
  const home = useAbout((state) => state.about?.homeDirectory);
  const lastDirectory = useLayout((state) => state.lastDirectory);
  const recent = useRecentDirectories();

  const [typed, setTyped] = useState<string | null>(null);
  const [kind, setKind] = useState<'chat' | 'talk'>('chat');
  const [chosen, setChosen] = useState<readonly SeatPick[] | null>(null);
  const [access, setAccess] = useState<Access>('read-only');
  const [model, setModel] = useState('');
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isStarting, setIsStarting] = useState(false);
  // Not state: the dialog is gone before it would be rendered with a new one.
  const isStarted = useRef(false);

  const directory = typed ?? lastDirectory ?? recent[0] ?? home ?? '';
  const picked = chosen ?? [{ agent: proposedAgent(agents) }];
  const seats = kind === 'chat' ? picked.slice(0, 1) : picked;

  async function start() {
    if (isStarting || directory.trim() === '' || seats.length === 0) return;
    setIsStarting(true);
    const failed = await createConversation({
      cwd: directory.trim(),
      kind,
      // The limits are those of the command, or of the settings.
      seats: seats.map((pick) => ({
        ...pick,
        access,
        ...(model.trim() === '' ? {} : { model: model.trim() }),
      })),
    });
    setIsStarting(false);
    setFailure(failed);
    if (failed !== null) return;
    isStarted.current = true;
    closeDialog();
  }

  return (
    <Dialog
      open
      onOpenChange={closeDialog}
      title="New conversation"
      description="Agents work in a directory. Read-only seats look and answer; they change nothing."
      onClosed={(event) => {
        if (!isStarted.current) return;
        event.preventDefault();
        focusComposer();
      }}
      footer={
        <>
          <Button onClick={closeDialog}>Cancel</Button>
          <Button
            look="primary"
            type="submit"
            form={FORM_ID}
            disabled={isStarting || directory.trim() === '' || seats.length === 0}
          >
            Start
          </Button>
        </>
      }
    >
      <form
        id={FORM_ID}
        className="space-y-4 pb-1"
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
      >
        <div>
          <TextField
            label="Working directory"
            machine
            value={directory}
            placeholder="/path/to/project"
            onChange={(event) => setTyped(event.target.value)}
            action={
              <Button
                onClick={async () => {
                  const found = await chooseDirectory(directory);
                  if (found !== null) setTyped(found);
                }}
              >
                <FolderOpen size={15} aria-hidden="true" />
                Choose directory
              </Button>
            }
          />
          {recent.length > 1 && (
            <ul aria-label="Recent directories" className="mt-1.5 flex flex-wrap gap-1.5">
              {recent.map((path) => (
                <li key={path} className="min-w-0">
                  <Button size="small" look="quiet" className="machine max-w-full" onClick={() => setTyped(path)}>
                    <span className="truncate">{shortPath(path, home)}</span>
                  </Button>
                </li>
              ))}
            </ul>
          )}
        </div>
        <RadioRow
          label="Kind"
          value={kind}
          onChange={setKind}
          options={[
            { value: 'chat', label: 'Chat', hint: 'One seat' },
            { value: 'talk', label: 'Talk', hint: 'Several seats, side by side' },
          ]}
        />
        <SeatChoice kind={kind} chosen={seats} onChange={setChosen} />
        <RadioRow
          label="Access"
          value={access}
          onChange={setAccess}
          options={[
            { value: 'read-only', label: 'Read-only', hint: 'Reads the directory and the attached images' },
            { value: 'can-write', label: 'Can write', hint: 'Also changes files in the directory' },
          ]}
        />
        <Fold summary="More options">
          <div className="pt-2">
            <TextField
              label="Model"
              machine
              value={model}
              placeholder="the agent’s own default"
              onChange={(event) => setModel(event.target.value)}
            />
          </div>
        </Fold>
        {failure !== null && <FailureBox sentence={failure.message} hint={failure.hint} />}
      </form>
    </Dialog>
  );
}
