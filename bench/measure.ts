/** Measures that are ratios of two things done in turn in one run, so that a busy machine slows both. */

export interface Comparison {
  readonly name: string;
  /** The two sides, in what they are measured in, one entry for each round. */
  readonly measured: readonly number[];
  readonly floor: readonly number[];
  readonly budget: number;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** Does both sides in turn, `rounds` times after one that is not counted. Times in ms. */
export async function alternate(
  rounds: number,
  measured: () => Promise<number>,
  floor: () => Promise<number>,
): Promise<{ measured: number[]; floor: number[] }> {
  await floor();
  await measured();
  const result = { measured: [] as number[], floor: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    result.floor.push(await floor());
    result.measured.push(await measured());
  }
  return result;
}

/** The median of the rounds' own ratios: what drifts between two rounds does not count. */
export function ratioOf(comparison: Comparison): number {
  return median(comparison.measured.map((value, round) => value / (comparison.floor[round] ?? Number.NaN)));
}

export function report(comparison: Comparison): string {
  const ratio = ratioOf(comparison);
  const verdict = ratio <= comparison.budget ? 'within' : 'OVER';
  const side = (values: readonly number[]) => `${median(values).toFixed(0)} ms`;
  return `${comparison.name}: ${ratio.toFixed(3)} × (budget ${comparison.budget} ×, ${verdict}); median ${side(comparison.measured)} against ${side(comparison.floor)}, ${comparison.measured.length} rounds`;
}
