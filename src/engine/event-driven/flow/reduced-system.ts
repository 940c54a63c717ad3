/**
 * The linear system that the flow is in fixed modes, with multipliers and outputs as linear forms of its
 * state, read off the flow itself. Of an affine function f(x) = b + A x
 *
 *     b = f(0),     A e_j = (f(s e_j) − f(0))/s,
 *
 * with s a power of two so large that b is rounding beside s A e_j: each entry then has the rounding that its
 * own terms have, and an entry that is zero comes out as zero.
 *
 * Of a force of time of which it is known how it changes, the flow says in which direction w it drives the
 * state and by what l the multipliers follow: as the answer to a force s, in place of all of these forces.
 * Its values are further components of the state then (`ForcedSystem`).
 *
 * What elimination cancels does not: ÿ = 0 of an ACTIVE row leaves rounding of C M⁻¹ F. Entries of A and b
 * that are rounding of what they are without the ACTIVE multipliers are set to zero, since a pattern of zeros
 * is what makes motion a polynomial.
 */
import type { LinearForm } from '../../smooth/event-functions';
import { type AnalyticSignal, ForcedSystem } from '../../smooth-arcs/analytic-forcing';
import type { LinearSystem } from '../../smooth-arcs/linear-system';
import type { AnalyticForces, ForceFunction } from './analytic-forces';
import type { FreeMotion } from './free-motion';
import type { EventRelations } from '../rows/relation-rows';
import type { SmoothFlow } from './smooth-flow';

/**
 * s; of constants that are not larger by 2¹⁴⁶ than coefficients nothing is left in any unit, and no product
 * comes near the largest number
 */
const SCALE = 2 ** 200;
/** Sums that cancelled to this part of a term are zero. */
const ROUNDING = 64 * Number.EPSILON;

/** An affine function of the state by row: matrix, row-major, and constants. */
export interface AffineRows {
  readonly matrix: Float64Array;
  readonly constant: Float64Array;
}

export interface ReducedSystem {
  /** the state, followed by the values of forces that depend on time and what belongs to them */
  readonly system: LinearSystem;
  /** λ of all rows */
  readonly multipliers: AffineRows;
  /** y of all rows with their multipliers; zero where they are not asked for */
  readonly outputs: AffineRows;
  /** gives the components of those forces their values at a time; null where there are none */
  readonly forced: ForcedSystem | null;
}

/** Forces that depend on time, and the motion that they drive. */
export interface Forcing {
  readonly forces: AnalyticForces;
  readonly motion: FreeMotion;
}

const cancelled = (value: number, free: number): boolean => Math.abs(value) <= ROUNDING * Math.abs(free);

/** What follows from an argument in the flow, by component of the state and by row. */
interface Answer {
  readonly rate: Float64Array;
  readonly lambda: Float64Array;
  readonly outputs: Float64Array;
}

/** Answers of the flow to its state and to forces, less those to none, without rounding of what cancelled. */
class Answers {
  readonly constant: Answer;
  readonly #clock: Float64Array;
  readonly #x: Float64Array;
  readonly #rate: Float64Array;
  readonly #y: Float64Array;
  readonly #free: Float64Array;
  /** of the constants with and without multipliers: what rounding has left of one of them is no entry of A */
  readonly #largest: number;
  readonly #isReduced: boolean;

  constructor(
    private readonly flow: SmoothFlow,
    private readonly rows: EventRelations,
    time: number,
    private readonly hasOutputs: boolean,
    private readonly motion: FreeMotion | null,
    private readonly probe: Float64Array,
  ) {
    this.#clock = Float64Array.of(time);
    this.#x = new Float64Array(flow.size);
    this.#rate = new Float64Array(flow.size);
    this.#y = new Float64Array(flow.modes.length);
    this.#isReduced = flow.activeCount > 0;
    this.#evaluate();
    this.#free = flow.free.slice();
    this.#largest = [...this.#free, ...this.#rate].reduce(
      (most, value) => Math.max(most, Math.abs(value)),
      0,
    );
    this.constant = { rate: this.#rate.slice(), lambda: flow.lambda.slice(), outputs: this.#y.slice() };
  }

  #evaluate(): void {
    const { flow, motion } = this;
    if (motion !== null) motion.probe = this.probe;
    flow.rate(this.#clock, this.#x, this.#rate);
    if (motion !== null) motion.probe = null;
    if (this.hasOutputs) this.rows.outputs(this.#clock, this.#x, flow.lambda, this.#y);
  }

  #difference(): Answer {
    const { flow, constant } = this;
    const part = (values: Float64Array, at: Float64Array): Float64Array =>
      values.map((value, i) => (value - at[i]) / SCALE);
    const rate = part(this.#rate, constant.rate);
    if (this.#isReduced) {
      const free = part(flow.free, this.#free);
      for (let i = 0; i < rate.length; i++)
        if (cancelled(rate[i], free[i]) || Math.abs(SCALE * rate[i]) <= this.#largest) rate[i] = 0;
    }
    return { rate, lambda: part(flow.lambda, constant.lambda), outputs: part(this.#y, constant.outputs) };
  }

  /** Answer to component j of the state. */
  toState(j: number): Answer {
    this.#x[j] = SCALE;
    this.#evaluate();
    this.#x[j] = 0;
    return this.#difference();
  }

  /** Answer to a force on several coordinates. */
  toForce({ coordinates, factors }: ForceFunction): Answer {
    const before = this.probe.slice();
    coordinates.forEach((place, k) => (this.probe[place] += SCALE * factors[k]));
    this.#evaluate();
    this.probe.set(before);
    return this.#difference();
  }

  /**
   * The answer to nothing, without rounding. The multipliers of the flow are those of the true forces at the
   * state zero then.
   */
  finish(): Answer {
    const { rate } = this.constant;
    if (this.#isReduced)
      for (let i = 0; i < rate.length; i++) if (cancelled(rate[i], this.#free[i])) rate[i] = 0;
    this.flow.rate(this.#clock, this.#x, this.#rate);
    return this.constant;
  }
}

/** Columns side by side, row-major. @param places column of each */
function matrixOf(columns: readonly Float64Array[], places: readonly number[], width: number): Float64Array {
  const rows = columns.length === 0 ? 0 : columns[0].length;
  const matrix = new Float64Array(rows * width);
  columns.forEach((column, k) => {
    column.forEach((value, i) => (matrix[i * width + places[k]] = value));
  });
  return matrix;
}

/**
 * @param flow in the modes in question, which are linear (`LinearModes.isLinear`)
 * @param hasOutputs whether outputs are asked for; all relations must be affine then
 * @param forcing null where no force depends on time
 */
export function reduceFlow(
  flow: SmoothFlow,
  rows: EventRelations,
  time: number,
  hasOutputs: boolean,
  forcing: Forcing | null = null,
): ReducedSystem {
  const n = flow.size;
  const probe = forcing === null ? new Float64Array(0) : forcing.forces.constant.slice();
  const answers = new Answers(flow, rows, time, hasOutputs, forcing?.motion ?? null, probe);
  const functions = forcing?.forces.functions ?? [];
  const states = Array.from({ length: n }, (_, j) => j);
  const columns = [
    ...states.map((j) => answers.toState(j)),
    ...functions.map((force) => answers.toForce(force)),
  ];
  const { rate, lambda, outputs } = answers.finish();
  const matrix = matrixOf(
    columns.slice(0, n).map((column) => column.rate),
    states,
    n,
  );
  const base: LinearSystem = { size: n, matrix, constant: rate };
  const signals = functions.map((force, k): AnalyticSignal => ({ ...force, direction: columns[n + k].rate }));
  const forced = forcing === null ? null : new ForcedSystem(base, signals);
  const system = forced?.system ?? base;
  const places = [...states, ...(forced?.places ?? [])];
  const affine = (constant: Float64Array, part: 'lambda' | 'outputs'): AffineRows => ({
    matrix: matrixOf(
      columns.map((column) => column[part]),
      places,
      system.size,
    ),
    constant,
  });
  return { system, multipliers: affine(lambda, 'lambda'), outputs: affine(outputs, 'outputs'), forced };
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
