import { type ComponentProps, type ReactNode, useId } from 'react';
import { classes } from './classes.ts';

const CONTROL =
  'min-h-8 w-full rounded-lg border border-line-strong bg-raised px-2.5 text-ink focus-visible:outline-2 focus-visible:-outline-offset-1';

/** A labelled line of text. */
export function TextField({
  label,
  hint,
  machine = false,
  action,
  ...rest
}: Omit<ComponentProps<'input'>, 'id'> & { label: string; hint?: ReactNode; machine?: boolean; action?: ReactNode }) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {label}
      </label>
      <div className="flex gap-2">
        <input
          id={id}
          type="text"
          spellCheck={false}
          autoComplete="off"
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
          className={classes(CONTROL, machine && 'machine')}
          {...rest}
        />
        {action}
      </div>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="mt-1 text-sm text-ink-2">
          {hint}
        </p>
      )}
    </div>
  );
}

export interface Option<Value extends string> {
  value: Value;
  label: string;
}

/** A choice of one in a small space: a `combobox` named `label`. */
export function SelectBox<Value extends string>({
  label,
  value,
  options,
  onChange,
  disabled = false,
}: {
  label: string;
  value: Value;
  options: readonly Option<Value>[];
  onChange: (value: Value) => void;
  disabled?: boolean;
}) {
  return (
    <select
      aria-label={label}
      value={value}
      disabled={disabled}
      onChange={(event) => {
        const chosen = options.find((option) => option.value === event.target.value);
        if (chosen !== undefined) onChange(chosen.value);
      }}
      className="min-h-7 max-w-44 rounded-md border border-line bg-raised px-1.5 text-sm text-ink-2 hover:text-ink disabled:opacity-50"
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

/** A `radiogroup` of a few choices side by side. */
export function RadioRow<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: Value;
  options: readonly (Option<Value> & { hint?: string })[];
  onChange: (value: Value) => void;
}) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label}>
      <div className="mb-1 text-sm font-medium" aria-hidden="true">
        {label}
      </div>
      <div className="flex flex-wrap gap-2">
        {options.map((option) => (
          <label
            key={option.value}
            className={classes(
              'flex min-w-0 flex-1 basis-40 items-start gap-2 rounded-lg border px-2.5 py-1.5',
              'has-focus-visible:outline-2 has-focus-visible:outline-accent',
              option.value === value
                ? 'border-accent bg-accent-soft'
                : 'border-line bg-raised hover:border-line-strong',
            )}
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              aria-labelledby={`${name}-${option.value}`}
              aria-describedby={option.hint === undefined ? undefined : `${name}-${option.value}-hint`}
              className="mt-1 accent-accent outline-none"
            />
            <span className="min-w-0">
              <span id={`${name}-${option.value}`} className="block">
                {option.label}
              </span>
              {option.hint !== undefined && (
                <span id={`${name}-${option.value}-hint`} className="block text-sm text-ink-2">
                  {option.hint}
                </span>
              )}
            </span>
          </label>
        ))}
      </div>
    </div>
  );
}
