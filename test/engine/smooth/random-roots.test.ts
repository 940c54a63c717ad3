/**
 * Random smooth gaps with near-tangent and clustered roots, known by construction: none missed, none
 * invented.
 */
import { describe, expect, it } from 'vitest';
import { MAX_DEGREE } from '@engine/smooth/step-method';
import { type Random, seeded } from '../support/random';
import { above, BITS, type Exact, fromGrid, nested, times, toGrid, valueAt, zeroAt } from './dyadic';
import { searchAll, STATE } from './search-harness';
import { judge } from './sign-oracle';
import { events, form } from './support';
import { atLeast, sample } from '../../support/prove';

const ONE = 1n << BigInt(BITS);

const uniformLog = (random: Random, from: number, to: number): number =>
  Math.exp(random.uniform(Math.log(from), Math.log(to)));

interface Problem {
  exact: Exact;
  zeros: number[];
}

/**
 * Zeros alone, in pairs and triples at distances from 1e-7 to 1e-1 of the step, and pairs that just miss the
 * axis.
 */
function randomPolynomial(random: Random): Problem {
  const degree = random.integer(2, MAX_DEGREE);
  let exact: Exact = [BigInt(random.chance(0.5) ? 1 : -1)];
  const zeros: number[] = [];
  while (exact.length <= degree) {
    const left = degree + 1 - exact.length;
    const centre = random.uniform(0.02, 0.9);
    const distance = uniformLog(random, 1e-7, 1e-1);
    if (left >= 2 && random.chance(0.3)) {
      exact = times(exact, above(toGrid(centre), toGrid(distance)));
      continue;
    }
    const size = Math.min(left, random.integer(1, 3));
    for (let k = 0; k < size; k++) {
      const zero = toGrid(centre + k * distance * random.uniform(1, 1.9));
      if (zero < ONE) zeros.push(fromGrid(zero));
      exact = times(exact, zeroAt(zero));
    }
  }
  return { exact, zeros: zeros.sort((a, b) => a - b) };
}

/** Largest values of the factors of the nested form. */
const LARGEST = [1, 1, 1 / 4, 4 / 27, 1 / 16, 108 / 3125, 1 / 64, 6912 / 823543];
/** Rounding of coefficients and of the value: twice what the search takes for zero. */
const BLUR = 8 * Number.EPSILON;

describe('roots of random gaps on a step', () => {
  it('of polynomials are all found, and no others', () => {
    const random = seeded(20);
    const faults: string[] = [];
    let [zeros, proven, close] = [0, 0, 0];
    const cases = sample(1000, 10_000);
    for (let trial = 0; trial < cases; trial++) {
      const problem = randomPolynomial(random);
      const f = nested(problem.exact);
      while (f.length <= MAX_DEGREE) f.push(0);
      const blur = BLUR * f.reduce((sum, value, k) => sum + LARGEST[k] * Math.abs(value), 0);
      const value = (place: number): number => valueAt(problem.exact, toGrid(place));
      const judged = judge(searchAll(STATE, f), value, problem.zeros, blur);
      if (judged.fault !== null) faults.push(`${trial}: ${judged.fault}`);
      zeros += problem.zeros.length;
      proven += judged.proven;
      close += problem.zeros.filter((zero, k) => k > 0 && zero - problem.zeros[k - 1] < 1e-4).length;
    }
    expect(faults.slice(0, 5)).toEqual([]);
    // The data are what they are said to be.
    expect(zeros).toBeGreaterThan(atLeast(25_000, cases, 10_000));
    expect(proven).toBeGreaterThan(atLeast(15_000, cases, 10_000));
    expect(close).toBeGreaterThan(atLeast(5_000, cases, 10_000));
  });

  it('of products of sines are all found through the general enclosure', () => {
    const random = seeded(21);
    const faults: string[] = [];
    let proven = 0;
    const cases = sample(300, 2000);
    for (let trial = 0; trial < cases; trial++) {
      // sin(w (t − r)) vanishes at r and, with w < π, nowhere else on the step.
      const factors: { zero: number; w: number }[] = [];
      const count = random.integer(1, 5);
      while (factors.length < count) {
        const zero = random.uniform(0.02, 0.9);
        const distance = uniformLog(random, 1e-6, 1e-1);
        const size = Math.min(random.integer(1, 2), count - factors.length);
        for (let k = 0; k < size; k++) factors.push({ zero: zero + k * distance, w: random.uniform(1, 3) });
      }
      const gap = (t: number): number =>
        factors.reduce((product, { zero, w }) => product * Math.sin(w * (t - zero)), 1.5);
      const zeros = factors.map(({ zero }) => zero).sort((a, b) => a - b);
      const found = searchAll(events([gap]), [0, 0, 0, 0, 0, 0, 0, 0]);
      const judged = judge(found, gap, zeros, 1e-12);
      if (judged.fault !== null) faults.push(`${trial}: ${judged.fault}`);
      proven += judged.proven;
    }
    expect(faults.slice(0, 5)).toEqual([]);
    expect(proven).toBeGreaterThan(atLeast(4_000, cases, 2000));
  });

  it('of 500 sums of cosines agree with a scan of their values and slopes', () => {
    const random = seeded(22);
    const faults: string[] = [];
    let proven = 0;
    for (let trial = 0; trial < 500; trial++) {
      const terms = Array.from({ length: random.integer(2, 4) }, () => ({
        size: random.uniform(-1, 1),
        w: random.uniform(1, 25),
        phase: random.uniform(0, 6),
      }));
      const sum = (t: number): number =>
        terms.reduce((s, { size, w, phase }) => s + size * Math.cos(w * t + phase), 0);
      const slope = (t: number): number =>
        terms.reduce((s, { size, w, phase }) => s - size * w * Math.sin(w * t + phase), 0);
      const zeros = scan(sum, slope);
      const judged = judge(searchAll(events([sum]), [0, 0, 0, 0, 0, 0, 0, 0]), sum, zeros, 1e-11);
      if (judged.fault !== null) faults.push(`${trial}: ${judged.fault}`);
      proven += judged.proven;
    }
    expect(faults.slice(0, 5)).toEqual([]);
    expect(proven).toBeGreaterThan(1_500);
  });

  it('are the same for a function that is said to be linear and one that is not', () => {
    const random = seeded(23);
    for (let trial = 0; trial < 300; trial++) {
      const f = Array.from({ length: MAX_DEGREE + 1 }, () => random.uniform(-1, 1));
      const [a, b, c] = [random.uniform(-2, 2), random.uniform(-1, 1), random.uniform(-1, 1)];
      const linear = searchAll(events([form([a], b, c)]), f);
      const general = searchAll(events([(t, x) => a * x[0] + b + c * t]), f);
      expect(general.map(({ kind }) => kind)).toEqual(linear.map(({ kind }) => kind));
      general.forEach(({ place }, k) => {
        expect(Math.abs(place - linear[k].place)).toBeLessThan(1e-11);
      });
    }
  });
});

/**
 * Zeros by dense sampling: sign changes, bisected; and, where the slope changes sign, on either side of the
 * extremum.
 */
function scan(f: (t: number) => number, slope: (t: number) => number): number[] {
  const STEPS = 2000;
  const bisect = (g: (t: number) => number, from: number, to: number): number => {
    let [a, b] = [from, to];
    for (let k = 0; k < 60; k++) {
      const middle = 0.5 * (a + b);
      if (g(middle) > 0 === g(a) > 0) a = middle;
      else b = middle;
    }
    return a;
  };
  const zeros: number[] = [];
  for (let k = 0; k < STEPS; k++) {
    const [a, b] = [k / STEPS, (k + 1) / STEPS];
    const places = slope(a) > 0 === slope(b) > 0 ? [a, b] : [a, bisect(slope, a, b), b];
    for (let i = 1; i < places.length; i++) {
      if (f(places[i - 1]) > 0 !== f(places[i]) > 0) zeros.push(bisect(f, places[i - 1], places[i]));
    }
  }
  return zeros;
}
