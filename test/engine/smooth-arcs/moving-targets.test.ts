/** Distances to targets that move by a known law, against scans of their closed forms. */
import { describe, expect, it } from 'vitest';
import { EITHER, FALLING, RISING, TOUCH_FROM_ABOVE, TOUCH_FROM_BELOW } from '@engine/smooth/event-functions';
import type { ExactArcs } from '@engine/smooth-arcs/exact-arcs';
import type { ArcEvents, MovingTarget } from '@engine/smooth-arcs/moving-target';
import { form } from '../smooth/support';
import { seeded } from '../support/random';
import { arcs, damped, linear } from './support';
import { atLeast, sample } from '../../support/prove';

/** h(t) = level + Σ a_k sin(w_k t + f_k), and its bound. */
interface Law {
  readonly level: number;
  readonly terms: readonly (readonly [a: number, w: number, f: number])[];
}
const sum = (terms: Law['terms'], f: (a: number, w: number, phase: number) => number): number =>
  terms.reduce((total, [a, w, phase]) => total + f(a, w, phase), 0);
const height = ({ level, terms }: Law, t: number): number =>
  level + sum(terms, (a, w, f) => a * Math.sin(w * t + f));
const rate = ({ terms }: Law, t: number): number => sum(terms, (a, w, f) => a * w * Math.cos(w * t + f));

const watching = (target: MovingTarget): ArcEvents => ({
  count: 1,
  linear: () => null,
  value: (_j, _clock, _x, out) => {
    out[0] = NaN;
  },
  watch: Int8Array.of(EITHER),
  moving: () => target,
});

const target = (law: Law, weights: readonly number[]): MovingTarget => ({
  form: form(weights),
  motion: (clock, out) => {
    out[0] = height(law, clock[0]);
    out[1] = rate(law, clock[0]);
  },
  curvature: Float64Array.of(sum(law.terms, (a, w) => Math.abs(a) * w * w)),
});

function roots(made: ExactArcs, tEnd: number): { t: number; kind: number }[] {
  const found: { t: number; kind: number }[] = [];
  for (let guard = 0; guard < 1000; guard++) {
    const status = made.advance(tEnd);
    if (status === 'reached') return found;
    if (status !== 'root') throw new Error(status);
    found.push({ t: made.clock[0], kind: made.roots.kinds[0] });
  }
  throw new Error('roots without end');
}

describe('a target that moves under a body at rest', () => {
  // g = 1 + excess − sin t
  const passing = (excess: number): { t: number; kind: number }[] =>
    roots(arcs(linear([[0]]), [1], watching(target({ level: excess, terms: [[-1, 1, 0]] }, [1]))), 6);

  it.each([1e-6, 1e-10, 1e-13])('misses it by %f', (excess) => {
    expect(passing(excess)).toEqual([]);
  });

  it.each([1e-3, 1e-8, 1e-12])('passes it by %f, and back', (depth) => {
    const found = passing(-depth);
    expect(found.map(({ kind }) => kind)).toEqual([FALLING, RISING]);
    const half = 2 * Math.asin(Math.sqrt(depth / 2));
    found.forEach(({ t }, k) => {
      const exact = Math.PI / 2 + (k === 0 ? -half : half);
      expect(Math.abs(t - exact)).toBeLessThan((4 * Number.EPSILON) / half + 4e-16);
    });
  });

  it('touches it', () => {
    const found = passing(0);
    expect(found.map(({ kind }) => kind)).toEqual([TOUCH_FROM_ABOVE]);
    expect(Math.abs(found[0].t - Math.PI / 2)).toBeLessThan(1e-7);
    const below = arcs(linear([[0]]), [-1], watching(target({ level: 0, terms: [[1, 1, 0]] }, [1])));
    expect(roots(below, 6).map(({ kind }) => kind)).toEqual([TOUCH_FROM_BELOW]);
  });
});

describe('random oscillators over random targets', () => {
  it('meet them where a scan says', () => {
    const random = seeded(77);
    const cases = sample(150, 1500);
    let count = 0;
    let doubtful = 0;
    for (let trial = 0; trial < cases; trial++) {
      const omega = random.uniform(0.5, 5);
      const law: Law = {
        level: random.uniform(-1.5, 1.5),
        terms: Array.from({ length: random.integer(1, 3) }, () => [
          random.uniform(-1, 1),
          random.uniform(0.2, 6),
          random.uniform(0, 6),
        ]),
      };
      const [x, v] = [random.uniform(-1, 1), random.uniform(-2, 2)];
      const g = (t: number): number =>
        x * Math.cos(omega * t) + (v / omega) * Math.sin(omega * t) + height(law, t);
      const spacing = 2e-3;
      const expected: { t: number; kind: number }[] = [];
      let isDoubtful = Math.abs(g(0)) < 1e-9;
      for (let k = 1; k <= 5000; k++) {
        let [left, right] = [(k - 1) * spacing, k * spacing];
        // Two zeros in a stretch, or nearly so: the scan cannot tell.
        const middle = g((left + right) / 2);
        if (Math.abs(middle) < 2e-4 && (g(left) - middle) * (g(right) - middle) > 0) isDoubtful = true;
        if (g(left) > 0 === g(right) > 0) continue;
        const kind = g(right) > 0 ? RISING : FALLING;
        for (let halving = 0; halving < 50; halving++) {
          const m = (left + right) / 2;
          if (g(m) > 0 === g(left) > 0) left = m;
          else right = m;
        }
        expected.push({ t: left, kind });
      }
      if (isDoubtful) {
        doubtful++;
        continue;
      }
      const found = roots(arcs(damped(omega, 0), [x, v], watching(target(law, [1, 0]))), 10);
      expect(found.map(({ kind }) => kind)).toEqual(expected.map(({ kind }) => kind));
      const worst = found.reduce((most, { t }, k) => Math.max(most, Math.abs(t - expected[k].t)), 0);
      expect(worst).toBeLessThan(1e-11);
      count += found.length;
    }
    expect(doubtful).toBeLessThan(cases / 30);
    expect(count).toBeGreaterThan(atLeast(5000, cases, 1500));
  });
});

describe('failures', () => {
  const law: Law = { level: 2, terms: [[-1, 1, 0]] };
  const status = (more: Partial<MovingTarget>): readonly [string, number, number] => {
    const made = arcs(damped(1, 0), [0, 0], watching({ ...target(law, [1, 0]), ...more }));
    return [made.advance(10), made.failure.index, made.counters.unresolvedPieces];
  };

  it('are those of a law that is not finite, or a bound that is none', () => {
    expect(status({})).toEqual(['reached', -1, 0]);
    expect(status({ curvature: Float64Array.of(NaN) })[0]).toBe('eventNotFinite');
    expect(status({ curvature: Float64Array.of(Infinity) })[0]).toBe('eventNotFinite');
    expect(status({ form: form([NaN]) })[0]).toBe('eventNotFinite');
    const lost = status({
      motion: (clock, out) => {
        out[0] = clock[0] < 3 ? 1 : NaN;
        out[1] = 0;
      },
    });
    expect(lost).toEqual(['eventNotFinite', 0, 0]);
  });

  it('include a bound that is so large that nothing can be shown with it', () => {
    expect(status({ curvature: Float64Array.of(1e14) })).toEqual(['eventNotFinite', 0, 1]);
  });
});
