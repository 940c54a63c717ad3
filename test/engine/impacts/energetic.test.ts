/** The energy-based law against springs integrated in time, closed forms and its own balance. */
import { EnergeticImpacts, type EnergeticSettings } from '@engine/impacts/energetic';
import type { ImpactRows } from '@engine/impacts/impact-rows';
import { ImpactResult } from '@engine/impacts/status';
import { describe, expect, it } from 'vitest';
import { expectClose } from '../support/impacts';
import { seeded } from '../support/random';
import { boxCorners, chain, equalBalls, firstMoves, momentum } from './chains';
import { contactVelocities, randomImpact } from './random-impacts';
import { elasticChain, lossyChain } from './spring-chain';

interface Outcome {
  v: Float64Array;
  law: EnergeticImpacts;
  result: ImpactResult;
}

function solve(rows: ImpactRows, start: Float64Array, changes: Partial<EnergeticSettings> = {}): Outcome {
  const law = new EnergeticImpacts(rows, {
    stiffness: new Float64Array(rows.count).fill(1),
    restitution: new Float64Array(rows.count).fill(1),
    exponent: 1.5,
    tolerance: 1e-11,
    maxSteps: 1e6,
    ...changes,
  });
  const result = new ImpactResult();
  const v = start.slice();
  law.solve(v, result);
  return { v, law, result };
}

const lost = ({ law }: Outcome, e: ArrayLike<number>): number =>
  law.work.reduce((sum, work, i) => sum + (1 - e[i] ** 2) * work, 0);

describe('without losses', () => {
  it('three balls with linear springs: two modes, then one, in closed form', () => {
    // Indentations δ₁, δ₂: their sum has frequency 1, their difference √3, until δ₁ = 0; then δ₂ has √2.
    const d1 = (t: number): number => (Math.sin(t) + Math.sin(Math.sqrt(3) * t) / Math.sqrt(3)) / 2;
    let [low, high] = [2, 3];
    while (high - low > 1e-15 * high && (low + high) / 2 > low && (low + high) / 2 < high) {
      const middle = (low + high) / 2;
      if (d1(middle) > 0) low = middle;
      else high = middle;
    }
    const sum = Math.cos(low);
    const difference = Math.cos(Math.sqrt(3) * low);
    const speed1 = (sum + difference) / 2;
    const speed2 = (sum - difference) / 2;
    const d2 = Math.sin(low) - d1(low);
    // v₁ + v₂ + v₃ = 1, v₁ − v₂ = δ₁', v₂ − v₃ = δ₂'
    const v1 = (1 + 2 * speed1 + speed2) / 3;
    const rebound = Math.sqrt(speed2 ** 2 + 2 * d2 ** 2);
    const expected = Float64Array.of(v1, (1 - v1 - rebound) / 2, (1 - v1 + rebound) / 2);
    const { v, result } = solve(equalBalls(3), firstMoves(3), { exponent: 1, tolerance: 1e-12 });
    expect(result.status).toBe('separated');
    expectClose(v, expected, 1e-10);
  });

  it.each([3, 5, 10, 20])('%i equal balls: m ẍ = k δ^(3/2) in time', (count) => {
    const masses = new Array<number>(count).fill(1);
    const stiffness = new Array<number>(count - 1).fill(1);
    const springs = elasticChain({ masses, stiffness, exponent: 1.5 }, firstMoves(count), 2e-3);
    expect(springs.hasRecontact).toBe(false);
    const { v, result } = solve(equalBalls(count), firstMoves(count));
    expect(result.status).toBe('separated');
    expectClose(v, springs.velocities, 1e-8);
    expect(Math.abs(momentum(masses, v) - 1)).toBeLessThan(1e-13);
    expect(Math.abs(result.energyChange)).toBeLessThan(1e-10);
  });

  it('three Hertzian balls: −0.07095, 0.07640, 0.99455', () =>
    expectClose(
      solve(equalBalls(3), firstMoves(3)).v,
      Float64Array.of(-0.0709524, 0.076403, 0.9945493),
      1e-7,
    ));

  it('masses and stiffnesses that differ, several balls that move', () => {
    const masses = [1, 0.6, 2, 0.8];
    const stiffness = [1, 4, 0.3];
    const start = Float64Array.of(1.5, 0.2, 0, -0.7);
    const springs = elasticChain({ masses, stiffness, exponent: 1.5 }, start, 5e-4);
    expect(springs.hasRecontact).toBe(false);
    const { v } = solve(chain(masses), start, { stiffness: Float64Array.from(stiffness) });
    expectClose(v, springs.velocities, 1e-7);
  });

  it('a contact that opens and closes again has no gap to cross, unlike springs with positions', () => {
    const springs = { masses: [1, 1, 1], stiffness: [1, 100], exponent: 1.5 };
    const start = Float64Array.of(1, 0, -1);
    const { v } = solve(equalBalls(3), start, { stiffness: Float64Array.from(springs.stiffness) });
    const positions = elasticChain(springs, start, 1e-4);
    expect(positions.hasRecontact).toBe(true);
    expectClose(v, lossyChain(springs, [1, 1], start, 5e-5).velocities, 1e-6);
    expect(Math.abs(v[0] - positions.velocities[0])).toBeGreaterThan(0.1);
  });

  it('one contact much stiffer than the other: the limits are the simultaneous and the sequential law', () => {
    const stiff = solve(equalBalls(3), firstMoves(3), { stiffness: Float64Array.of(1, 1e4) });
    expectClose(stiff.v, Float64Array.of(-1 / 3, 2 / 3, 2 / 3), 0.02);
    const soft = solve(equalBalls(3), firstMoves(3), { stiffness: Float64Array.of(1e4, 1) });
    expectClose(soft.v, Float64Array.of(0, 0, 1), 0.02);
  });
});

describe('with losses', () => {
  const cases = [
    [3, 0.5],
    [5, 0.8],
    [10, 0.5],
    [20, 0.9],
    [5, 0],
  ] as const;

  it.each(cases)('%i balls, e* = %f: springs of two stiffnesses in time', (count, e) => {
    const masses = new Array<number>(count).fill(1);
    const restitution = new Array<number>(count - 1).fill(e);
    const springs = { masses, stiffness: new Array<number>(count - 1).fill(1), exponent: 1.5 };
    const expected = lossyChain(springs, restitution, firstMoves(count), 2e-3);
    const outcome = solve(equalBalls(count), firstMoves(count), {
      restitution: Float64Array.from(restitution),
    });
    expect(outcome.result.status).toBe('separated');
    expectClose(outcome.v, expected.velocities, 1e-7);
    expectClose(outcome.law.work, expected.work, 1e-6);
    expect(Math.abs(outcome.result.energyChange + lost(outcome, restitution))).toBeLessThan(1e-9);
    expect(Math.abs(momentum(masses, outcome.v) - 1)).toBeLessThan(1e-13);
  });

  it('coefficients, masses and stiffnesses that differ', () => {
    const masses = [1, 2, 0.5, 1];
    const stiffness = [1, 0.2, 3];
    const restitution = [0.9, 0.4, 0.7];
    const start = Float64Array.of(1, 0, 0, -0.5);
    const expected = lossyChain({ masses, stiffness, exponent: 1.5 }, restitution, start, 2e-4);
    const { v } = solve(chain(masses), start, {
      stiffness: Float64Array.from(stiffness),
      restitution: Float64Array.from(restitution),
    });
    expectClose(v, expected.velocities, 1e-7);
  });

  it('ten plastic contacts end together', () => {
    const outcome = solve(equalBalls(10), firstMoves(10), { restitution: new Float64Array(9) });
    expect(outcome.result.status).toBe('separated');
    expectClose(outcome.v, new Float64Array(10).fill(0.1), 1e-9);
    expect(outcome.result.energyChange).toBeCloseTo(0.05 - 0.5, 9);
    expect(Math.abs(outcome.result.energyChange + lost(outcome, new Float64Array(9)))).toBeLessThan(1e-9);
  });
});

describe('contacts that are released together', () => {
  it.each([1, 0.7, 0.4, 0.05])('four corners of a box that falls flat, e* = %s', (e) => {
    const outcome = solve(boxCorners(), Float64Array.of(-1, 0, 0), {
      restitution: new Float64Array(4).fill(e),
    });
    expect(outcome.result.status).toBe('separated');
    expect(outcome.result.count).toBeLessThan(1000);
    expectClose(outcome.v, Float64Array.of(e, 0, 0), 1e-10);
    expectClose(outcome.law.impulse, new Float64Array(4).fill((1 + e) / 4), 1e-10);
    expect(Math.abs(outcome.result.energyChange + lost(outcome, new Float64Array(4).fill(e)))).toBeLessThan(
      1e-10,
    );
  });

  it('and one that has turned a little', () => {
    const outcome = solve(boxCorners(), Float64Array.of(-1, 1e-7, 2e-8));
    expect(outcome.result.status).toBe('separated');
    expectClose(outcome.v, Float64Array.of(1, 0, 0), 1e-6);
  });
});

describe('every impact', () => {
  const random = seeded(23);
  const cases = Array.from({ length: 25 }, () => {
    const contacts = random.integer(2, 5);
    return {
      ...randomImpact(random, contacts, contacts + random.integer(0, 3)),
      restitution: Float64Array.from({ length: contacts }, () => random.uniform(0.3, 1)),
      stiffness: Float64Array.from({ length: contacts }, () => 10 ** random.uniform(-1, 1)),
      exponent: random.chance(0.5) ? 1 : 1.5,
    };
  });

  it('ends separated and balances its energy', () => {
    for (const { rows, velocity, ...settings } of cases) {
      const outcome = solve(rows, velocity, settings);
      expect(outcome.result.status).toBe('separated');
      const before = contactVelocities(rows, velocity);
      const scale = Math.max(...before.map(Math.abs));
      expect(Math.min(...contactVelocities(rows, outcome.v)) / scale).toBeGreaterThan(-1e-10);
      expect(Math.min(...outcome.law.impulse)).toBeGreaterThanOrEqual(0);
      const { energyChange } = outcome.result;
      const energy = scale * Math.max(...outcome.law.impulse);
      expect(Math.abs(energyChange + lost(outcome, settings.restitution))).toBeLessThanOrEqual(1e-8 * energy);
    }
  });

  it('depends on ratios of stiffnesses only, and scales with velocities', () => {
    const { rows, velocity, ...settings } = cases[0];
    const reference = solve(rows, velocity, settings);
    const stiffer = solve(rows, velocity, { ...settings, stiffness: settings.stiffness.map((K) => 1e9 * K) });
    expectClose(stiffer.v, reference.v, 1e-12);
    const slow = solve(
      rows,
      velocity.map((v) => 1e-6 * v),
      settings,
    );
    expectClose(
      slow.v.map((v) => 1e6 * v),
      reference.v,
      1e-10,
    );
  });

  it('converges with the tolerance', () => {
    const reference = solve(equalBalls(10), firstMoves(10), { tolerance: 1e-13 });
    const error = (tolerance: number): number => {
      const { v } = solve(equalBalls(10), firstMoves(10), { tolerance });
      return Math.max(...v.map((value, i) => Math.abs(value - reference.v[i])));
    };
    expect(error(1e-6)).toBeLessThan(1e-4);
    expect(error(1e-9)).toBeLessThan(1e-7);
    expect(error(1e-6)).toBeGreaterThan(error(1e-9));
  });

  it('is the same, bit for bit, when the law is used again', () => {
    const rows = equalBalls(5);
    const { v, law, result } = solve(rows, firstMoves(5), { restitution: Float64Array.of(0.9, 0.5, 0, 1) });
    const again = firstMoves(5);
    law.solve(again, result);
    expect(again).toEqual(v);
  });
});

describe('failures', () => {
  it('too few steps are said to be', () => {
    const { result } = solve(equalBalls(5), firstMoves(5), { maxSteps: 20 });
    expect(result).toMatchObject({ status: 'stepLimit', count: 20 });
  });

  it('a tolerance that no step meets is said to be', () =>
    expect(solve(equalBalls(5), firstMoves(5), { tolerance: 1e-300 }).result.status).toBe('stepTooSmall'));

  it.each([
    { exponent: 0.9 },
    { exponent: NaN },
    { tolerance: 0 },
    { stiffness: Float64Array.of(1, 0) },
    { stiffness: Float64Array.of(Infinity, 1) },
  ])('%o is refused', (changes) => {
    const { v, result } = solve(equalBalls(3), firstMoves(3), changes);
    expect(result.status).toBe('invalidData');
    expectClose(v, firstMoves(3), 1e-300);
  });
});
