import { expect, test } from 'vitest';
import { sampleSeat, seatAt } from '../state/samples.ts';
import { agentChoices } from './agentChoices.ts';
import { changeOf, formOf, hasTimeFaults, isOtherModel } from './seatForm.ts';

const seat = sampleSeat(0, { model: 'gpt-5', timeoutMs: 3_600_000, idleTimeoutMs: 1_800_000 });
const form = formOf(seat);
const chosen = { key: 'codex', label: 'Codex', agent: 'codex' as const, definitionId: null };

test('a form that was not touched changes nothing', () => {
  expect(changeOf(seat, form, chosen)).toBeNull();
});

test('only what differs is changed, and another agent is told its model as well', () => {
  expect(changeOf(seat, { ...form, model: ' ' }, chosen)).toEqual({ seatId: seatAt(0), model: null });
  expect(changeOf(seat, { ...form, minutes: '90' }, chosen)).toEqual({ seatId: seatAt(0), timeoutMs: 5_400_000 });
  const guide = { ...chosen, key: 'guide', agent: 'guide' as const };
  expect(changeOf(seat, { ...form, choice: 'guide', model: '' }, guide)).toEqual({
    seatId: seatAt(0),
    agent: 'guide',
    definitionId: null,
    model: null,
  });
});

test('an idle limit can be taken away, and one that is no time is not saved', () => {
  expect(changeOf(seat, { ...form, idleMinutes: '' }, chosen)).toEqual({ seatId: seatAt(0), idleTimeoutMs: null });
  expect(hasTimeFaults({ ...form, idleMinutes: '' })).toEqual({ time: false, idle: false });
  expect(hasTimeFaults({ ...form, minutes: '0', idleMinutes: 'soon' })).toEqual({ time: true, idle: true });
  expect(changeOf(seat, { ...form, idleMinutes: 'soon' }, chosen)).toBeNull();
});

test('a model that is only spelled with spaces is the same', () => {
  expect(isOtherModel(seat, { ...form, model: ' gpt-5 ' })).toBe(false);
});

test('a seat keeps its agent among the choices though it is no longer found', () => {
  expect(agentChoices([], [], seat)).toEqual([
    { key: 'codex', label: 'Seat 0 (not found)', agent: 'codex', definitionId: null },
  ]);
});
