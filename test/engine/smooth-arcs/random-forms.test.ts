/** Roots of linear forms along random linear systems, against scans of their modal closed forms. */
import { describe, expect, it } from 'vitest';
import { events, form } from '../smooth/support';
import { seeded } from '../support/random';
import { type ModalCase, modalCase } from './modal-cases';
import { arcs } from './support';
import { sample } from '../../support/prove';

/**
 * Extrema this near zero, relative to the scale of the form, are not told from touches by a scan in doubles.
 */
const DOUBTFUL = 1e-11;

interface Crossing {
  readonly t: number;
  readonly kind: number;
}

/** Bisection of a sign change in [left, right] to the last bits. */
function bisect(f: (t: number) => number, left: number, right: number): number {
  const sign = Math.sign(f(left));
  let [a, b] = [left, right];
  for (let k = 0; k < 60; k++) {
    const middle = (a + b) / 2;
    if (Math.sign(f(middle)) === sign) a = middle;
    else b = middle;
  }
  return (a + b) / 2;
}

/**
 * All sign changes: the scan is finer than any oscillation, and where the slope changes sign within a stretch
 * the extremum is located first. @returns null where an extremum or an end is too near zero to be judged
 */
function scan({ value, slope, scale, tEnd, spacing }: ModalCase): Crossing[] | null {
  const found: Crossing[] = [];
  const steps = Math.ceil(tEnd / spacing);
  let t = 0;
  let g = value(0);
  let rate = slope(0);
  if (Math.abs(g) < DOUBTFUL * scale) return null;
  const take = (to: number, next: number): void => {
    if (g > 0 !== next > 0) found.push({ t: bisect(value, t, to), kind: next > 0 ? 1 : -1 });
    t = to;
    g = next;
  };
  for (let k = 1; k <= steps; k++) {
    const to = k === steps ? tEnd : (tEnd * k) / steps;
    const nextRate = slope(to);
    if (rate > 0 !== nextRate > 0) {
      const extremum = bisect(slope, t, to);
      const height = value(extremum);
      if (Math.abs(height) < DOUBTFUL * scale) return null;
      take(extremum, height);
    }
    take(to, value(to));
    rate = nextRate;
  }
  return Math.abs(g) < DOUBTFUL * scale ? null : found;
}

describe('linear forms along random linear systems', () => {
  it('have the roots that a scan of the closed form finds', () => {
    const cases = sample(500, 10_000);
    const random = seeded(20_241);
    let doubtful = 0;
    let roots = 0;
    let close = 0;
    for (let trial = 0; trial < cases; trial++) {
      const made = modalCase(random);
      const expected = scan(made);
      if (expected === null) {
        doubtful++;
        continue;
      }
      const flight = arcs(made.system, [...made.start], events([form([...made.weights], made.constant)]));
      const found: Crossing[] = [];
      while (flight.advance(made.tEnd, made.tEnd) === 'root') {
        found.push({ t: flight.clock[0], kind: flight.roots.kinds[0] });
      }
      const label = `case ${String(trial)}`;
      expect(flight.clock[0], label).toBe(made.tEnd);
      expect(
        found.map(({ kind }) => kind),
        label,
      ).toEqual(expected.map(({ kind }) => kind));
      let worst = 0;
      found.forEach(({ t }, k) => {
        // Rounding of A and of the flow moves values by some 1e-13 of the scale, and roots by that over the
        // slope.
        const slope = Math.max(Math.abs(made.slope(t)), 1e-9 * made.scale);
        const allowed = Math.max(1e-12, (2e-12 * made.scale) / slope);
        worst = Math.max(worst, Math.abs(t - expected[k].t) / allowed);
        if (k > 0 && t - found[k - 1].t < 1e-3) close++;
      });
      expect(worst, label).toBeLessThan(1);
      roots += found.length;
    }
    // The test is one of many roots, among them near-tangent pairs, and leaves out few cases.
    expect(doubtful).toBeLessThan(cases / 20);
    expect(roots).toBeGreaterThan(5 * cases);
    expect(close).toBeGreaterThan(cases / 20);
  });
});
