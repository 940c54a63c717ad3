/** Series by themselves, where terms of high degree decide what those of low degree do not show. */
import { describe, expect, it } from 'vitest';
import { EITHER, FALLING, RISING } from '@engine/smooth/event-functions';
import { SignSweep } from '@engine/smooth/sign-sweep';
import { ArcWalk } from '@engine/smooth-arcs/arc-walk';
import { FormPolynomial, refineFormRoot } from '@engine/smooth-arcs/form-polynomial';
import { form } from '../smooth/support';

const DEGREE = 20;

/** First root on [0, 1] of the polynomial with the given coefficients by degree. */
function first(terms: Record<number, number>): { kind: number; place: number } | null {
  const series = new FormPolynomial(form([1]));
  for (const [k, value] of Object.entries(terms)) {
    series.coefficients[Number(k)] = value;
    series.sizes[Number(k)] = Math.abs(value);
  }
  series.degree = DEGREE;
  series.length[0] = 1;
  const sweep = new SignSweep();
  sweep.point.set([0, terms[0]]);
  sweep.begin(0, false, EITHER, true);
  if (!new ArcWalk().walk(series, new Float64Array(1), sweep)) return null;
  refineFormRoot(series, sweep.bracket);
  return { kind: sweep.kind, place: sweep.bracket[0] };
}

describe('terms of high degree', () => {
  it('can lead through zero where the others are clear of it', () => {
    const found = first({ 0: 1e-6, 12: -2e-6 });
    expect(found?.kind).toBe(FALLING);
    expect(Math.abs((found?.place ?? 0) - 0.5 ** (1 / 12))).toBeLessThan(1e-15);
  });

  it('can lead through zero and back where the others are clear of it', () => {
    // Below zero only about τ = 0.94, where 8 (τ¹² − τ²⁰) is 1.49.
    expect(first({ 0: 1e-6, 12: -8e-6, 20: 8e-6 })?.kind).toBe(FALLING);
    expect(first({ 0: 1e-6, 12: -4e-6, 20: 4e-6 })).toBeNull();
  });

  it('can lead back where the others are monotone', () => {
    // −0.1 + τ − 1.05 τ¹²: above zero from about 0.1 on, and below it again before 1.
    const found = first({ 0: -0.1, 1: 1, 12: -1.05 });
    expect(found?.kind).toBe(RISING);
    expect(Math.abs((found?.place ?? 0) - 0.1)).toBeLessThan(1e-11);
  });

  it('do not matter where they are too small', () => {
    expect(first({ 0: 1e-6, 12: -0.9e-6 })).toBeNull();
    expect(first({ 0: 0.1, 1: 1, 12: -1.05 })).toBeNull();
  });
});
