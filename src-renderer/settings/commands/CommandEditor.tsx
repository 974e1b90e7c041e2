import { useEffect, useId, useRef, useState } from 'react';
import type { CommandDraft, CommandProblem } from '../../../src-shared/commandDefinition.ts';
import { Button, ConfirmDialog, FailureBox, RadioRow, TextField } from '../../ui/index.ts';
import { EnvironmentFields } from '../EnvironmentFields.tsx';
import { shownProblems } from './drafting.ts';
import { change, check, discard, isChanged, save, savedOf, useEditing } from './editing.ts';
import { hasProblem, MinutesField, Said, SelectField, TemplateField } from './fields.tsx';
import { ENCODINGS, OUTPUTS, PROMPTS, SESSIONS, type SessionWay, sessionWay, withSessionWay } from './options.ts';
import { Words } from './Words.tsx';

/** The form of one description. What is typed is checked as it is typed, and kept until it is saved or discarded. */
export function CommandEditor({ draft }: { draft: CommandDraft }) {
  const editing = useEditing();
  const [isLeaving, setIsLeaving] = useState(false);
  const refused = useRef<HTMLDivElement>(null);
  // A draft of an earlier window has not been looked at yet.
  useEffect(() => void check(), []);
  const saved = savedOf(draft);
  const problems = shownProblems(draft, editing.check?.problems ?? [], editing.hasTriedToSave);
  const of = (...fields: string[]) => problems.filter(({ field }) => fields.includes(field));
  const title = saved === undefined ? 'New command' : `Edit ${saved.name}`;

  return (
    <form
      aria-label={title}
      className="space-y-4"
      onSubmit={async (event) => {
        event.preventDefault();
        if (await save()) return;
        // What was refused stands at the end of a long form; it is there with the next frame.
        requestAnimationFrame(() => refused.current?.scrollIntoView({ block: 'nearest' }));
      }}
    >
      <h3 className="font-medium">{title}</h3>
      <Identity draft={draft} of={of} found={editing.check?.program} />
      <RadioRow
        label="The message goes by"
        value={draft.prompt}
        options={PROMPTS}
        onChange={(prompt) => change({ prompt })}
      />
      <TemplateField
        label="Arguments"
        value={draft.arguments}
        onChange={(template) => change({ arguments: template })}
        problems={of('arguments')}
        hint="Words as in a shell, with quotes and backslashes. No shell runs: what is put in stays one word."
      />
      <Sessions draft={draft} of={of} />
      <Reading draft={draft} of={of} />
      <Limits draft={draft} of={of} />
      <fieldset>
        <legend className="mb-1 text-sm font-medium">Environment</legend>
        <EnvironmentFields
          label="Environment of the command"
          scope={draft.id}
          variables={draft.environment}
          onChange={(environment) => change({ environment })}
        />
        <p className="mt-1 text-sm">
          <Said problems={problems.filter(({ field }) => field.startsWith('environment'))} />
        </p>
      </fieldset>
      {editing.check !== null && draft.program.trim() !== '' && <Words examples={editing.check.examples} />}
      <div ref={refused} className="scroll-mb-16">
        {editing.failure !== null && <FailureBox sentence={editing.failure.message} hint={editing.failure.hint} />}
        {editing.hasTriedToSave && hasProblem(problems) && <Refused problems={problems} />}
      </div>
      <div className="sticky -bottom-4 flex justify-end gap-2 bg-pane pt-2 pb-4">
        <Button onClick={() => (isChanged(draft) ? setIsLeaving(true) : void discard())}>Cancel</Button>
        <Button look="primary" type="submit">
          Save command
        </Button>
      </div>
      <ConfirmDialog
        open={isLeaving}
        onOpenChange={setIsLeaving}
        title="Discard what you wrote?"
        text={saved === undefined ? 'The command was never saved.' : `${saved.name} stays as it was saved.`}
        confirm="Discard"
        onConfirm={() => void discard()}
      />
    </form>
  );
}

interface Part {
  draft: CommandDraft;
  /** What is to be said of these fields. */
  of: (...fields: string[]) => CommandProblem[];
}

function Identity({ draft, of, found }: Part & { found: string | null | undefined }) {
  const name = of('name');
  const program = of('program');
  return (
    <>
      <TextField
        label="Name"
        value={draft.name}
        placeholder="as it is called at the table"
        aria-invalid={hasProblem(name)}
        onChange={(event) => change({ name: event.target.value })}
        hint={name.length === 0 ? undefined : <Said problems={name} />}
      />
      <TextField
        label="Program"
        machine
        value={draft.program}
        placeholder="/path/to/program, or a name on the PATH"
        aria-invalid={hasProblem(program)}
        onChange={(event) => change({ program: event.target.value })}
        hint={
          program.length > 0 ? (
            <Said problems={program} />
          ) : draft.program.trim() === '' || found === undefined ? undefined : found === null ? (
            <span className="text-warn">
              There is no such program on this machine now. It can be saved all the same.
            </span>
          ) : (
            <>
              Found: <span className="machine wrap-anywhere">{found}</span>
            </>
          )
        }
      />
    </>
  );
}

function Sessions({ draft, of }: Part) {
  const { resume } = draft;
  // What was typed comes back when the way is chosen again.
  const [typed, setTyped] = useState(resume.kind === 'by-id' ? resume.arguments : '');
  return (
    <div className="space-y-2">
      <RadioRow<SessionWay>
        label="Sessions"
        value={sessionWay(draft)}
        options={SESSIONS}
        onChange={(way) => change({ resume: withSessionWay(way, typed) })}
      />
      <p className="text-sm">
        <Said problems={of('resume')} />
      </p>
      {resume.kind === 'by-id' && (
        <TemplateField
          label="Arguments of later turns"
          value={resume.arguments}
          onChange={(template) => {
            setTyped(template);
            change({ resume: { ...resume, arguments: template } });
          }}
          problems={of('resume.arguments')}
          hint="Of a turn that goes on with {session}."
        />
      )}
    </div>
  );
}

function Reading({ draft, of }: Part) {
  const id = useId();
  return (
    <>
      <div className="grid grid-cols-2 gap-3">
        <SelectField
          label="What it prints"
          value={draft.output}
          options={OUTPUTS}
          problems={of('output')}
          onChange={(output) => change({ output })}
        />
        <SelectField
          label="Text encoding"
          value={draft.encoding}
          options={ENCODINGS}
          onChange={(encoding) => change({ encoding })}
        />
      </div>
      <div>
        <label htmlFor={id} className="inline-flex min-h-6 items-center gap-1.5">
          <input
            id={id}
            type="checkbox"
            className="accent-accent"
            checked={draft.images}
            aria-describedby={`${id}-hint`}
            onChange={(event) => change({ images: event.target.checked })}
          />
          Takes images
        </label>
        <p id={`${id}-hint`} className="text-sm text-ink-2">
          By {'{attachment}'}, or by their paths, which stand in every message. Otherwise you are told before you send
          one.
        </p>
      </div>
    </>
  );
}

function Limits({ draft, of }: Part) {
  return (
    <div className="grid grid-cols-2 gap-3">
      <MinutesField
        label="Time limit, minutes"
        stored={draft.timeoutMs}
        problems={of('timeoutMs')}
        onChange={(timeoutMs) => change({ timeoutMs })}
        hint="What still runs after it is ended."
      />
      <MinutesField
        label="Idle limit, minutes"
        stored={draft.idleTimeoutMs}
        problems={of('idleTimeoutMs')}
        onChange={(idleTimeoutMs) => change({ idleTimeoutMs })}
        hint="What prints nothing for so long is ended."
      />
    </div>
  );
}

function Refused({ problems }: { problems: readonly CommandProblem[] }) {
  const wrong = problems.filter(({ level }) => level === 'problem');
  return (
    <FailureBox
      sentence={
        wrong.length === 1 ? 'One thing keeps it from being saved.' : `${wrong.length} things keep it from being saved.`
      }
      hint="Nothing of what you wrote is lost."
    >
      <ul aria-label="What keeps it from being saved" className="mt-1 list-disc pl-5">
        {wrong.map(({ field, sentence }) => (
          <li key={`${field} ${sentence}`}>{sentence}</li>
        ))}
      </ul>
    </FailureBox>
  );
}
