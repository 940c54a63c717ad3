/** What friction solvers must do and a slip must break: each check throws when it does not hold. */
import { bodyPile } from '@cli/bench/body-piles';
import { spherePile } from '@cli/bench/sphere-pile';
import { Equilibrated } from '@engine/solvers/friction/equilibrated';
import { createFrictionSolver } from '@engine/solvers/friction/registry';
import { createSolverResult } from '@engine/solvers/solver';
import { denseProblem, violation } from './support/problems';

const IDENTITY = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
/** Slides: r = (2, −0.6, −0.8), u = (0, 2.4, 3.2). */
const sliding = () => denseProblem(3, IDENTITY, [-2, 3, 4], [0.5]);
const ANSWER = [2, -0.6, -0.8];

function demand(isTrue: boolean, otherwise: string): void {
  if (!isTrue) throw new Error(otherwise);
}

function slidesWith(name: string): void {
  const problem = sliding();
  const result = createSolverResult();
  createFrictionSolver(name).solve(problem, 1e-9, result);
  demand(result.status === 'converged', `${name}: ${result.status}`);
  demand(
    ANSWER.every((x, k) => Math.abs(problem.r[k] - x) < 1e-7),
    `${name}: r = ${problem.r.join(', ')}`,
  );
}

function pile(depth: number): number {
  const problem = spherePile(60, 0.3);
  const result = createSolverResult();
  createFrictionSolver('NSGS', { depth, maxIterations: 2000 }).solve(problem, 1e-9, result);
  demand(result.status === 'converged', result.status);
  demand(violation(problem) < 1e-6, 'the law is violated');
  return result.iterations;
}

export const checks = {
  residualOfSlide: () => {
    const problem = sliding();
    problem.r.set(ANSWER);
    demand(problem.certify() < 1e-15, `residual ${problem.measure[0]}`);
  },
  sweepsSlide: () => {
    // With coupling, the direction is not that of the free slip, and one sweep must find it.
    const problem = denseProblem(
      3,
      [
        [1, 0.1, 0.2],
        [0.1, 2, 0.3],
        [0.2, 0.3, 0.5],
      ],
      [-2, 3, 4],
      [0.5],
    );
    const result = createSolverResult();
    createFrictionSolver('NSGS', { maxIterations: 4 }).solve(problem, 1e-9, result);
    demand(result.status === 'converged' && violation(problem) < 1e-8, `r = ${problem.r.join(', ')}`);
  },
  planeSlides: () => {
    const problem = denseProblem(
      2,
      [
        [1, 0],
        [0, 1],
      ],
      [-2, 3],
      [0.5],
    );
    const result = createSolverResult();
    createFrictionSolver('NSGS', { maxIterations: 5 }).solve(problem, 1e-9, result);
    demand(result.status === 'converged', result.status);
    demand(
      Math.abs(problem.r[0] - 2) < 1e-9 && Math.abs(problem.r[1] + 1) < 1e-9,
      `r = ${problem.r.join(', ')}`,
    );
  },
  pileInSpace: () => void pile(0),
  memoryHelps: () => {
    demand(pile(5) < 0.6 * pile(0), 'memory does not help');
  },
  admmSlides: () => {
    slidesWith('ADMM');
  },
  newtonSlides: () => {
    slidesWith('SemiSmoothNewton');
  },
  deSaxceSlides: () => {
    slidesWith('DeSaxce');
  },
  trescaSlides: () => {
    slidesWith('Tresca');
  },
  proximalSlides: () => {
    slidesWith('Proximal');
  },
  interiorPointSlides: () => {
    slidesWith('FrictionInteriorPoint');
  },
  interiorPointIsQuick: () => {
    const result = createSolverResult();
    createFrictionSolver('FrictionInteriorPoint').solve(spherePile(100, 0.3), 1e-8, result);
    demand(result.status === 'converged' && result.iterations < 25, `${result.iterations}: ${result.status}`);
  },
  interiorPointByBodies: () => {
    const result = createSolverResult();
    const problem = bodyPile('wall', 100, 0.5);
    createFrictionSolver('FrictionInteriorPoint').solve(problem, 1e-8, result);
    demand(result.status === 'converged' && result.iterations < 20, `${result.iterations}: ${result.status}`);
  },
  interiorPointPassesBoundaries: () => {
    const result = createSolverResult();
    const problem = bodyPile('blocks', 900, 0.5);
    createFrictionSolver('FrictionInteriorPoint').solve(problem, 1e-8, result);
    demand(result.status === 'converged', `residual ${result.residual}`);
  },
  extrapolationHelps: () => {
    const result = createSolverResult();
    createFrictionSolver('ExtrapolatedNSGS', { maxIterations: 6000 }).solve(spherePile(300, 1), 1e-8, result);
    demand(result.status === 'converged', `residual ${result.residual}`);
  },
  facetsInThePlane: () => {
    const problem = denseProblem(
      2,
      [
        [1, 0.1],
        [0.1, 1],
      ],
      [-2, 3],
      [0.5],
    );
    const result = createSolverResult();
    createFrictionSolver('Faceted').solve(problem, 1e-9, result);
    demand(result.status === 'converged' && violation(problem) < 1e-8, `r = ${problem.r.join(', ')}`);
  },
  unevenMasses: () => {
    const problem = denseProblem(
      2,
      [
        [1, 0, 0, 0],
        [0, 1, 0, 0],
        [0, 0, 1e-4, 0],
        [0, 0, 0, 1e-4],
      ],
      [-2, 3, -2, 0.5],
      [0.5, 0.5],
    );
    const result = createSolverResult();
    new Equilibrated(createFrictionSolver('FrictionInteriorPoint')).solve(problem, 1e-9, result);
    const answer = [2, -1, 2e4, -5e3];
    demand(result.status === 'converged', `residual ${result.residual}`);
    demand(
      answer.every((x, k) => Math.abs(problem.r[k] - x) < 1e-4 * Math.abs(x)),
      `r = ${problem.r.join(', ')}`,
    );
  },
};
