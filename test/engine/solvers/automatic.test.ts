/** The automatic solver: which solver answers, what it keeps between solves, and when it gives up. */
import { describe, expect, it } from 'vitest';
import { AffineVariationalInequality } from '@engine/problems/avi';
import { createSolver } from '@engine/solvers/registry';
import { createSolverResult, STATUS_HELP } from '@engine/solvers/solver';
import { solverDefinitions } from '@engine/model/registry';
import { solveWith, toProblem } from './support/solve';

const INF = Number.POSITIVE_INFINITY;
const lcp = (W: number[][], q: number[]) => ({ W, q, lower: q.map(() => 0), upper: q.map(() => INF) });

describe('the choice', () => {
  it('takes one unknown in closed form, in its box', () => {
    const one = (q: number, lower: number, upper: number) =>
      solveWith('auto', { W: [[2]], q: [q], lower: [lower], upper: [upper] });
    expect(one(-3, 0, INF)).toMatchObject({ status: 'converged', solver: 'auto', z: [1.5] });
    expect(one(3, 0, INF).z).toEqual([0]);
    expect(one(-30, -1, 1).z).toEqual([1]);
    expect(one(30, -1, 1).z).toEqual([-1]);
    expect(one(3, -INF, INF).z).toEqual([-1.5]);
  });

  it('pivots where the operator allows it', () => {
    const problem = lcp(
      [
        [2, 1],
        [-1, 1],
      ],
      [-1, -1],
    );
    expect(solveWith('auto', problem)).toMatchObject({ status: 'converged', solver: 'PrincipalPivoting' });
  });

  it('falls back on Lemke for an ideal switch, whose operator has no diagonal', () => {
    const problem = lcp(
      [
        [0, 1],
        [-1, 0],
      ],
      [-1, 2],
    );
    const { status, solver, z } = solveWith('auto', problem);
    expect({ status, solver }).toEqual({ status: 'converged', solver: 'Lemke' });
    expect(z).toEqual([2, 1]);
  });

  it('proves by enumeration that an indefinite problem has no solution', () => {
    // w₁ = −z₁ + q₁ etc. with q < 0: open violates, closed pulls.
    const problem = lcp(
      [
        [-1, 0.5],
        [0.5, -2],
      ],
      [-1, 1],
    );
    expect(solveWith('auto', problem).status).toMatch(/noSolution|infeasible/);
  });

  it('solves the relay with −y ∈ N_[−1, 1](λ) by its convention', () => {
    // y > 0 means λ at its lower bound.
    const relay = (q: number) => solveWith('auto', { W: [[1]], q: [q], lower: [-1], upper: [1] }).z[0];
    expect(relay(2)).toBe(-1);
    expect(relay(-2)).toBe(1);
    expect(relay(0.25)).toBe(-0.25);
  });
});

describe('what is kept', () => {
  const problem = toProblem(
    lcp(
      [
        [2, 1],
        [1, 2],
      ],
      [-1, -1],
    ),
  );

  it('keeps the factors while the revision stays, and only then', () => {
    const solver = createSolver('PrincipalPivoting', 2);
    const result = createSolverResult();
    solver.solve(problem, 1e-10, result);
    expect(result.status).toBe('converged');
    // The operator changes behind the solver's back: it uses the old factors, and the residual shows it.
    problem.values.set([4, 1, 1, 4]);
    solver.solve(problem, 1e-10, result);
    expect(result.status).not.toBe('converged');
    problem.revision++;
    solver.solve(problem, 1e-10, result);
    expect(result.status).toBe('converged');
    expect(problem.z[0]).toBeCloseTo(0.2, 15);
  });

  it('answers on one face when the last face is the right one', () => {
    const solver = createSolver('auto', 2);
    const result = createSolverResult();
    problem.revision++;
    for (let k = 0; k < 5; k++) {
      problem.q.fill(-1 - k);
      solver.solve(problem, 1e-10, result);
      expect(result.status).toBe('converged');
      if (k > 0) expect(result.iterations).toBe(1);
    }
  });

  it('remembers the faces of a circuit that switches to and fro', () => {
    // Ideal diodes in antiparallel branches: the sign of the current decides.
    const bridge = AffineVariationalInequality.dense(
      Float64Array.of(1e-3, 0, -1, 0, 0, 1e-3, 0, -1, 1, 0, 5, -5, 0, 1, -5, 5),
      new Float64Array(4),
    );
    const solver = createSolver('auto', 4);
    const result = createSolverResult();
    const answers = new Map<number, string>();
    for (let k = 0; k < 40; k++) {
      const current = k % 2 === 0 ? 1 : -1;
      bridge.q.set([0.01, 0.01, current, -current]);
      solver.solve(bridge, 1e-10, result);
      expect(result.status).toBe('converged');
      const answer = bridge.z.join();
      expect(answers.get(current) ?? answer).toBe(answer);
      answers.set(current, answer);
    }
    expect(answers.size).toBe(2);
  });

  it('gives an answer of its own for a problem it could not solve before', () => {
    const squeezed = toProblem(
      lcp(
        [
          [1, -1],
          [-1, 1],
        ],
        [-1, -1],
      ),
    );
    const solver = createSolver('auto', 2);
    const result = createSolverResult();
    for (let k = 0; k < 10; k++) {
      solver.solve(squeezed, 1e-10, result);
      expect(result).toMatchObject({ status: 'infeasible', solver: 'Lemke' });
    }
    squeezed.q.set([-1, 2]);
    solver.solve(squeezed, 1e-10, result);
    expect(result.status).toBe('converged');
    expect(squeezed.z[0]).toBeCloseTo(1 + squeezed.z[1], 12);
  });
});

describe('words', () => {
  it('has a message for every status and a remedy for every failure', () => {
    for (const [status, { message, remedy }] of Object.entries(STATUS_HELP)) {
      expect(message).not.toBe('');
      if (status !== 'converged') expect(remedy).toMatch(/\.$/);
    }
  });

  it('refuses what a solver is not made for instead of trying', () => {
    const unsymmetric = lcp(
      [
        [1, 2],
        [0, 1],
      ],
      [-1, -1],
    );
    for (const name of ['CPG', 'ConvexQP']) expect(solveWith(name, unsymmetric).status).toBe('unsuitable');
    const switchLike = lcp(
      [
        [0, 1],
        [-1, 0],
      ],
      [-1, 2],
    );
    expect(solveWith('PGS', switchLike).status).toBe('unsuitable');
    const concave = lcp([[-1]], [-1]);
    expect(solveWith('InteriorPoint', concave).status).toBe('unsuitable');
  });

  it('takes the settings of a definition, and its defaults', () => {
    const slow = lcp(
      [
        [1, -0.99],
        [-0.99, 1],
      ],
      [-1, -1],
    );
    expect(solveWith('PGS', slow, { settings: { maxIterations: 3 } }).status).toBe('maxIterations');
    const plain = solveWith('PGS', slow);
    const relaxed = solveWith('PGS', slow, { settings: { relaxation: 1.7 } });
    expect([plain.status, relaxed.status]).toEqual(['converged', 'converged']);
    expect(relaxed.iterations).toBeLessThan(plain.iterations / 2);
    const damped = solveWith('PGS', slow, { settings: { regularization: 1 } });
    expect(damped.status).toBe('converged');
    expect(damped.iterations).toBeGreaterThan(plain.iterations);
  });

  it('gives every definition a solver that names itself', () => {
    for (const { type } of solverDefinitions) {
      const { status, solver } = solveWith(
        type,
        lcp(
          [
            [2, 0],
            [0, 3],
          ],
          [-1, -1],
        ),
      );
      expect(status).toBe('converged');
      expect(solver).toBe(type === 'auto' ? 'PrincipalPivoting' : type);
    }
  });
});
