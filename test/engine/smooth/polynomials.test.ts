/** The tools of the root search: Bernstein forms, interpolation in Chebyshev's points, bracketing. */
import { describe, expect, it } from 'vitest';
import {
  bernsteinFromNested,
  chebyshevToBernstein,
  evaluateBernstein,
  subdivide,
} from '@engine/smooth/bernstein';
import { refineRoot, type ScalarFunction } from '@engine/smooth/bracketing';
import { ChebyshevPiece, CONTROL_PLACES, SAMPLE_PLACES } from '@engine/smooth/piece-walk';
import { evaluateNested } from '@engine/smooth/step-method';
import { seeded } from '../support/random';

const value = (b: Float64Array, degree: number, u: number, at = 0): number => {
  const out = new Float64Array(1);
  evaluateBernstein(b, at, degree, Float64Array.of(u), out, new Float64Array(degree + 1));
  return out[0];
};

describe('Bernstein forms', () => {
  it.each([3, 7])('of the dense output of degree %d are the same polynomial', (degree) => {
    const random = seeded(5);
    for (let trial = 0; trial < 50; trial++) {
      const f = Float64Array.from({ length: degree + 1 }, () => random.uniform(-1, 1));
      const b = new Float64Array(degree + 1);
      bernsteinFromNested(f, degree, b);
      const u = random.uniform(0, 1);
      const s = 1 - u;
      // The definition: F₀ + F₁ θ + F₂ θσ + F₃ θ²σ + …
      const defined = f.reduce((sum, c, k) => sum + c * u ** Math.ceil(k / 2) * s ** Math.floor(k / 2), 0);
      const nested = new Float64Array(1);
      evaluateNested(f, degree, Float64Array.of(u), nested);
      expect(nested[0]).toBeCloseTo(defined, 14);
      expect(value(b, degree, u)).toBeCloseTo(defined, 14);
    }
  });

  it('of T_k are cos(k arccos x)', () => {
    const matrix = chebyshevToBernstein(8);
    for (let k = 0; k <= 8; k++) {
      for (const u of [0, 0.13, 0.5, 0.77, 1]) {
        const expected = Math.cos(k * Math.acos(2 * u - 1));
        expect(value(matrix, 8, u, 9 * k)).toBeCloseTo(expected, 11);
      }
    }
  });

  it('are divided into the polynomials of both parts', () => {
    const random = seeded(6);
    const b = new Float64Array(20);
    for (let i = 0; i < 8; i++) b[i] = random.uniform(-1, 1);
    const whole = b.slice(0, 8);
    subdivide(b, 0, 7, Float64Array.of(0.3), 10);
    for (const u of [0, 0.2, 0.9, 1]) {
      expect(value(b, 7, u)).toBeCloseTo(value(whole, 7, 0.3 * u), 14);
      expect(value(b, 7, u, 10)).toBeCloseTo(value(whole, 7, 0.3 + 0.7 * u), 14);
    }
  });
});

describe('interpolation in nine points', () => {
  const convert = (f: (u: number) => number): { b: Float64Array; error: number; size: number } => {
    const piece = new ChebyshevPiece();
    const b = new Float64Array(9);
    piece.values.set([...SAMPLE_PLACES, ...CONTROL_PLACES].map(f));
    piece.convert(b);
    return { b, error: piece.measure[0], size: piece.measure[1] };
  };

  it('reproduces polynomials of degree 8', () => {
    const { b, error } = convert((u) => 3 * u ** 8 - u ** 5 + 0.5);
    for (const u of [0.05, 0.5, 0.93]) expect(value(b, 8, u)).toBeCloseTo(3 * u ** 8 - u ** 5 + 0.5, 12);
    expect(error).toBeLessThan(0.1);
  });

  it.each([
    ['e^u', Math.exp],
    ['cos 5u', (u: number) => Math.cos(5 * u)],
    ['1/(1 + 4u²)', (u: number) => 1 / (1 + 4 * u * u)],
    ['√(1.2 − u)', (u: number) => Math.sqrt(1.2 - u)],
    ['cos 40u', (u: number) => Math.cos(40 * u)],
  ])('estimates its error for %s: not less than it is, and not out of proportion', (_name, f) => {
    const { b, error } = convert(f);
    let worst = 0;
    for (let u = 0; u <= 1; u += 1e-3) worst = Math.max(worst, Math.abs(value(b, 8, u) - f(u)));
    expect(error).toBeGreaterThan(worst);
    expect(error).toBeLessThan(100 * worst);
  });

  it('sees kinks, to the order of magnitude', () => {
    for (let kink = 0.05; kink < 1; kink += 0.01) {
      const { b, error } = convert((u) => Math.abs(u - kink));
      let worst = 0;
      for (let u = 0; u <= 1; u += 1e-2)
        worst = Math.max(worst, Math.abs(value(b, 8, u) - Math.abs(u - kink)));
      expect(error).toBeGreaterThan(worst / 10);
    }
  });
});

describe('bracketing', () => {
  const scalar = (f: (x: number) => number): ScalarFunction & { calls: number } => {
    const made = {
      place: new Float64Array(1),
      result: new Float64Array(1),
      calls: 0,
      evaluate: () => {
        made.calls++;
        made.result[0] = f(made.place[0]);
      },
    };
    return made;
  };

  it.each([
    ['a simple zero', (x: number) => Math.cos(x) - x, 0.7390851332151607, 12],
    ['a flat one', (x: number) => (x - 0.3) ** 3, 0.3, 110],
    ['a steep one', (x: number) => Math.tanh(1e4 * (x - 0.61)), 0.61, 60],
    ['a jump', (x: number) => (x < 0.123 ? -1 : 1), 0.123, 60],
  ])('finds %s to the resolution', (_name, f, expected, most) => {
    const made = scalar(f);
    const bracket = Float64Array.of(0, 1);
    expect(refineRoot(made, bracket, Float64Array.of(1e-16))).toBe(true);
    expect(Math.abs(bracket[0] - expected)).toBeLessThan(2e-5 ** (_name === 'a flat one' ? 1 : 3));
    expect(made.calls).toBeLessThan(most);
  });

  it('takes a zero at an end, and says when there is no change of sign', () => {
    const resolution = Float64Array.of(1e-16);
    const atEnd = Float64Array.of(0, 1);
    expect(
      refineRoot(
        scalar((x) => x - 1),
        atEnd,
        resolution,
      ),
    ).toBe(true);
    expect(atEnd[0]).toBe(1);
    const none = Float64Array.of(0, 1);
    expect(
      refineRoot(
        scalar((x) => x + 0.1),
        none,
        resolution,
      ),
    ).toBe(false);
    expect(none[0]).toBe(0);
  });
});
