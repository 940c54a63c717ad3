/** The interior-point method: its scaling against the definitions, and problems in which sweeps stall. */
import { describe, expect, it } from 'vitest';
import { bodyPile } from '@cli/bench/body-piles';
import { spherePile } from '@cli/bench/sphere-pile';
import {
  FrictionInteriorPoint,
  addJordanProduct,
  applyScaling,
  divideCone,
  entryOfScaling,
  lengthInCone,
  scaleCone,
} from '@engine/solvers/friction/interior-point';
import { AutomaticFriction } from '@engine/solvers/friction/automatic';
import { createFrictionSolver } from '@engine/solvers/friction/registry';
import { createSolverResult } from '@engine/solvers/solver';
import { seeded, type Random } from '../../support/random';
import { randomContacts, violation } from './support/problems';

/** ms, for a machine with much else to do */
const TIMEOUT = 60_000;

/** A point inside the cone of that size, behind one entry that is not its own. */
function inside(random: Random, size: number): Float64Array {
  const x = Float64Array.from({ length: size + 1 }, () => random.uniform(-1, 1));
  x[1] = Math.hypot(...x.subarray(2)) + random.uniform(0.01, 1);
  return x;
}

const determinant = (x: Float64Array): number => x[1] ** 2 - Math.hypot(...x.subarray(2)) ** 2;

describe.each([1, 2, 3])('a pair in cones of %i entries', (size) => {
  const random = seeded(40 + size);
  const pairs = Array.from({ length: 20 }, () => {
    const [x, y] = [inside(random, size), inside(random, size)];
    const scaling = new Float64Array(4);
    scaleCone(x, y, 1, size, scaling, 0);
    return { x, y, scaling };
  });

  it('is brought to the same point by the scaling and its inverse', () => {
    for (const { x, y, scaling } of pairs) {
      const [a, b] = [new Float64Array(4), new Float64Array(4)];
      applyScaling(scaling, 0, size, false, y, 1, a, 1);
      applyScaling(scaling, 0, size, true, x, 1, b, 1);
      for (let k = 1; k <= size; k++) expect(a[k]).toBeCloseTo(b[k], 10);
    }
  });

  it('has its scaling in entries', () => {
    for (const { x, y, scaling } of pairs) {
      const product = new Float64Array(4);
      applyScaling(scaling, 0, size, false, y, 1, product, 1);
      for (let i = 0; i < size; i++) {
        let sum = 0;
        let back = 0;
        for (let j = 0; j < size; j++) {
          sum += entryOfScaling(scaling, 0, false, i, j) * y[1 + j];
          back += entryOfScaling(scaling, 0, true, i, j) * x[1 + j];
        }
        expect(sum).toBeCloseTo(product[1 + i], 12);
        // S y = S⁻¹ x
        expect(back).toBeCloseTo(product[1 + i], 10);
      }
      // S² y = x
      const twice = new Float64Array(4);
      applyScaling(scaling, 0, size, false, product, 1, twice, 1);
      for (let k = 1; k <= size; k++) expect(twice[k]).toBeCloseTo(x[k], 9);
    }
  });

  it('is divided by Jordan’s product', () => {
    for (const { x, y } of pairs) {
      const t = Float64Array.from(y.subarray(1));
      const c = new Float64Array(3);
      divideCone(x, 1, size, t, c);
      const back = new Float64Array(3);
      addJordanProduct(size, x, 1, c, 0, 1, back);
      t.forEach((entry, k) => expect(back[k]).toBeCloseTo(entry, 9));
    }
  });

  it('leaves the cone at the length that is found, and not before', () => {
    for (const { x } of pairs) {
      const d = Float64Array.from(x, () => random.uniform(-1, 1));
      const length = lengthInCone(x, d, 1, size, 1e3);
      const at = (t: number): Float64Array => x.map((entry, k) => entry + t * d[k]);
      for (const part of [0.1, 0.5, 0.9, 0.999]) {
        expect(at(part * length)[1]).toBeGreaterThan(0);
        expect(determinant(at(part * length))).toBeGreaterThan(0);
      }
      if (length < 1e3) {
        const beyond = at(1.001 * length);
        expect(Math.min(determinant(beyond), beyond[1])).toBeLessThan(0);
      }
    }
  });
});

describe('the interior-point method', () => {
  it.each([0.1, 0.5, 1])(
    'solves a pile of 300 contacts with μ = %f in some ten steps',
    { timeout: TIMEOUT },
    (mu) => {
      const problem = spherePile(300, mu);
      const result = createSolverResult();
      createFrictionSolver('FrictionInteriorPoint').solve(problem, 1e-8, result);
      expect(result.status).toBe('converged');
      expect(result.iterations).toBeLessThan(60);
      expect(violation(problem)).toBeLessThan(1e-6);
    },
  );

  it.each([
    { size: 714, seed: 1, friction: 0.9 },
    { size: 1000, seed: 1, friction: 0.9 },
    { size: 714, seed: 2, friction: 0.7 },
  ])(
    'passes the folds of a pile of blocks at random: $size, load $seed, θ = $friction',
    { timeout: TIMEOUT },
    ({ size, seed, friction }) => {
      const problem = bodyPile('blocks', size, 0.5, seed);
      const result = createSolverResult();
      new FrictionInteriorPoint(500, friction).solve(problem, 1e-8, result);
      expect(result.status).toBe('converged');
      expect(violation(problem)).toBeLessThan(1e-6);
    },
  );

  it('takes the same steps whatever it has solved before', () => {
    const [used, fresh] = [new FrictionInteriorPoint(500), new FrictionInteriorPoint(500)];
    const [first, again] = [bodyPile('blocks', 100, 0.5), bodyPile('blocks', 100, 0.5)];
    const result = createSolverResult();
    used.solve(bodyPile('wall', 100, 0.5), 1e-8, result);
    for (const [solver, problem] of [
      [used, first],
      [fresh, again],
    ] as const)
      solver.solve(problem, 1e-8, result);
    expect(first.r).toEqual(again.r);
  });

  it('keeps tangential reactions of contacts without friction at zero', () => {
    const problem = randomContacts(seeded(8), { dimension: 3, contacts: 5, rank: 18, mu: 0.4 });
    problem.mu[1] = 0;
    problem.mu[4] = 0;
    const result = createSolverResult();
    createFrictionSolver('FrictionInteriorPoint').solve(problem, 1e-9, result);
    expect(result.status).toBe('converged');
    for (const c of [1, 4]) expect([...problem.r.subarray(3 * c + 1, 3 * c + 3)]).toEqual([0, 0]);
    expect(violation(problem)).toBeLessThan(1e-7);
  });

  it('answers for the automatic choice where sweeps stall', { timeout: TIMEOUT }, () => {
    const problem = spherePile(300, 1);
    const solver = new AutomaticFriction();
    const result = createSolverResult();
    solver.solve(problem, 1e-8, result);
    expect(result.status).toBe('converged');
    expect(result.solver).toBe('FrictionInteriorPoint');
    expect(solver.reason).toMatch(/^NSGS: residual .*; FrictionInteriorPoint: residual /);
    expect(violation(problem)).toBeLessThan(1e-6);
  });
});
