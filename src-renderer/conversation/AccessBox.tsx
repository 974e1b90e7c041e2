import type { Access } from '../../src-shared/agents.ts';
import type { Seat } from '../../src-shared/conversations.ts';
import { updateSeat } from '../state/intents.ts';
import { tellFailure } from '../state/notices.ts';
import { type Option, SelectBox } from '../ui/index.ts';

export const ACCESS_OPTIONS: readonly Option<Access>[] = [
  { value: 'read-only', label: 'Read-only' },
  { value: 'can-write', label: 'Can write' },
];

/** What the addressed seats may do to the working directory, from the next turn on. */
export function AccessBox({ seats }: { seats: readonly Seat[] }) {
  const [first] = seats;
  if (first === undefined) return null;
  const isSame = seats.every((seat) => seat.access === first.access);

  async function change(access: Access | 'mixed') {
    if (access === 'mixed') return;
    for (const seat of seats) {
      if (seat.access === access) continue;
      const failed = await updateSeat({ seatId: seat.id, access });
      if (failed !== null) tellFailure(failed);
    }
  }

  return isSame ? (
    <SelectBox label="Access" value={first.access} options={ACCESS_OPTIONS} onChange={change} />
  ) : (
    <SelectBox
      label="Access"
      value="mixed"
      options={[{ value: 'mixed' as const, label: 'Access differs' }, ...ACCESS_OPTIONS]}
      onChange={change}
    />
  );
}
