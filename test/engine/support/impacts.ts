/** What tests of impacts at several contacts at once share, from event to event and in steps. */
import type { FieldValue } from '@engine/document/types';
import { expect } from 'vitest';
import { enumerateLcp } from './lcp-oracle';
import type { Run } from './run';

/** `simulation.impacts` of a document. */
export type Impacts = { type: string } & Record<string, FieldValue>;

export const last = (result: Run, name: string): number => result.column(name).at(-1) ?? Number.NaN;

/** The worst that the certificate has found. */
export const worst = ({ session }: Run): number => {
  const { complementarity, coneViolation, dynamics } = session.certificate;
  return Math.max(complementarity, coneViolation, dynamics);
};

export function expectClose(actual: Float64Array, expected: ArrayLike<number>, tolerance: number): void {
  expect(actual).toHaveLength(expected.length);
  actual.forEach((value, i) => expect(Math.abs(value - expected[i])).toBeLessThan(tolerance));
}

/**
 * Velocities (m/s) of three balls that touch, of which the first has met the others at 1 m/s, by Poisson's
 * law: compression and expansion, two problems that are solved by enumeration.
 */
export function poissonOfThree(
  [m0, m1, m2]: readonly [number, number, number],
  restitution: readonly [number, number],
): readonly [number, number, number] {
  const W = [
    [1 / m0 + 1 / m1, -1 / m1],
    [-1 / m1, 1 / m1 + 1 / m2],
  ];
  const before = [-1, 0];
  const times = (z: readonly number[]): number[] =>
    W.map((entries) => entries.reduce((sum, w, k) => sum + w * z[k], 0));
  const [compression] = enumerateLcp(W, before);
  const compressed = times(compression).map((u, k) => u + before[k]);
  const given = compression.map((p, k) => restitution[k] * p);
  const [more] = enumerateLcp(
    W,
    times(given).map((u, k) => u + compressed[k]),
  );
  const p = compression.map((value, k) => value + given[k] + more[k]);
  return [1 - p[0] / m0, (p[0] - p[1]) / m1, p[1] / m2];
}
