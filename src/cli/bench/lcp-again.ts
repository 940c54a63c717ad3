/**
 * One-step problems as the inner loop of a small simulation poses them: the operator of the step before, its
 * answer as the guess, and a q that has moved but leaves the active rows as they were.
 */
import { createSolver } from '@engine/solvers/registry';
import { createSolverResult } from '@engine/solvers/solver';
import { type Measurement, median } from './benchmark';
import { type LcpData, randomProblem, toProblem } from './lcp-data';

const RUNS = 9;
/** Solves that are timed at once. */
const SOLVES = 100_000;
/** How far q moves to both sides, as a fraction, and in how many values. */
const MOTION = 0.03;
const VALUES = 64;
const TOLERANCE = 1e-10;

/**
 * Two pairs of ideal diodes in a bridge, forward drops and leakages included: W is sparse and not symmetric.
 */
const bridge: LcpData = {
  name: 'bridge-4',
  n: 4,
  matrix: Float64Array.of(1e-3, 0, -1, 0, 0, 1e-3, 0, -1, 1, 0, 5, -5, 0, 1, -5, 5),
  q: Float64Array.of(0.01, 0.01, 1, -1),
};

function measureProblem(data: LcpData): Measurement {
  const problem = toProblem(data);
  const solver = createSolver('auto', data.n);
  const result = createSolverResult();
  let failure: string | null = null;
  let step = 0;
  const run = (): number => {
    const began = performance.now();
    for (let k = 0; k < SOLVES; k++) {
      step = (step + 1) % VALUES;
      const factor = 1 + MOTION * ((2 * step) / VALUES - 1);
      for (let i = 0; i < data.n; i++) problem.q[i] = data.q[i] * factor;
      solver.solve(problem, TOLERANCE, result);
      if (result.status !== 'converged') failure = result.status;
      else if (result.iterations !== 1 && k > 0) failure = 'another face';
    }
    return ((performance.now() - began) * 1e6) / SOLVES;
  };
  // Warm-up: the first solves are interpreted, and the first of all has to find the face.
  run();
  const times = Array.from({ length: RUNS }, run);
  return {
    quantity: `${data.name}: auto, again`,
    value: failure === null ? median(times) : null,
    unit: 'ns',
    ...(failure === null ? {} : { note: failure }),
  };
}

export const measureAgain = (): Measurement[] =>
  [bridge, randomProblem(2), randomProblem(4), randomProblem(10)].map(measureProblem);
