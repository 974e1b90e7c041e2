import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readerEvent } from '../../../src-shared/events.ts';
import { cause } from '../../../src-shared/outcome.ts';
import { AGENTS, type Ending } from './index.ts';
import {
  answerIn,
  endingOf,
  evidenceOf,
  linesOf,
  type Read,
  readerFor,
  readLines,
  readRecording,
  recordedCauses,
  recordingNames,
} from './recordings.ts';

const NEWLINE = 0x0a;
const OPENING_BRACE = 0x7b;
const KILLED = { code: null, signal: 'SIGKILL' };

/** Whatever a CLI of tomorrow may print between the lines that are known. */
const NOISE = [
  'tracing: something',
  '',
  '{"type":"an.event.of.a.later.version","item":{"id":"item_0"}}',
  '{"type":"another_later_event","message":{"content":"x"},"part":{"type":"later"}}',
  '{',
  '[]',
  'null',
  '{"type":7}',
];

/** Where each line begins and ends, without its line break. */
function lineSpans(bytes: Buffer): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = [];
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline === -1 ? bytes.length : newline;
    spans.push({ start, end });
    start = end + 1;
  }
  return spans;
}

const isJson = (line: string) => {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
};

describe.each(AGENTS)('$label', (agent) => {
  const causes = recordedCauses(agent.id);
  const names = recordingNames(agent.id);

  test('says of every recording how it ended, and of nothing else', () => {
    expect(Object.keys(causes).sort()).toEqual(names);
  });

  describe.each(names)('the transcript “%s”', (name) => {
    const recording = readRecording(agent.id, name);
    const lines = linesOf(recording.stdout);
    const isEventStream = lines.some((line) => line.startsWith('{'));
    const read = (given: readonly string[]): Read => readLines(readerFor(agent, recording), given);
    const whole = read(lines);

    test('becomes events of the contract', () => {
      for (const event of whole.events) expect(readerEvent.parse(event)).toEqual(event);
    });

    test('ended for the reason it shows', () => {
      expect(agent.explain(endingOf(recording, whole))).toEqual(causes[name]);
    });

    test('cut off at any byte gives a beginning of the same events, no evidence that was not there, and one outcome', () => {
      const evidence = evidenceOf(whole.events);
      const expectBeginning = (stdout: Buffer) => {
        const cut = read(linesOf(stdout));
        const pushed = cut.events.slice(0, cut.pushed);
        if (isEventStream) expect(pushed).toEqual(whole.events.slice(0, pushed.length));
        expect(evidenceOf(cut.events)).toEqual(evidence.slice(0, evidenceOf(cut.events).length));
        const ending: Ending = endingOf({ ...recording, stdout, exit: KILLED }, cut);
        expect(cause.safeParse(agent.explain(ending)).success).toBe(true);
      };
      const { stdout } = recording;
      for (const { start, end } of lineSpans(stdout)) {
        expectBeginning(stdout.subarray(0, start));
        if (stdout[start] !== OPENING_BRACE) {
          for (let at = start + 1; at < end; at++) expectBeginning(stdout.subarray(0, at));
          continue;
        }
        // One reader lives through every beginning of this event: none of them may count, or leave anything behind.
        const reader = readerFor(agent, recording);
        const before = linesOf(stdout.subarray(0, start)).flatMap((line) => reader.push(line));
        for (let at = start + 1; at < end; at++) {
          expect(reader.push(stdout.subarray(start, at).toString('utf8'))).toEqual([]);
        }
        const after = [...before, ...reader.push(stdout.subarray(start, end).toString('utf8'))];
        expect(after).toEqual(whole.events.slice(0, after.length));
      }
      expectBeginning(stdout);
    });

    test.runIf(isEventStream)(
      'with unknown events, unknown fields and plain text between its lines gives the same',
      () => {
        const noisy = lines.flatMap((line) => {
          if (!isJson(line)) return [line];
          const event: object = JSON.parse(line);
          return [...NOISE, JSON.stringify({ ...event, later: { deep: [1] }, turn_id: 'x' })];
        });
        expect(read([...noisy, ...NOISE])).toEqual(whole);
      },
    );

    test.runIf(isEventStream)('a damaged line counts for nothing, and takes nothing else with it', () => {
      const damage = fc.record({ line: fc.nat(Math.max(0, lines.length - 1)), at: fc.nat(), text: fc.string() });
      fc.assert(
        fc.property(fc.array(damage), (damages) => {
          const damaged = [...lines];
          for (const { line, at, text } of damages) {
            const before = damaged[line] ?? '';
            damaged[line] = before.slice(0, at % (before.length + 1)) + text;
          }
          const kept = damaged.filter((line, index) => line === lines[index] || isJson(line));
          const result = read(damaged);
          for (const event of result.events) readerEvent.parse(event);
          expect(answerIn(result.events)).toBe(answerIn(read(kept).events));
        }),
        { numRuns: 60 },
      );
    });

    test('with lines lost or twice never throws, and ends in one outcome', () => {
      fc.assert(
        fc.property(fc.array(fc.nat(Math.max(0, lines.length - 1)), { maxLength: 60 }), (picked) => {
          const result = read(picked.map((index) => lines[index] ?? ''));
          for (const event of result.events) readerEvent.parse(event);
          const why = agent.explain(endingOf({ ...recording, exit: KILLED }, result));
          expect(cause.safeParse(why).success).toBe(true);
        }),
        { numRuns: 60 },
      );
    });
  });
});
