/** What W is made of, and systems with it solved through the bodies, against W itself. */
import { describe, expect, it } from 'vitest';
import { bodyPile } from '@cli/bench/body-piles';
import { invertGradedBlock } from '@engine/linalg/small-blocks';
import { FREEDOMS, type FrictionContactProblem } from '@engine/problems/friction-contact';
import { AutomaticFriction } from '@engine/solvers/friction/automatic';
import { createFrictionSolver } from '@engine/solvers/friction/registry';
import { ScaledFactors } from '@engine/solvers/friction/equilibrated';
import { ShiftedSystem } from '@engine/solvers/friction/shifted-system';
import { createSolverResult } from '@engine/solvers/solver';
import { box } from '@engine/model/shapes/box';
import { allowed, violation } from './support/problems';
import { seeded } from '../../support/random';
import { detected, dry, G, simulate, weight } from '../../contact-dynamics/worlds';

const block = (size: number, random = seeded(5)): Float64Array =>
  Float64Array.from({ length: 9 * size }, (_, k) => ((k % 9) % 4 === 0 ? 1 : 0) + random.uniform(-0.3, 0.3));

/** Largest difference between W and scale (B ᵗB + E), relative to the largest entry of W. */
function defect({ W, factors, count, dimension: d }: FrictionContactProblem): number {
  if (factors?.form() !== true) return Number.NaN;
  const { rowStart, blockColumns, values, diagonal, scale } = factors;
  const row = (c: number, a: number): Float64Array => {
    const out = new Float64Array(FREEDOMS * factors.columns);
    for (let k = rowStart[c]; k < rowStart[c + 1]; k++)
      for (let j = 0; j < FREEDOMS; j++)
        out[FREEDOMS * blockColumns[k] + j] = values[FREEDOMS * (d * k + a) + j];
    return out;
  };
  let worst = 0;
  let largest = 0;
  for (let c = 0; c < count; c++)
    for (let k = W.rowStart[c]; k < W.rowStart[c + 1]; k++)
      for (let e = 0; e < d * d; e++) {
        const [a, b] = [Math.floor(e / d), e % d];
        const second = row(W.columns[k], b);
        let sum = row(c, a).reduce((total, value, i) => total + value * second[i], 0);
        if (W.columns[k] === c && a === b) sum += diagonal[d * c + a];
        worst = Math.max(worst, Math.abs(scale * sum - W.values[d * d * k + e]));
        largest = Math.max(largest, Math.abs(W.values[d * d * k + e]));
      }
  return worst / largest;
}

/** Two blocks on a hinge with a limit, friction and a motor, one on a yielding floor. */
function linked(): FrictionContactProblem {
  const shape = box(0.2, 0.2, 0.1);
  const dynamics = simulate(
    {
      bodies: [0, 1].map((k) => ({
        id: `b${k}`,
        mass: 1 + k,
        inertia: [0.1, 0.2, 0.3],
        position: [0.5 * k, 0, 0.0999],
      })),
      joints: [
        {
          id: 'hinge',
          type: 'revolute',
          first: { body: 'b0', point: [0.25, 0, 0] },
          second: { body: 'b1', point: [-0.25, 0, 0] },
          limits: { angle: [0, 1] },
          friction: { angle: 0.2 },
          motors: { angle: { speed: 1, limit: 0.5 } },
        },
      ],
      loads: [weight(0, 0, -G)],
    },
    { tolerance: 1e-8 },
    detected([shape, shape]),
    { kind: 'compliant', friction: 0.4, stiffness: 1e5, damping: 10 },
  );
  expect(dynamics.advance()).toBe('ok');
  expect(dynamics.activeJointRowCount).toBeGreaterThan(1);
  return dynamics.problem;
}

describe('W of contact dynamics', () => {
  it.each([
    ['a stack', () => bodyPile('stack', 20, 0.5)],
    ['blocks at random', () => bodyPile('blocks', 60, 0.5)],
    ['columns of balls', () => bodyPile('columns', 60, 0.5)],
    ['joints with rows of their own on a yielding floor', linked],
  ])('is B ᵗB + E of %s', (_, make) => {
    const problem = make();
    expect(problem.count).toBeGreaterThan(5);
    expect(defect(problem)).toBeLessThan(1e-14);
  });

  it('has no diagonal but that of compliance and of decoupled rows', () => {
    const rigid = bodyPile('blocks', 60, 0.5).factors;
    expect(rigid?.form()).toBe(true);
    expect([...(rigid?.diagonal ?? [])].every((e) => e === 0)).toBe(true);
    const { factors, count } = linked();
    expect(factors?.form()).toBe(true);
    const added = [...(factors?.diagonal.subarray(0, 3 * count) ?? [])].filter((e) => e > 0).length;
    expect(added).toBeGreaterThan(count);
  });

  const onItsCorners = (material: Parameters<typeof simulate>[3]): FrictionContactProblem => {
    const shape = box(0.2, 0.2, 0.1);
    const dynamics = simulate(
      {
        bodies: [{ id: 'b', mass: 1, inertia: [0.1, 0.2, 0.3], position: [0, 0, 0.1] }],
        loads: [weight(0, 0, -G)],
      },
      { tolerance: 1e-8 },
      detected([shape]),
      material,
    );
    expect(dynamics.advance()).toBe('ok');
    return dynamics.problem;
  };

  it('says which contact presses the rows of its moments', () => {
    const { factors, count } = onItsCorners({ ...dry(0.4), rolling: 0.01 });
    expect(count).toBe(8);
    expect(factors?.form()).toBe(true);
    expect([...(factors?.pressedBy?.subarray(0, count) ?? [])]).toEqual([-1, -1, -1, -1, 0, 1, 2, 3]);
  });

  it('is not of that form where contacts have percussions', () => {
    const { factors } = onItsCorners({ kind: 'percussion', friction: 0.4, viscosity: 1 });
    expect(factors?.form()).toBe(false);
  });
});

describe('(1 + L W R) x = b', () => {
  it.each([
    ['blocks', () => bodyPile('blocks', 60, 0.5)],
    ['joints and compliance', linked],
  ])('has the same solution through bodies and through contacts: %s', (_, make) => {
    const problem = make();
    const n = 3 * problem.count;
    const random = seeded(8);
    const b = Float64Array.from({ length: n }, () => random.uniform(-1, 1));
    const [leftInverse, rightInverse] = [block(problem.count, random), block(problem.count, random)];
    const inverted = (a: Float64Array): Float64Array => {
      const b = new Float64Array(a.length);
      for (let c = 0; c < problem.count; c++)
        expect(invertGradedBlock(3, a, 9 * c, b, 9 * c, new Float64Array(18))).toBe(true);
      return b;
    };
    const scales = { leftInverse, rightInverse, left: inverted(leftInverse), right: inverted(rightInverse) };
    const solve = (): Float64Array => {
      const system = new ShiftedSystem();
      expect(system.factor(problem, scales)).toBe(true);
      const x = b.slice();
      system.solve(x);
      return x;
    };
    const through = solve();
    problem.factors = null;
    const direct = solve();
    const size = direct.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    for (let i = 0; i < n; i++) expect(Math.abs(through[i] - direct[i])).toBeLessThan(1e-9 * size);
  });
});

describe('contacts with factors of their own', () => {
  it('have the same form', () => {
    const problem = bodyPile('stack', 20, 0.5);
    const by = Float64Array.from({ length: problem.count }, (_, c) => 1 + c / 10);
    const given = problem.factors;
    if (given?.form() !== true) throw new Error('a stack has factors');
    const scaled = new ScaledFactors(given);
    scaled.take(given, by, 3, problem.count);
    problem.factors = scaled;
    for (let c = 0; c < problem.count; c++)
      for (let k = problem.W.rowStart[c]; k < problem.W.rowStart[c + 1]; k++)
        for (let e = 9 * k; e < 9 * k + 9; e++) problem.W.values[e] *= by[c] * by[problem.W.columns[k]];
    expect(defect(problem)).toBeLessThan(1e-14);
  });
});

describe('the interior point by bodies', () => {
  it.each([
    ['stack', 400],
    ['wall', 400],
    ['blocks', 300],
    ['columns', 200],
  ] as const)('solves a pile of the family %s', (family, contacts) => {
    const problem = bodyPile(family, contacts, 0.5);
    const result = createSolverResult();
    createFrictionSolver('FrictionInteriorPoint').solve(problem, 1e-8, result);
    expect(result.status).toBe('converged');
    expect(violation(problem)).toBeLessThan(allowed(problem));
  });

  it('gives its best answer where rounding ends it', () => {
    const problem = bodyPile('wall', 100, 0.5);
    const result = createSolverResult();
    createFrictionSolver('FrictionInteriorPoint').solve(problem, 1e-15, result);
    expect(result.status).toBe('stalled');
    expect(result.residual).toBeLessThan(1e-8);
    expect(result.residual).toBe(problem.certify());
  });

  it('carries nothing from one problem to the next', () => {
    const solver = createFrictionSolver('FrictionInteriorPoint');
    const result = createSolverResult();
    const alone = bodyPile('wall', 60, 0.5);
    createFrictionSolver('FrictionInteriorPoint').solve(alone, 1e-8, result);
    for (const mu of [0.5, 0]) {
      const other = bodyPile('blocks', 60, mu);
      solver.solve(other, 1e-8, result);
      other.factors = null;
      other.r.fill(0);
      solver.solve(other, 1e-8, result);
    }
    const after = bodyPile('wall', 60, 0.5);
    solver.solve(after, 1e-8, result);
    expect(after.r).toEqual(alone.r);
  });
});

describe('the automatic choice', () => {
  it('takes it second for a pile of thousands of contacts whose bodies are known, and says so', () => {
    const problem = bodyPile('stack', 2400, 0.5);
    const result = createSolverResult();
    const solver = new AutomaticFriction();
    solver.solve(problem, 1e-8, result);
    expect(result.status).toBe('converged');
    expect(solver.reason).toMatch(
      /^NSGS: residual \S+ after \d+; FrictionInteriorPoint(?:\+BodyNewton)?: residual \S+ after \d+$/,
    );
  });
});
