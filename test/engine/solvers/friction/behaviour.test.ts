/**
 * What friction solvers do besides solving: outcomes, settings, warm starts, the automatic choice and its
 * reasons.
 */
import { describe, expect, it } from 'vitest';
import { bodyPile } from '@cli/bench/body-piles';
import { spherePile } from '@cli/bench/sphere-pile';
import { AffineVariationalInequality } from '@engine/problems/avi';
import { AutomaticFriction } from '@engine/solvers/friction/automatic';
import { createFrictionSolver, frictionSolvers } from '@engine/solvers/friction/registry';
import { localSolvers } from '@engine/solvers/one-contact/registry';
import { createSolver } from '@engine/solvers/registry';
import { createSolverResult } from '@engine/solvers/solver';
import { seeded } from '../../support/random';
import { denseProblem, randomContacts, violation } from './support/problems';

const TOLERANCE = 1e-9;

describe('without friction', () => {
  it.each(['auto', 'NSGS', 'ADMM', 'FrictionInteriorPoint', 'Proximal'])(
    '%s finds the solution of the complementarity problem',
    (name) => {
      const random = seeded(11);
      for (let trial = 0; trial < 10; trial++) {
        const contacts = random.integer(2, 6);
        const problem = randomContacts(random, { dimension: 3, contacts, rank: 3 * contacts + 3, mu: 0 });
        const lcp = new AffineVariationalInequality(contacts, contacts * contacts, true);
        lcp.size = contacts;
        lcp.isFull = true;
        for (let i = 0; i < contacts; i++) {
          lcp.rowStart[i + 1] = contacts * (i + 1);
          lcp.q[i] = problem.q[3 * i];
          for (let j = 0; j < contacts; j++) {
            lcp.columns[contacts * i + j] = j;
            lcp.values[contacts * i + j] = problem.W.values[9 * (contacts * i + j)];
          }
        }
        const result = createSolverResult();
        createSolver('Lemke', contacts).solve(lcp, 1e-12, result);
        expect(result.status).toBe('converged');
        createFrictionSolver(name).solve(problem, 1e-12, result);
        expect(result.status).toBe('converged');
        for (let c = 0; c < contacts; c++) {
          expect(problem.r[3 * c]).toBeCloseTo(lcp.z[c], 7);
          expect(Math.hypot(problem.r[3 * c + 1], problem.r[3 * c + 2])).toBeLessThan(1e-12);
        }
      }
    },
  );
});

describe('outcomes', () => {
  // Lemke's method, behind the faceted cones, ends by itself.
  it.each(frictionSolvers.filter(({ name }) => name !== 'auto' && name !== 'Faceted'))(
    '$name says when its iterations were used up',
    ({ name, settings }) => {
      expect(settings.some(({ key }) => key === 'maxIterations')).toBe(true);
      const problem = spherePile(40, 0.4);
      const result = createSolverResult();
      createFrictionSolver(name, { maxIterations: 1 }).solve(problem, 1e-14, result);
      expect(result.status).toBe('maxIterations');
      expect(result.iterations).toBe(1);
      expect(result.residual).toBeGreaterThan(1e-14);
      expect(result.residual).toBe(problem.certify());
    },
  );

  it('a contact that nothing can push apart is not called solved', () => {
    // Two bodies without mobility approach: no impulse changes that.
    const problem = denseProblem(
      2,
      [
        [0, 0],
        [0, 0],
      ],
      [-1, 0],
      [0.5],
    );
    const result = createSolverResult();
    for (const { name } of frictionSolvers) {
      problem.r.fill(0);
      createFrictionSolver(name).solve(problem, TOLERANCE, result);
      expect(result.status, name).not.toBe('converged');
    }
  });

  it('the automatic choice refuses what is not finite', () => {
    const problem = denseProblem(
      2,
      [
        [1, 0],
        [0, 1],
      ],
      [-1, Number.POSITIVE_INFINITY],
      [0.5],
    );
    const result = createSolverResult();
    new AutomaticFriction().solve(problem, TOLERANCE, result);
    expect(result.status).toBe('unsuitable');
    expect([...problem.r]).toEqual([0, 0]);
  });
});

describe('the automatic choice', () => {
  it('names the solver and gives its reason', () => {
    const solver = new AutomaticFriction();
    const result = createSolverResult();
    solver.solve(spherePile(30, 0.3), TOLERANCE, result);
    expect(result.solver).toBe('NSGS');
    expect(solver.reason).toMatch(/^NSGS: residual \d\.\de-\d+ after \d+$/);
  });

  it.each([
    ['stack', 10, 'SemiSmoothNewton'],
    ['stack', 100, String.raw`FrictionInteriorPoint\+BodyNewton`],
    ['blocks', 100, String.raw`FrictionInteriorPoint\+BodyNewton`],
  ] as const)(
    'ends sweeps early that stall in a %s of about %i contacts, for %s',
    (family, contacts, next) => {
      const solver = new AutomaticFriction();
      const result = createSolverResult();
      solver.solve(bodyPile(family, contacts, 0.5), 1e-8, result);
      const [sweeps, ...others] = solver.reason.split('; ');
      expect(Number(/ after (\d+)$/.exec(sweeps)?.[1])).toBeLessThan(150);
      expect(others).toEqual([expect.stringMatching(new RegExp(`^${next}: `))]);
      expect(result.status).toBe('converged');
    },
  );

  it('lets slow sweeps go on where all else is dearer', () => {
    const solver = new AutomaticFriction();
    const result = createSolverResult();
    solver.solve(bodyPile('columns', 1000, 0.5), 1e-8, result);
    expect(result.iterations).toBeGreaterThan(500);
    expect(solver.reason).toMatch(/^NSGS: [^;]*$/);
  });

  it('keeps the nearest answer where nothing converges, and says how far each came', () => {
    // In a wedge without mobility along its normals there is no solution, whatever the method.
    const problem = denseProblem(
      2,
      [
        [0, 0],
        [0, 1],
      ],
      [-1, 0.5],
      [0.5],
    );
    const solver = new AutomaticFriction();
    const result = createSolverResult();
    solver.solve(problem, TOLERANCE, result);
    expect(result.status).not.toBe('converged');
    for (const name of ['NSGS', 'FrictionInteriorPoint', 'ADMM', 'Proximal', 'SemiSmoothNewton', 'Tresca'])
      expect(solver.reason).toContain(name);
    expect(result.residual).toBe(problem.certify());
  });
});

describe('Gauss–Seidel', () => {
  it('starts from the reactions it is given', () => {
    const problem = spherePile(60, 0.3);
    const result = createSolverResult();
    const solver = createFrictionSolver('NSGS');
    solver.solve(problem, TOLERANCE, result);
    const cold = result.iterations;
    problem.q.forEach((x, k) => (problem.q[k] = x * (1 + 1e-7)));
    solver.solve(problem, TOLERANCE, result);
    expect(cold).toBeGreaterThan(10);
    expect(result.iterations).toBeLessThan(cold / 2);
    expect(result.status).toBe('converged');
  });

  it('needs fewer sweeps with memory', () => {
    const count = (depth: number): number => {
      const result = createSolverResult();
      createFrictionSolver('NSGS', { depth }).solve(spherePile(100, 0.3), TOLERANCE, result);
      expect(result.status).toBe('converged');
      return result.iterations;
    };
    expect(count(5)).toBeLessThan(0.6 * count(0));
  });

  it.each([0.7, 1.3])('converges with relaxation %f to a solution', (relaxation) => {
    const problem = spherePile(30, 0.3);
    const result = createSolverResult();
    createFrictionSolver('NSGS', { relaxation, depth: 0 }).solve(problem, TOLERANCE, result);
    expect(result.status).toBe('converged');
    expect(violation(problem)).toBeLessThan(1e-6);
  });

  it.each(localSolvers)('takes $name for its contacts', ({ name, size }) => {
    const random = seeded(23);
    for (let trial = 0; trial < 5; trial++) {
      const problem = randomContacts(random, { dimension: size, contacts: 4, rank: 14, mu: 0.3 });
      const result = createSolverResult();
      createFrictionSolver('NSGS', {}, name).solve(problem, TOLERANCE, result);
      expect(result.status, `trial ${trial}`).toBe('converged');
      expect(violation(problem)).toBeLessThan(1e-6);
    }
  });

  it('refuses a solver of contacts of the other dimension', () => {
    const problem = randomContacts(seeded(1), { dimension: 2, contacts: 2, rank: 6, mu: 0.3 });
    const result = createSolverResult();
    createFrictionSolver('NSGS', {}, 'exact').solve(problem, TOLERANCE, result);
    expect(result.status).toBe('unsuitable');
  });
});

describe('the registry', () => {
  it('has names of its own and defaults within their limits', () => {
    expect(new Set(frictionSolvers.map(({ name }) => name)).size).toBe(frictionSolvers.length);
    for (const { settings } of frictionSolvers) {
      for (const setting of settings) {
        expect(setting.default).toBeGreaterThanOrEqual(setting.min);
        expect(setting.default).toBeLessThanOrEqual(setting.max);
      }
    }
  });

  it('knows no other names', () => {
    expect(() => createFrictionSolver('Lemke')).toThrow('no friction solver is called Lemke');
  });
});
