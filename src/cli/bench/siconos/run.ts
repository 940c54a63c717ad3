/** Running a comparison program and reading what it prints. */
import { spawnSync } from 'node:child_process';

export type ProgramArguments = Record<string, string | number>;

/** What a program measured. */
export interface SiconosMeasurement {
  nsPerStep: number;
  /** steps at which the non-smooth solver did not reach its tolerance */
  failures: number;
  /** final state, in the order the program documents */
  state: number[];
}

/**
 * Runs a program and reads the JSON of its last line.
 * @param executable as `build` returned it
 * @param prefix words before the arguments
 * @throws {Error} when it fails or prints something else
 */
export function callProgram(
  executable: string,
  given: ProgramArguments,
  prefix: readonly string[] = [],
): unknown {
  const words = Object.entries(given).map(([name, value]) => `${name}=${value}`);
  const { status, stdout, stderr, error } = spawnSync(executable, [...prefix, ...words], {
    encoding: 'utf8',
    // One thread, as here: for systems of this size more of them make Siconos slower.
    env: { ...process.env, OPENBLAS_NUM_THREADS: '1', OMP_NUM_THREADS: '1' },
  });
  if (error !== undefined) throw error;
  // Siconos itself prints to standard output; ours is the last line.
  const line = stdout.trimEnd().split('\n').at(-1) ?? '';
  if (status !== 0 || !line.startsWith('{')) throw new Error(`${executable} failed: ${stderr}${line}`);
  return JSON.parse(line);
}

/** A program of the time loop. @throws {Error} when it fails or prints something else */
export const runProgram = (executable: string, given: ProgramArguments): SiconosMeasurement =>
  callProgram(executable, given) as SiconosMeasurement;
