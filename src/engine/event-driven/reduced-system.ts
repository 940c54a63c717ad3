/**
 * The linear system that the flow is in fixed modes, with multipliers and outputs as linear forms of its state, read off the
 * flow itself. Of an affine function f(x) = b + A x
 *
 *     b = f(0),     A e_j = (f(s e_j) − f(0))/s,
 *
 * with s a power of two so large that b is rounding beside s A e_j: each entry then has the rounding that its own terms have,
 * and an entry that is zero comes out as zero.
 *
 * What elimination cancels does not: ÿ = 0 of an ACTIVE row leaves rounding of C M⁻¹ F. Entries of A and b that are rounding
 * of what they are without the ACTIVE multipliers are set to zero, since a pattern of zeros is what makes motion a polynomial.
 */
import type { LinearForm } from '../smooth/event-functions';
import type { LinearSystem } from '../smooth-arcs/linear-system';
import type { RelationRows } from './relation-rows';
import type { SmoothFlow } from './smooth-flow';

/** s; no model has constants that are larger by this than its coefficients */
const SCALE = 2 ** 80;
/** Sums that cancelled to this part of a term are zero. */
const ROUNDING = 64 * Number.EPSILON;

/** An affine function of the state by row: matrix, row-major, and constants. */
export interface AffineRows {
  readonly matrix: Float64Array;
  readonly constant: Float64Array;
}

export interface ReducedSystem {
  readonly system: LinearSystem;
  /** λ of all rows */
  readonly multipliers: AffineRows;
  /** y of all rows with their multipliers; zero where they are not asked for */
  readonly outputs: AffineRows;
}

const cancelled = (value: number, free: number): boolean => Math.abs(value) <= ROUNDING * Math.abs(free);

/**
 * @param flow in the modes in question, which are linear (`LinearModes.isLinear`)
 * @param hasOutputs whether outputs are asked for; all relations must be affine then
 */
export function reduceFlow(
  flow: SmoothFlow,
  rows: RelationRows,
  time: number,
  hasOutputs: boolean,
): ReducedSystem {
  const n = flow.size;
  const count = flow.modes.length;
  const clock = Float64Array.of(time);
  const x = new Float64Array(n);
  const rate = new Float64Array(n);
  const y = new Float64Array(count);
  const isReduced = flow.activeCount > 0;
  const evaluate = (): void => {
    flow.rate(clock, x, rate);
    if (hasOutputs) rows.outputs(clock, x, flow.lambda, y);
  };
  evaluate();
  const constant = rate.slice();
  const free = flow.free.slice();
  const lambda: AffineRows = { matrix: new Float64Array(count * n), constant: flow.lambda.slice() };
  const outputs: AffineRows = { matrix: new Float64Array(count * n), constant: y.slice() };
  const matrix = new Float64Array(n * n);
  for (let j = 0; j < n; j++) {
    x[j] = SCALE;
    evaluate();
    x[j] = 0;
    for (let i = 0; i < n; i++) {
      const entry = (rate[i] - constant[i]) / SCALE;
      const isZero = isReduced && cancelled(entry, (flow.free[i] - free[i]) / SCALE);
      matrix[i * n + j] = isZero ? 0 : entry;
    }
    for (let row = 0; row < count; row++) {
      lambda.matrix[row * n + j] = (flow.lambda[row] - lambda.constant[row]) / SCALE;
      outputs.matrix[row * n + j] = (y[row] - outputs.constant[row]) / SCALE;
    }
  }
  if (isReduced) for (let i = 0; i < n; i++) if (cancelled(constant[i], free[i])) constant[i] = 0;
  // The multipliers of the flow are those of the state it was asked for last.
  flow.rate(clock, x, rate);
  return { system: { size: n, matrix, constant }, multipliers: lambda, outputs };
}

/** ± one row of an affine function, without its zeros. */
export function formOfRow({ matrix, constant }: AffineRows, row: number, sign: number): LinearForm {
  const n = matrix.length / constant.length;
  const indices = Int32Array.from({ length: n }, (_, j) => j).filter((j) => matrix[row * n + j] !== 0);
  return {
    indices,
    values: Float64Array.from(indices, (j) => sign * matrix[row * n + j]),
    offset: Float64Array.of(sign * constant[row], 0),
  };
}
