import { useState } from 'react';
import type { Failure } from '../../../src-shared/failure.ts';
import { FailureBox } from '../../ui/index.ts';
import type { ByteSource } from '../source.ts';
import { BYTES_PER_ROW, HexPages } from './hex.ts';
import { Rows } from './Rows.tsx';

const ROW_HEIGHT = 19;

/** The bytes themselves, for what is no text. Mounted anew for another file, and when the file has grown. */
export function HexView({ label, source, size }: { label: string; source: ByteSource; size: number }) {
  const [, setVersion] = useState(0);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [pages] = useState(
    () =>
      new HexPages(source, (failed) => {
        setFailure(failed);
        setVersion((version) => version + 1);
      }),
  );
  if (failure !== null) return <FailureBox sentence={failure.message} hint={failure.hint} />;
  return (
    <Rows label={label} count={Math.ceil(size / BYTES_PER_ROW)} rowHeight={ROW_HEIGHT}>
      {(index) => (
        <div key={index} className="machine px-3 whitespace-pre" style={{ height: ROW_HEIGHT }}>
          {pages.row(index)}
        </div>
      )}
    </Rows>
  );
}
