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
 * Its values are further components of the state then (`ForcedSystem`). Where outputs contain it, its
 * derivative counts, too, as that by which multipliers of a higher degree follow.
 *
 * What elimination cancels does not: ÿ = 0 of an ACTIVE row leaves rounding of C M⁻¹ F. Entries of A and b
 * that are rounding of what they are without the ACTIVE multipliers, or of what one of these adds, are set to
 * zero, since a pattern of zeros is what makes motion a polynomial, and what is coupled by rounding only has
 * no scale of its own.
 */
import { ForcedSystem, type AnalyticSignal } from '../../smooth-arcs/analytic-forcing';
import type { LinearSystem } from '../../smooth-arcs/linear-system';
import type { LinearForm } from '../../smooth/event-functions';
import type { Answer, Columns } from './linear-columns';
import type { EventRelations } from '../rows/relation-rows';
import type { AnalyticForces, ForceFunction } from './analytic-forces';
import type { FreeMotion } from './free-motion';
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

/** What stands in place of forces by coordinate, and of offsets and their derivatives by row. */
interface Probe {
  readonly forces: Float64Array;
  readonly offsets: Float64Array;
  readonly drifts: Float64Array;
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
    private readonly probe: Probe,
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
    const { flow, motion, probe, rows } = this;
    if (motion !== null) {
      motion.probe = probe.forces;
      rows.probe = probe;
    }
    flow.rate(this.#clock, this.#x, this.#rate);
    if (this.hasOutputs) rows.outputs(this.#clock, this.#x, flow.lambda, this.#y);
    if (motion === null) return;
    motion.probe = null;
    rows.probe = null;
  }

  #difference(): Answer {
    const { flow, constant } = this;
    const part = (values: Float64Array, at: Float64Array): Float64Array =>
      values.map((value, i) => (value - at[i]) / SCALE);
    const rate = part(this.#rate, constant.rate);
    if (this.#isReduced) {
      const free = this.#terms(part(flow.free, this.#free), part(flow.lambda, constant.lambda));
      for (let i = 0; i < rate.length; i++)
        if (cancelled(rate[i], free[i]) || Math.abs(SCALE * rate[i]) <= this.#largest) rate[i] = 0;
    }
    return { rate, lambda: part(flow.lambda, constant.lambda), outputs: part(this.#y, constant.outputs) };
  }

  /**
   * Largest of what a rate is the sum of: what it is without multipliers, and in networks, where multipliers
   * cancel each other, what each of them adds.
   */
  #terms(free: Float64Array, lambda: Float64Array): Float64Array {
    if (this.flow.network === null) return free;
    const { rowStart, dofs, response } = this.rows;
    const { velocity } = this.flow.places;
    for (let row = 0; row < lambda.length; row++)
      for (let k = rowStart[row]; k < rowStart[row + 1] && lambda[row] !== 0; k++) {
        const at = velocity[dofs[k]];
        free[at] = Math.max(Math.abs(free[at]), Math.abs(response[k] * lambda[row]));
      }
    return free;
  }

  /** Answer to component j of the state. */
  toState(j: number): Answer {
    this.#x[j] = SCALE;
    this.#evaluate();
    this.#x[j] = 0;
    return this.#difference();
  }

  /** Answer to a force on several coordinates, which is part of outputs. */
  toForce({ coordinates, factors, rows, rowFactors }: ForceFunction): Answer {
    const { forces, offsets } = this.probe;
    const before = [forces.slice(), offsets.slice()];
    coordinates.forEach((place, k) => (forces[place] += SCALE * factors[k]));
    rows.forEach((row, k) => (offsets[row] += SCALE * rowFactors[k]));
    this.#evaluate();
    forces.set(before[0]);
    offsets.set(before[1]);
    return this.#difference();
  }

  /** Answer to its derivative. */
  toSlope({ rows, rowFactors }: ForceFunction): Answer {
    const { drifts } = this.probe;
    rows.forEach((row, k) => (drifts[row] += SCALE * rowFactors[k]));
    this.#evaluate();
    drifts.fill(0);
    return this.#difference();
  }

  /**
   * The answer to nothing, without rounding. The multipliers of the flow are those of the true forces at the
   * state zero then.
   */
  finish(): Answer {
    const { rate, lambda } = this.constant;
    if (this.#isReduced) {
      const free = this.#terms(this.#free.slice(), lambda);
      for (let i = 0; i < rate.length; i++) if (cancelled(rate[i], free[i])) rate[i] = 0;
    }
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

function probedColumns(
  flow: SmoothFlow,
  rows: EventRelations,
  time: number,
  hasOutputs: boolean,
  forcing: Forcing | null,
): Columns {
  const probe: Probe = {
    forces: forcing?.forces.constant.slice() ?? new Float64Array(0),
    offsets: forcing?.forces.rowConstant.slice() ?? new Float64Array(0),
    drifts: new Float64Array(forcing?.forces.rowConstant.length ?? 0),
  };
  const answers = new Answers(flow, rows, time, hasOutputs, forcing?.motion ?? null, probe);
  const functions = forcing?.forces.functions ?? [];
  return {
    states: Array.from({ length: flow.size }, (_, j) => answers.toState(j)),
    forces: functions.map((force) => answers.toForce(force)),
    slopes: functions.map((force) => (force.rows.length === 0 ? null : answers.toSlope(force))),
    constant: answers.finish(),
  };
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
  const functions = forcing?.forces.functions ?? [];
  const { network } = flow;
  const { states, forces, slopes, constant } =
    network?.isEngaged === true
      ? network.columns(Float64Array.of(time), forcing?.forces ?? null)
      : probedColumns(flow, rows, time, hasOutputs, forcing);
  const own = Array.from({ length: n }, (_, j) => j);
  const matrix = matrixOf(
    states.map((column) => column.rate),
    own,
    n,
  );
  const base: LinearSystem = { size: n, matrix, constant: constant.rate };
  const signals = functions.map((force, k): AnalyticSignal => {
    const slope = slopes[k]?.rate;
    return { ...force, direction: forces[k].rate, ...(slope && { slope }) };
  });
  const forced = forcing === null ? null : new ForcedSystem(base, signals);
  const system = forced?.system ?? base;
  const places = [...own, ...(forced?.places ?? [])];
  const affine = (part: 'lambda' | 'outputs'): AffineRows => {
    const whole = matrixOf(
      [...states, ...forces].map((column) => column[part]),
      places,
      system.size,
    );
    slopes.forEach((slope, k) => {
      if (slope === null || forced === null) return;
      // f′ is what the equations of the components of f say.
      const first = forced.places[k] * system.size;
      for (let row = 0; row < slope[part].length; row++)
        for (let j = n; j < system.size && slope[part][row] !== 0; j++)
          whole[row * system.size + j] += slope[part][row] * system.matrix[first + j];
    });
    return { matrix: whole, constant: constant[part] };
  };
  return { system, multipliers: affine('lambda'), outputs: affine('outputs'), forced };
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
