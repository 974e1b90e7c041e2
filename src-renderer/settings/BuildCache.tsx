import { useState } from 'react';
import { chooseDirectory } from '../state/intents.ts';
import { changePreferences } from '../state/preferences.ts';
import { Button, TextField } from '../ui/index.ts';

const isAbsolute = (path: string) => /^(\/|[A-Za-z]:[\\/])/.test(path);

/** A directory that all runs share for what they build. */
export function BuildCache({ stored }: { stored: string | undefined }) {
  const current = stored ?? '';
  const [typed, setTyped] = useState(current);
  const wanted = typed.trim();
  const isWrong = wanted !== '' && !isAbsolute(wanted);

  function save(directory: string) {
    if (directory === current || (directory !== '' && !isAbsolute(directory))) return;
    void changePreferences({ buildCache: directory === '' ? null : directory });
  }
  async function choose() {
    const chosen = await chooseDirectory(current);
    if (chosen === null) return;
    setTyped(chosen);
    save(chosen);
  }

  return (
    <TextField
      label="Build cache"
      machine
      value={typed}
      placeholder="none"
      aria-invalid={isWrong}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={() => save(wanted)}
      hint={
        isWrong
          ? 'Give a whole path; the cache stays as it was.'
          : 'Every run gets this directory as CARGO_TARGET_DIR, so that Rust builds are shared. Empty: each builds by itself.'
      }
      action={<Button onClick={() => void choose()}>Choose…</Button>}
    />
  );
}
