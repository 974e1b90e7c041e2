import { type ReactNode, useId, useRef, useState } from 'react';
import type { CommandProblem } from '../../../src-shared/commandDefinition.ts';
import { Button, classes, type Option, TextField } from '../../ui/index.ts';
import { MINUTE_MS, timeoutOfMinutes } from '../TimeLimit.tsx';
import { PLACES } from './drafting.ts';

const CONTROL =
  'w-full rounded-lg border border-line-strong bg-raised px-2.5 text-ink focus-visible:outline-2 focus-visible:-outline-offset-1';

/** What is to be said of one field; nothing when there is nothing. */
export function Said({ id, problems }: { id?: string; problems: readonly CommandProblem[] }) {
  if (problems.length === 0) return null;
  return (
    <span id={id} className="block space-y-0.5">
      {problems.map(({ sentence, level }) => (
        <span key={sentence} className={classes('block', level === 'problem' ? 'text-bad' : 'text-warn')}>
          {sentence}
        </span>
      ))}
    </span>
  );
}

export function hasProblem(problems: readonly CommandProblem[]): boolean {
  return problems.some(({ level }) => level === 'problem');
}

/** A choice of one, as wide as the fields beside it. */
export function SelectField<Value extends string>({
  label,
  value,
  options,
  onChange,
  problems = [],
  hint,
}: {
  label: string;
  value: Value;
  options: readonly Option<Value>[];
  onChange: (value: Value) => void;
  problems?: readonly CommandProblem[];
  hint?: string;
}) {
  const id = useId();
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {label}
      </label>
      <select
        id={id}
        value={value}
        aria-invalid={hasProblem(problems)}
        aria-describedby={`${id}-hint`}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.target.value);
          if (chosen !== undefined) onChange(chosen.value);
        }}
        className={classes(CONTROL, 'min-h-8')}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <div id={`${id}-hint`} className="mt-1 text-sm text-ink-2">
        <Said problems={problems} />
        {hint}
      </div>
    </div>
  );
}

/** A template of arguments. The places for values can be put in at the cursor. */
export function TemplateField({
  label,
  value,
  onChange,
  problems,
  hint,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  problems: readonly CommandProblem[];
  hint: ReactNode;
}) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);

  function insert(place: string) {
    const element = area.current;
    if (element === null) return;
    const { selectionStart: start, selectionEnd: end } = element;
    onChange(value.slice(0, start) + place + value.slice(end));
    element.focus();
    // The new value is in the element with the next frame; the cursor then stands after what was put in.
    requestAnimationFrame(() => element.setSelectionRange(start + place.length, start + place.length));
  }

  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {label}
      </label>
      <textarea
        id={id}
        ref={area}
        rows={2}
        spellCheck={false}
        autoComplete="off"
        value={value}
        aria-invalid={hasProblem(problems)}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(event.target.value)}
        className={classes(CONTROL, 'machine field-sizing-content block max-h-48 min-h-14 resize-y py-1.5')}
      />
      <ul aria-label={`Places for ${label}`} className="mt-1 flex flex-wrap gap-1">
        {PLACES.map(({ place, meaning }) => (
          <li key={place}>
            <Button
              size="small"
              look="quiet"
              className="machine"
              title={meaning}
              aria-label={`Put in ${place}: ${meaning}`}
              onClick={() => insert(place)}
            >
              {place}
            </Button>
          </li>
        ))}
      </ul>
      <div id={`${id}-hint`} className="mt-1 text-sm text-ink-2">
        <Said problems={problems} />
        {hint}
      </div>
    </div>
  );
}

/** Minutes as typed, or nothing. What is no time is handed on as 0, which no limit may have. */
export function MinutesField({
  label,
  stored,
  onChange,
  problems,
  hint,
}: {
  label: string;
  stored: number | null;
  onChange: (ms: number | null) => void;
  problems: readonly CommandProblem[];
  hint: string;
}) {
  const [typed, setTyped] = useState(stored === null ? '' : String(stored / MINUTE_MS));
  return (
    <TextField
      label={label}
      inputMode="decimal"
      value={typed}
      placeholder="as new seats have"
      aria-invalid={hasProblem(problems)}
      onChange={(event) => {
        const text = event.target.value;
        setTyped(text);
        onChange(text.trim() === '' ? null : (timeoutOfMinutes(text) ?? 0));
      }}
      hint={problems.length === 0 ? hint : <Said problems={problems} />}
    />
  );
}
