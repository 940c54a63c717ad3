/**
 * Solves a problem in units in which a reaction and the velocity it causes are of one size: r = s r̂, Ŵ = s W, with 1/s the mean
 * of W_NN. The natural map adds reactions and velocities, and a residual relative to the larger of them says little of the smaller where masses are
 * far from one. s is a power of two, so that the way there and back changes no bit.
 */
import type { FrictionContactProblem } from '../../problems/friction-contact';
import type { SolverResult } from '../status';
import type { FrictionSolver } from './solver';

export class NaturalUnits implements FrictionSolver {
  constructor(private readonly solver: FrictionSolver) {}

  get attempts(): number {
    return this.solver.attempts ?? 1;
  }

  get reason(): string {
    return this.solver.reason ?? '';
  }

  /** `problem.measure` is that of the scaled problem: residual, and its scale as a velocity. */
  solve(problem: FrictionContactProblem, tolerance: number, result: SolverResult): void {
    const s = unitOf(problem);
    scale(problem, s);
    this.solver.solve(problem, tolerance, result);
    scale(problem, 1 / s);
  }
}

/** s; 1 where W says nothing of it. */
function unitOf({ W, count, dimension: d }: FrictionContactProblem): number {
  let sum = 0;
  for (let row = 0; row < count; row++) sum += W.values[d * d * W.diagonal[row]];
  const mean = sum / count;
  return mean > 0 && mean < Infinity ? 2 ** -Math.round(Math.log2(mean)) : 1;
}

function scale({ W, r, factors, count, dimension: d }: FrictionContactProblem, s: number): void {
  if (s === 1) return;
  if (factors !== null) factors.scale *= s;
  const entries = d * d * W.rowStart[count];
  for (let k = 0; k < entries; k++) W.values[k] *= s;
  for (let i = 0; i < d * count; i++) r[i] /= s;
}
