import { X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { type EnvironmentVariable, MAX_VARIABLE_LENGTH } from '../../src-shared/commandDefinition.ts';
import { variableNameFault } from '../../src-shared/environment.ts';
import type { SecretScope } from '../../src-shared/preferences.ts';
import { tellFailure } from '../state/notices.ts';
import { keepSecret, loadSecrets, useSecrets } from '../state/secrets.ts';
import { Button, IconButton } from '../ui/index.ts';
import { INPUT } from './input.ts';
import { SecretField } from './SecretField.tsx';

/** What `EnvironmentFields` are of. A secret's value is kept at once; the list goes to whoever stores it. */
export interface EnvironmentFieldsProps {
  /** Names the list: “Environment of Codex”. */
  readonly label: string;
  readonly scope: SecretScope;
  readonly variables: readonly EnvironmentVariable[];
  onChange(variables: EnvironmentVariable[]): void;
}

/** The variables that an agent's children get on top of everything else. */
export function EnvironmentFields({ label, scope, variables, onChange }: EnvironmentFieldsProps) {
  useEffect(() => void loadSecrets(scope), [scope]);
  const storage = useSecrets((state) => state.storage);
  const hasSecrets = variables.some(({ value }) => value === null);
  return (
    <fieldset className="space-y-2">
      <legend className="sr-only">{label}</legend>
      {variables.length > 0 && (
        <ul aria-label={label} className="space-y-1.5">
          {variables.map((variable) => (
            <li key={variable.name} className="flex flex-wrap items-start gap-x-2 gap-y-1">
              <code className="machine w-44 max-w-full py-1 wrap-anywhere">{variable.name}</code>
              {variable.value === null ? (
                <SecretField scope={scope} name={variable.name} />
              ) : (
                <ValueField
                  name={variable.name}
                  value={variable.value}
                  onChange={(value) =>
                    onChange(variables.map((one) => (one.name === variable.name ? { ...one, value } : one)))
                  }
                />
              )}
              <IconButton
                label={`Remove ${variable.name}`}
                icon={<X size={14} />}
                onClick={() => onChange(variables.filter(({ name }) => name !== variable.name))}
              />
            </li>
          ))}
        </ul>
      )}
      <NewVariable scope={scope} variables={variables} onChange={onChange} />
      {hasSecrets && storage !== null && <p className="text-sm text-ink-2">{storage.detail}</p>}
    </fieldset>
  );
}

function ValueField({ name, value, onChange }: { name: string; value: string; onChange(value: string): void }) {
  const [typed, setTyped] = useState(value);
  return (
    <input
      type="text"
      aria-label={`Value of ${name}`}
      className={`${INPUT} min-w-32 flex-1`}
      spellCheck={false}
      autoComplete="off"
      maxLength={MAX_VARIABLE_LENGTH}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={() => typed !== value && onChange(typed)}
    />
  );
}

function NewVariable({ scope, variables, onChange }: Omit<EnvironmentFieldsProps, 'label'>) {
  const id = useId();
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const [isSecret, setIsSecret] = useState(false);
  const [fault, setFault] = useState<string | null>(null);

  async function add() {
    const wanted = name.trim();
    const wrong = variableNameFault(
      wanted,
      variables.map((variable) => variable.name),
    );
    setFault(wrong);
    if (wrong !== null) return;
    onChange([...variables, { name: wanted, value: isSecret ? null : value }]);
    setName('');
    setValue('');
    setIsSecret(false);
    if (!isSecret || value === '') return;
    const failed = await keepSecret(scope, wanted, value);
    if (failed !== null) tellFailure(failed);
  }
  // Not a form: it may stand inside one.
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void add();
  }

  return (
    <div>
      <div className="flex flex-wrap items-center gap-2">
        <input
          type="text"
          aria-label="Name of a new variable"
          aria-invalid={fault !== null}
          aria-describedby={fault === null ? undefined : `${id}-fault`}
          className={`${INPUT} w-44`}
          spellCheck={false}
          autoComplete="off"
          placeholder="NAME"
          value={name}
          onChange={(event) => {
            setName(event.target.value);
            setFault(null);
          }}
          onKeyDown={onKeyDown}
        />
        <input
          type={isSecret ? 'password' : 'text'}
          aria-label="Its value"
          className={`${INPUT} min-w-32 flex-1`}
          spellCheck={false}
          autoComplete="off"
          maxLength={MAX_VARIABLE_LENGTH}
          placeholder="value"
          value={value}
          onChange={(event) => setValue(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <label className="inline-flex min-h-7 items-center gap-1.5 text-sm text-ink-2">
          <input
            type="checkbox"
            className="accent-accent"
            checked={isSecret}
            onChange={(event) => setIsSecret(event.target.checked)}
          />
          Secret
        </label>
        <Button size="small" disabled={name.trim() === ''} onClick={() => void add()}>
          Add variable
        </Button>
      </div>
      {fault !== null && (
        <p id={`${id}-fault`} role="alert" className="mt-1 text-sm text-bad">
          {fault}
        </p>
      )}
    </div>
  );
}
