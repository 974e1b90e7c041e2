import { type KeyboardEvent, useState } from 'react';
import { MAX_VARIABLE_LENGTH } from '../../src-shared/commandDefinition.ts';
import type { Failure } from '../../src-shared/failure.ts';
import type { SecretScope } from '../../src-shared/preferences.ts';
import { keepSecret, useSecrets } from '../state/secrets.ts';
import { Button, Chip, FailureBox } from '../ui/index.ts';
import { INPUT } from './input.ts';

/** The value of one secret variable: whether there is one, and a way to set another. It is never shown. */
export function SecretField({ scope, name }: { scope: SecretScope; name: string }) {
  const isKept = useSecrets((state) => state.kept[scope]?.includes(name) === true);
  const isOfSession = useSecrets((state) => state.storage?.kind === 'session-only');
  const [typed, setTyped] = useState('');
  const [failure, setFailure] = useState<Failure | null>(null);

  async function keep() {
    if (typed === '') return;
    const failed = await keepSecret(scope, name, typed);
    setFailure(failed);
    if (failed === null) setTyped('');
  }
  // Not a form: it may stand inside one.
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void keep();
  }

  return (
    <div className="min-w-0 flex-1 space-y-1">
      <div className="flex flex-wrap items-center gap-1.5">
        <input
          type="password"
          aria-label={`New value of ${name}`}
          className={`${INPUT} min-w-32 flex-1`}
          autoComplete="off"
          maxLength={MAX_VARIABLE_LENGTH}
          placeholder={isKept ? '••••••••' : 'no value yet'}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <Button size="small" disabled={typed === ''} onClick={() => void keep()}>
          Keep
        </Button>
        <Chip tone={isKept ? 'good' : 'warn'}>
          {isKept ? (isOfSession ? 'secret, until Parley ends' : 'secret, in the keychain') : 'secret, no value'}
        </Chip>
      </div>
      {failure !== null && <FailureBox sentence={failure.message} hint={failure.hint} />}
    </div>
  );
}
