/**
 * The pendulum of length 1 m from the horizontal, integrated with RK4 for 10 s: exact position, and drift of
 * Φ by formulation.
 */
import { describe, expect, it } from 'vitest';
import type { FormulationSettings } from '../oracles/planar/formulations/registry';
import { observedOrder } from '../support/order';
import { exactPendulum } from './support/exact-pendulum';
import { G, pendulum } from './support/mechanisms';
import { drift, run, start } from './support/motion';

const STEPS = [0.02, 0.01, 0.005];
const END = 10;

function worstDrift(formulation: FormulationSettings, h: number) {
  const motion = start(pendulum(), formulation, h);
  let worst = 0;
  run(motion, h, END, () => {
    worst = Math.max(worst, drift(motion));
  });
  return { worst, motion };
}

it('the exact solution is that of the specification, and satisfies the equation of motion', () => {
  const end = exactPendulum(END, G);
  expect(end.x).toBeCloseTo(0.27508746, 8);
  expect(end.y).toBeCloseTo(-0.96141921, 8);
  const angle = (t: number): number => Math.asin(exactPendulum(t, G).x);
  const h = 1e-4;
  // Where the angle is below 90° the arcsine is the angle itself.
  for (const t of [0.5, 3.3, 9.9])
    expect((angle(t + h) - 2 * angle(t) + angle(t - h)) / h ** 2).toBeCloseTo(-G * Math.sin(angle(t)), 5);
});

describe('the largest violation over 10 s', () => {
  const table: readonly [string, FormulationSettings, readonly number[]][] = [
    ['direct integration', { type: 'direct' }, [5.7e-4, 3.6e-5, 2.2e-6]],
    ['Baumgarte with α = β = 5', { type: 'baumgarte', alpha: 5, beta: 5 }, [1.6e-6, 1.0e-7, 6.3e-9]],
    [
      'Baumgarte with α = β = 100, too stiff',
      { type: 'baumgarte', alpha: 100, beta: 100 },
      [3.0e-3, 4.8e-5, 2.0e-6],
    ],
  ];
  it.each(table)('with %s', (_, formulation, expected) => {
    STEPS.forEach((h, k) => {
      // Two printed digits.
      expect(worstDrift(formulation, h).worst / expected[k]).toBeCloseTo(1, 1);
    });
  });

  it.each([{ type: 'simplePartitioning' }, { type: 'fullPartitioning' }] as const)(
    'with $type is rounding, and full pivoting at each step changes the choice 17 times',
    ({ type }) => {
      for (const h of STEPS) {
        const { worst, motion } = worstDrift({ type, policy: 'everyStep' }, h);
        expect(worst).toBeLessThan(1e-15);
        expect(motion.switches).toHaveLength(17);
        // It changes where |x| = |y|: from one coordinate to the other and back.
        motion.switches.forEach(({ before, after }, k) => {
          expect(before).toEqual([k % 2]);
          expect(after).toEqual([1 - (k % 2)]);
        });
      }
    },
  );

  it('with projection is rounding', () => {
    for (const h of STEPS) expect(worstDrift({ type: 'projection' }, h).worst).toBeLessThan(1e-15);
  });
});

describe('the position after 10 s', () => {
  const exact = exactPendulum(END, G);
  const errorWith = (formulation: FormulationSettings, h: number): number => {
    const motion = start(pendulum(), formulation, h);
    run(motion, h, END);
    return Math.hypot(motion.q[0] - exact.x, motion.q[1] - exact.y);
  };

  it.each<[FormulationSettings, number]>([
    [{ type: 'direct' }, 6e-6],
    [{ type: 'baumgarte', alpha: 5, beta: 5 }, 4e-7],
    [{ type: 'projection' }, 6e-8],
    [{ type: 'simplePartitioning' }, 6e-8],
    [{ type: 'fullPartitioning' }, 6e-8],
  ])('converges to the exact one with order 4: $0.type', (formulation, bound) => {
    const steps = [0.005, 0.0025, 0.00125];
    const errors = steps.map((h) => errorWith(formulation, h));
    expect(observedOrder(steps, errors)).toBeGreaterThan(3.75);
    expect(errors[0]).toBeLessThan(bound);
  });

  it('suffers where a partition is kept near the position in which it fails, but never leaves its branch', () => {
    const kept = (limit: number, h: number): number =>
      errorWith({ type: 'simplePartitioning', policy: 'whenNeeded', limit }, h);
    const reviewed = errorWith({ type: 'simplePartitioning' }, 0.01);
    expect(kept(3, 0.01)).toBeGreaterThan(100 * reviewed);
    expect(kept(3, 0.01)).toBeLessThan(1e-3);
    for (const h of STEPS) expect(kept(20, h)).toBeLessThan(0.03);
  });
});

it('the constraint modes of direct integration are double zeros, not fast ones', () => {
  // Hanging at rest, the linearised rate A has the swing ±iω, a double zero of the constraint and one of the
  // free turn of the bob: A² (A² + ω²) = 0 with ω² = g/L, and nothing faster than the swing.
  const motion = start(pendulum(), { type: 'direct' }, 0.01);
  const x = Float64Array.of(0, -1, 0, 0, 0, 0);
  const clock = Float64Array.of(0);
  const step = 1e-6;
  const column = (j: number): number[] => {
    const [after, before] = [1, -1].map((sign) => {
      const out = new Float64Array(6);
      motion.formulation.rate(
        clock,
        x.map((value, i) => (i === j ? value + sign * step : value)),
        out,
      );
      return out;
    });
    return [...after].map((value, i) => (value - before[i]) / (2 * step));
  };
  const columns = [0, 1, 2, 3, 4, 5].map(column);
  const times = (y: number[]): number[] =>
    y.map((_, i) => columns.reduce((sum, entries, j) => sum + entries[i] * y[j], 0));
  for (let j = 0; j < 6; j++) {
    const unit = [0, 1, 2, 3, 4, 5].map((i) => (i === j ? 1 : 0));
    const twice = times(times(unit));
    const four = times(times(twice));
    for (let i = 0; i < 6; i++) expect(Math.abs(four[i] + G * twice[i])).toBeLessThan(1e-6);
  }
});
