/** @typedef {{ say(text: string): void, step<T>(name: string, work: () => T | Promise<T>): Promise<T> }} Steps */

/**
 * Prints what a script does, one line a step, with how long it took.
 * @param {NodeJS.WritableStream} stream where the lines go; stderr when stdout is somebody's data
 * @returns {Steps}
 */
export function createSteps(stream = process.stdout) {
  /** @param {string} text */
  const say = (text) => {
    stream.write(`${text}\n`);
  };
  return {
    say,
    async step(name, work) {
      const began = performance.now();
      say(`▸ ${name}`);
      const value = await work();
      say(`  ${name}: done in ${formatSeconds(performance.now() - began)}`);
      return value;
    },
  };
}

/** Steps of which nothing is printed. @returns {Steps} */
export function silentSteps() {
  return { say() {}, step: async (_name, work) => work() };
}

/** @param {number} ms */
export function formatSeconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** What a script ends with when it cannot go on: a sentence for the operator, not a stack. */
export class ScriptError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = 'ScriptError';
  }
}

/**
 * Runs a script's body and turns what it throws into a line on stderr and an exit code.
 * @param {() => Promise<number>} body gives the exit code
 */
export async function main(body) {
  try {
    process.exitCode = await body();
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(
      `${error instanceof ScriptError ? error.message : error instanceof Error ? error.stack : error}\n`,
    );
  }
}
