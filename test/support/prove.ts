/**
 * How thorough a test is. `npm test` takes samples that are over in seconds, the same each time: the first
 * cases of seeded sequences. `npm run prove` sets MOREAU_PROVE, takes all cases, and writes what holds into
 * docs/proofs.md.
 */
import { getCurrentTest } from 'vitest/suite';

export const isProving = process.env.MOREAU_PROVE !== undefined;

declare module '@vitest/runner' {
  interface TaskMeta {
    /** cases that the proof takes */
    cases?: number;
  }
}

/**
 * The size of a sample. Asked for inside a test, it also stands in the table of the proofs.
 * @param quick cases that find a fault which is not rare
 * @param full cases where everything is to be proven
 */
export function sample(quick: number, full: number): number {
  const test = getCurrentTest();
  if (test !== undefined) test.meta.cases = Math.max(full, test.meta.cases ?? 0);
  return isProving ? full : quick;
}

/**
 * A lower bound on a count of rare cases, for as many cases as are taken.
 * @param bound on the count in the full sample; of small samples it is less by two of their standard
 *   deviations, but not nothing
 */
export function atLeast(bound: number, taken: number, full: number): number {
  if (taken >= full) return bound;
  const mean = (bound * taken) / full;
  return Math.max(0, Math.floor(mean - 2 * Math.sqrt(mean)));
}

/**
 * As many items of a list as an ordinary run takes, spread over all of it; all of them where everything is to
 * be proven.
 */
export const part = <T>(list: readonly T[], quick: number): readonly T[] =>
  isProving || list.length <= quick
    ? list
    : Array.from({ length: quick }, (_, k) => list[Math.floor((k * list.length) / quick)]);
