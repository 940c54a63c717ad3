/** Several impacts at once by the laws that need no integration, and what all laws share. */
import { EnergeticImpacts } from '@engine/impacts/energetic';
import { ImpactRows } from '@engine/impacts/impact-rows';
import { SequentialImpacts } from '@engine/impacts/sequential';
import { SimultaneousImpacts } from '@engine/impacts/simultaneous';
import { IMPACT_STATUS_HELP, ImpactResult, type ImpactLaw } from '@engine/impacts/status';
import { describe, expect, it } from 'vitest';
import { expectClose } from '../support/impacts';
import { enumerateLcp } from '../support/lcp-oracle';
import { seeded } from '../support/random';
import { chain, equalBalls, firstMoves, kineticEnergy, momentum } from './chains';
import { contactVelocities, randomImpact } from './random-impacts';

const MANY = 10_000;

const makers: Record<string, (rows: ImpactRows, e: Float64Array) => ImpactLaw> = {
  sequential: (rows, e) => new SequentialImpacts(rows, e, MANY),
  Newton: (rows, e) => new SimultaneousImpacts('Newton', rows, e, MANY),
  Poisson: (rows, e) => new SimultaneousImpacts('Poisson', rows, e, MANY),
  energetic: (rows, e) =>
    new EnergeticImpacts(rows, {
      stiffness: new Float64Array(rows.count).fill(1),
      restitution: e,
      exponent: 1.5,
      tolerance: 1e-11,
      maxSteps: 1e6,
    }),
};

const all = (count: number, e: number): Float64Array => new Float64Array(count).fill(e);

function solve(law: ImpactLaw, v: Float64Array): { v: Float64Array; result: ImpactResult } {
  const result = new ImpactResult();
  const after = v.slice();
  law.solve(after, result);
  return { v: after, result };
}

describe('three equal balls, of which the first meets the other two', () => {
  const start = firstMoves(3);
  const after = (law: string, e: number): Float64Array =>
    solve(makers[law](equalBalls(3), all(2, e)), start).v;

  it('sequentially give all to the last', () => expectClose(after('sequential', 1), [0, 0, 1], 1e-15));

  it.each(['Newton', 'Poisson'])('simultaneously (%s) reflect', (law) =>
    expectClose(after(law, 1), [-1 / 3, 2 / 3, 2 / 3], 1e-14),
  );

  it.each(['Newton', 'Poisson', 'sequential', 'energetic'])('without restitution (%s) move as one', (law) =>
    expectClose(after(law, 0), [1 / 3, 1 / 3, 1 / 3], 1e-10),
  );

  it('with e = ½ sequentially: ¼, then 3/16 and 9/16, then on until none catches up', () => {
    const law = new SequentialImpacts(equalBalls(3), all(2, 0.5), 2);
    const { v, result } = solve(law, start);
    expectClose(v, [1 / 4, 3 / 16, 9 / 16], 1e-15);
    expect(result.status).toBe('impactLimit');
    expect(result.count).toBe(2);
    expect(after('sequential', 0.5)[0]).toBeLessThanOrEqual(after('sequential', 0.5)[1]);
  });

  it('of which two meet the third give two, sequentially', () => {
    const { v, result } = solve(makers.sequential(equalBalls(3), all(2, 1)), Float64Array.of(1, 1, 0));
    expectClose(v, [0, 1, 1], 1e-15);
    expect(result.count).toBe(2);
  });
});

it('sequential impacts take the contacts in ascending order', () => {
  // The middle ball flies against the wall of both neighbours at once: balls 0 and 2 close in on ball 1.
  const v = solve(makers.sequential(equalBalls(3), all(2, 0)), Float64Array.of(1, 0, -1)).v;
  const one = solve(new SequentialImpacts(equalBalls(3), all(2, 0), 1), Float64Array.of(1, 0, -1)).v;
  expectClose(one, [0.5, 0.5, -1], 1e-15);
  expectClose(v, [0, 0, 0], 1e-10);
});

describe('one contact', () => {
  it.each(Object.keys(makers).flatMap((law) => [0, 0.3, 0.5, 0.9, 1].map((e) => [law, e] as const)))(
    '%s gives ẏ⁺ = −%f ẏ⁻',
    (law, e) => {
      const masses = [2, 5];
      const before = Float64Array.of(3, -1);
      const { v, result } = solve(makers[law](chain(masses), all(1, e)), before);
      expect(result.status).toBe('separated');
      expect(Math.abs(v[1] - v[0] - 4 * e)).toBeLessThan(1e-10);
      expect(Math.abs(momentum(masses, v) - 1)).toBeLessThan(1e-13);
      const change = kineticEnergy(masses, v) - kineticEnergy(masses, before);
      // ½ m₁m₂/(m₁ + m₂) ẏ² (e² − 1)
      expect(Math.abs(change - 0.5 * (10 / 7) * 16 * (e * e - 1))).toBeLessThan(1e-9);
      expect(Math.abs(result.energyChange - change)).toBeLessThan(1e-12);
    },
  );

  it.each(Object.keys(makers))('%s leaves contacts that separate or rest alone', (law) => {
    const { v, result } = solve(makers[law](equalBalls(3), all(2, 1)), Float64Array.of(0, 0, 1));
    expectClose(v, [0, 0, 1], 1e-300);
    expect(result).toMatchObject({ status: 'separated', count: 0, energyChange: 0 });
  });
});

/** Whether two contacts almost face each other: a body between them bounces for a long time. */
const hasWedge = ({ W, count }: ImpactRows): boolean =>
  W.some(
    (w, k) => w < 0 && w ** 2 > 0.95 * W[Math.floor(k / count) * (count + 1)] * W[(k % count) * (count + 1)],
  );

describe('the simultaneous laws', () => {
  const random = seeded(11);
  const cases = Array.from({ length: 30 }, () => {
    const contacts = random.integer(2, 5);
    let impact = randomImpact(random, contacts, contacts + random.integer(0, 3));
    while (hasWedge(impact.rows)) impact = randomImpact(random, contacts, contacts + random.integer(0, 3));
    return { ...impact, e: random.uniform(0, 1) };
  });

  const matrix = (rows: ImpactRows, list: readonly number[]): number[][] =>
    list.map((i) => list.map((j) => rows.W[i * rows.count + j]));

  it('solve the problems that enumeration solves (Newton, first round)', () => {
    for (const { rows, velocity, e } of cases) {
      const law = new SimultaneousImpacts('Newton', rows, all(rows.count, e), 1);
      const before = contactVelocities(rows, velocity);
      const list = [...before.keys()].filter((i) => before[i] <= 0);
      const solutions = enumerateLcp(
        matrix(rows, list),
        list.map((i) => (1 + e) * before[i]),
      );
      solve(law, velocity);
      expect(solutions).toHaveLength(1);
      list.forEach((i, k) => expect(Math.abs(law.impulse[i] - solutions[0][k])).toBeLessThan(1e-9));
    }
  });

  it('solve the problems that enumeration solves (Poisson)', () => {
    for (const { rows, velocity, e } of cases) {
      const law = new SimultaneousImpacts('Poisson', rows, all(rows.count, e), 1);
      const list = Array.from({ length: rows.count }, (_, i) => i);
      const W = matrix(rows, list);
      const times = (p: readonly number[]): number[] =>
        W.map((row) => row.reduce((sum, w, j) => sum + w * p[j], 0));
      const before = contactVelocities(rows, velocity);
      const [compression] = enumerateLcp(W, before);
      const after = times(compression).map((y, i) => y + before[i]);
      // P^E = e P^C + z
      const least = times(compression.map((p) => e * p)).map((y, i) => y + after[i]);
      const [rest] = enumerateLcp(W, least);
      solve(law, velocity);
      list.forEach((i) =>
        expect(Math.abs(law.impulse[i] - (1 + e) * compression[i] - rest[i])).toBeLessThan(1e-9),
      );
    }
  });

  it.each(['Newton', 'Poisson', 'sequential'])('%s ends, and with one e gains no energy', (name) => {
    for (const { rows, velocity, e } of cases) {
      const { v, result } = solve(makers[name](rows, all(rows.count, e)), velocity);
      expect(result.status).toBe('separated');
      expect(result.energyChange).toBeLessThan(1e-12);
      const scale = Math.max(...contactVelocities(rows, velocity).map(Math.abs));
      expect(Math.min(...contactVelocities(rows, v)) / scale).toBeGreaterThan(-1e-10);
    }
  });

  it('pose the problem again where a contact that stayed out is turned round', () => {
    // Ball 1 flies off ball 2 slowly, until ball 0 hits it.
    const rows = equalBalls(3);
    const start = Float64Array.of(2, 0, 0.5);
    const first = solve(new SimultaneousImpacts('Newton', rows, all(2, 1), 1), start);
    expectClose(first.v, [0, 2, 0.5], 1e-14);
    expect(first.result).toMatchObject({ status: 'impactLimit', count: 1 });
    const { v, result } = solve(makers.Newton(rows, all(2, 1)), start);
    expectClose(v, [0, 0.5, 2], 1e-14);
    expect(result).toMatchObject({ status: 'separated', count: 2 });
  });

  it.each(['Newton', 'Poisson', 'sequential'])('%s gains none with coefficients that differ', (name) => {
    const changes = cases.map(({ rows, velocity }) => {
      const e = Float64Array.from({ length: rows.count }, (_, i) => i % 2);
      return solve(makers[name](rows, e), velocity).result.energyChange;
    });
    expect(Math.max(...changes)).toBeLessThan(1e-12);
    expect(Math.min(...changes)).toBeLessThan(-1e-3);
  });

  it.each(['Newton', 'sequential'])('in a narrow wedge reach the limit, and say so (%s)', (name) => {
    const rows = new ImpactRows(2, 2);
    rows.H.set([0.01, 1, 0.01, -1]);
    rows.update(Float64Array.of(1, 0, 0, 1));
    const start = Float64Array.of(-1, 0.5);
    const law =
      name === 'Newton'
        ? new SimultaneousImpacts('Newton', rows, all(2, 0.4), 50)
        : new SequentialImpacts(rows, all(2, 0.4), 50);
    const { v, result } = solve(law, start);
    expect(result).toMatchObject({ status: 'impactLimit', count: 50 });
    expect(Math.min(...contactVelocities(rows, v))).toBeLessThan(-1e-6);
    expect(
      Math.abs(result.energyChange - kineticEnergy([1, 1], v) + kineticEnergy([1, 1], start)),
    ).toBeLessThan(1e-12);
    expect(result.energyChange).toBeLessThan(0);
  });

  it('say so when the solver gives no certified answer, and need none that is unique', () => {
    // The same contact three times over, with coefficients that differ.
    const rows = new ImpactRows(3, 1);
    rows.H.fill(1);
    rows.update(Float64Array.of(1));
    const e = Float64Array.of(0, 0.25, 0.5);
    const law = new SimultaneousImpacts('Newton', rows, e, 5, 'LeastIndex');
    const { v, result } = solve(law, Float64Array.of(-1));
    expect(law.solverResult.status).toBe('singular');
    expect(result).toMatchObject({ status: 'noCertifiedSolution', count: 0, energyChange: 0 });
    expectClose(v, [-1], 1e-300);
    expectClose(solve(makers.Newton(rows, e), Float64Array.of(-1)).v, [0.5], 1e-12);
  });
});

describe('all laws', () => {
  it.each(Object.keys(makers))('%s keeps momentum and the order of the balls', (name) => {
    const masses = [1, 3, 0.5, 2, 1.2];
    const start = Float64Array.of(2, -1, 0.5, 0, -3);
    const { v, result } = solve(makers[name](chain(masses), all(4, 0.7)), start);
    expect(result.status).toBe('separated');
    expect(Math.abs(momentum(masses, v) - momentum(masses, start))).toBeLessThan(1e-12);
    const change = kineticEnergy(masses, v) - kineticEnergy(masses, start);
    expect(Math.abs(result.energyChange - change)).toBeLessThan(1e-11);
    for (let i = 0; i < 4; i++) expect(v[i + 1] - v[i]).toBeGreaterThan(-1e-9);
  });

  it('take M⁻¹ as a matrix or as a map', () => {
    const { rows, inverseMass } = randomImpact(seeded(4), 3, 5);
    const dense = rows.W.slice();
    rows.update((x) => {
      const p = x.slice();
      for (let i = 0; i < 5; i++) x[i] = p.reduce((sum, value, k) => sum + inverseMass[i * 5 + k] * value, 0);
    });
    expectClose(rows.W, [...dense], 1e-14);
  });

  it.each(Object.keys(makers))('%s refuses what is not a number, and e > 1', (name) => {
    const rows = equalBalls(3);
    expect(solve(makers[name](rows, all(2, 1)), Float64Array.of(1, NaN, 0)).result.status).toBe(
      'invalidData',
    );
    expect(solve(makers[name](rows, all(2, 1.1)), firstMoves(3)).result.status).toBe('invalidData');
    rows.update((x) => x.fill(Infinity));
    expect(solve(makers[name](rows, all(2, 1)), firstMoves(3)).result.status).toBe('invalidData');
  });

  it.each(Object.keys(makers))('%s names a contact between bodies that do not give way', (name) => {
    const rows = equalBalls(3);
    rows.update((x) => x.fill(0));
    const { v, result } = solve(makers[name](rows, all(2, 1)), firstMoves(3));
    expect(result.status).toBe('immovableContact');
    expectClose(v, [1, 0, 0], 1e-300);
  });

  it('have words for every status', () => {
    for (const { message } of Object.values(IMPACT_STATUS_HELP)) expect(message).not.toBe('');
  });
});
