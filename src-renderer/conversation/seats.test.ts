import { expect, test } from 'vitest';
import { emptyInvocationState, foldSeatEvent, type InvocationState } from '../../src-shared/fold.ts';
import { rowKeys, rowOf } from '../state/rows.ts';
import { eventsOf, invocationAt, sampleSeat, sampleSnapshot, sampleTurn, seatAt, started } from '../state/samples.ts';
import { viewOf } from '../state/view.ts';
import { namesText, nameThen, seatWork } from './seats.ts';

const begun = eventsOf(1, 0, [started(1)]).reduce(foldSeatEvent, emptyInvocationState(invocationAt(1)));
const done: InvocationState = { ...begun, outcome: { kind: 'cancelled', ended: [] }, endedAt: 1 };
const words = (turns: Parameters<typeof sampleSnapshot>[0]) =>
  seatWork(viewOf(sampleSnapshot(turns, { seats: [sampleSeat(0), sampleSeat(1)] }))).map((work) => work.text);

test('each seat says what it does, or how its last work ended', () => {
  expect(words([])).toEqual(['ready', 'ready']);
  const both = [seatAt(0), seatAt(1)];
  expect(words([sampleTurn(1, { state: 'running', seatIds: both, invocations: [] })])).toEqual([
    'starting',
    'starting',
  ]);
  expect(words([sampleTurn(1, { state: 'running', seatIds: both, invocations: [begun] })])).toEqual([
    'working',
    'starting',
  ]);
  expect(words([sampleTurn(1, { state: 'running', seatIds: both, invocations: [done] })])[0]).toBe('stopped');
  expect(words([sampleTurn(1, { invocations: [done] }), sampleTurn(2, { state: 'queued', invocations: [] })])).toEqual([
    'stopped',
    'ready',
  ]);
});

test('a seat with a new agent is ready, however the one before it ended', () => {
  const view = viewOf(
    sampleSnapshot([sampleTurn(1, { invocations: [done] })], { seats: [sampleSeat(0, { agent: 'guide' })] }),
  );
  expect(seatWork(view).map(({ text }) => text)).toEqual(['ready']);
});

test('what a seat did with another agent keeps that agent’s name', () => {
  expect(nameThen(begun, sampleSeat(0), [])).toBe('Seat 0');
  expect(nameThen(begun, sampleSeat(0, { agent: 'guide', name: 'Guide' }), [])).toBe('codex');
  expect(nameThen(emptyInvocationState(invocationAt(1)), sampleSeat(0), [])).toBe('Seat 0');
});

test('names are listed as one says them', () => {
  expect(namesText(['Codex'])).toBe('Codex');
  expect(namesText(['Codex', 'Guide'])).toBe('Codex and Guide');
  expect(namesText(['Codex', 'Guide', 'Codex 2'])).toBe('Codex, Guide and Codex 2');
});

test('rows are the operator’s message and each reply, without what waits', () => {
  const view = viewOf(sampleSnapshot([sampleTurn(1, { invocations: [done] }), sampleTurn(2, { state: 'held' })]));
  expect(rowKeys(view).map(rowOf)).toEqual([
    { kind: 'operator', turnId: sampleTurn(1).id },
    { kind: 'seat', turnId: sampleTurn(1).id, invocationId: invocationAt(1) },
  ]);
});
