/**
 * Exact flights by mode: the linear system of each set of modes that occurs is formed once and kept, with the
 * event functions that are linear in it. Forces of time that are known to follow linear equations are
 * components of it. It is known by the modes, by the order of the ACTIVE rows, which says which of dependent
 * contacts push, and by the coefficients of friction.
 */
import type { FirstOrderForm, LagrangianForm } from '../../model/forms';
import type { Interaction, NonSmoothDynamicalSystem } from '../../model/nsds';
import { ForcedSystem, type AnalyticSignal } from '../../smooth-arcs/analytic-forcing';
import { LinearFlight } from '../../smooth-arcs/linear-flight';
import { type LinearForm, UNWATCHED } from '../../smooth/event-functions';
import type { EventRelations } from '../rows/relation-rows';
import { FUNCTIONS, type RowEvents } from '../rows/row-events';
import { ABSENT, ACTIVE, boundOf, type RowLaws } from '../rows/row-laws';
import type { SmoothFlow } from './smooth-flow';
import type { LinearSystem } from '../../smooth-arcs/linear-system';
import type { AnalyticForces, ForceFunction } from './analytic-forces';
import type { FreeMotion } from './free-motion';

/**
 * Longest arc with a function that is known by values only, in steps of the discretisation, which is chosen
 * by what moves.
 */
const STEPS_OF_ARC = 16;
/** Entries of matrices that are kept; beyond that all are formed again. */
const MOST_ENTRIES = 2 ** 22;
/**
 * Entries that each set of modes counts for besides: what its objects come to, and looking for it. Sticking
 * on redundant contacts is a set of its own each time.
 */
const OVERHEAD = 2 ** 12;

export interface FlightChoice {
  /** states beyond which the motion is not taken exactly */
  readonly largest: number;
  /** arcs within one step of the discretisation beyond which it is not */
  readonly mostArcs: number;
}

/** A function of a multiplier, whose offset moves with the shift of its row. */
interface ShiftedForm {
  readonly row: number;
  readonly form: LinearForm;
  readonly constant: number;
}

class ModeFlight {
  constructor(
    readonly modes: Int8Array,
    readonly active: Int32Array,
    /** coefficients of friction */
    readonly factor: Float64Array | null,
    /** null where the motion is to be integrated */
    readonly flight: LinearFlight | null,
    readonly shifted: readonly ShiftedForm[],
  ) {}

  isOf(flow: SmoothFlow): boolean {
    const { modes, active, factor } = this;
    if (flow.activeCount !== active.length) return false;
    for (let row = 0; row < modes.length; row++) if (modes[row] !== flow.modes[row]) return false;
    for (let k = 0; k < active.length; k++) if (active[k] !== flow.active[k]) return false;
    if (factor === null || flow.friction === null) return true;
    for (let row = 0; row < factor.length; row++)
      if (factor[row] !== flow.friction.coefficients[row]) return false;
    return true;
  }
}

export class ModeFlights {
  #known: ModeFlight[] = [];
  /**
   * gives components that are forces of time their values, the same in all modes; null where there are none
   */
  forced: ForcedSystem | null = null;
  #entries = 0;

  constructor(
    private readonly laws: RowLaws,
    private readonly rows: EventRelations,
    private readonly flow: SmoothFlow,
    private readonly functions: RowEvents,
    private readonly modes: LinearModes,
    private readonly choice: FlightChoice,
    /** step of the discretisation, s */
    private readonly h: number,
    /** null where no force depends on time */
    readonly forcing: Forcing | null,
    /** whether functions of which only values are known are watched besides those of the rows */
    private readonly watchesMore = false,
  ) {}

  /** Forgets all systems, as when a force may have changed. */
  forget(): void {
    this.#known = [];
    this.#entries = 0;
  }

  /**
   * The flight in the present modes, with the present shifts; null where it is to be integrated.
   * @param time s, for the first use
   */
  find(time: number): LinearFlight | null {
    const { shift } = this.functions;
    const known = this.#known;
    for (let k = 0; k < known.length; k++) {
      const found = known[k];
      if (!found.isOf(this.flow)) continue;
      for (let s = 0; s < found.shifted.length; s++) {
        const { row, form, constant } = found.shifted[s];
        form.offset[0] = constant + shift[row];
      }
      return found.flight;
    }
    const made = this.#make(time);
    this.#known.push(made);
    return this.find(time);
  }

  /** components of the state and of forces of time */
  get #size(): number {
    return this.flow.size + (this.forcing?.forces.components ?? 0);
  }

  #make(time: number): ModeFlight {
    const { flow } = this;
    const { friction } = flow;
    const isLinear = this.modes.isLinear(flow.modes);
    this.#entries += OVERHEAD + (isLinear ? this.#size * (this.#size + 2 * flow.modes.length) : 0);
    if (this.#entries > MOST_ENTRIES) this.forget();
    const modes = flow.modes.slice();
    const active = flow.active.slice(0, flow.activeCount);
    const factor = friction === null ? null : friction.coefficients.slice();
    const shifted: ShiftedForm[] = [];
    const flight = isLinear ? this.#compile(time, shifted) : null;
    return new ModeFlight(modes, active, factor, flight, shifted);
  }

  #compile(time: number, shifted: ShiftedForm[]): LinearFlight | null {
    const { flow, functions } = this;
    const reduced = reduceFlow(flow, this.rows, time, this.laws.degree.includes(0), this.forcing);
    this.forced ??= reduced.forced;
    const forms = this.#forms(reduced, shifted);
    const isGeneral = (form: LinearForm | null, j: number): boolean =>
      functions.watch[j] !== UNWATCHED && form === null && functions.linear(j) === null;
    const longest = this.watchesMore || forms.some(isGeneral) ? STEPS_OF_ARC * this.h : Infinity;
    const flight = new LinearFlight(reduced.system, forms, longest);
    const isStiff = flight.flow.limits[1] * this.choice.mostArcs < this.h;
    return isStiff ? null : flight;
  }

  /** Forms of multipliers of ACTIVE rows, and of outputs that depend on multipliers. */
  #forms({ multipliers, outputs }: ReducedSystem, shifted: ShiftedForm[]): (LinearForm | null)[] {
    const { laws, flow } = this;
    const forms = new Array<LinearForm | null>(this.functions.count).fill(null);
    const add = (index: number, row: number, form: LinearForm, bound: number): void => {
      forms[index] = form;
      shifted.push({ row, form, constant: form.offset[0] + bound });
    };
    for (let row = 0; row < laws.count; row++) {
      const at = FUNCTIONS * row;
      if (flow.modes[row] !== ACTIVE) {
        if (flow.modes[row] !== ABSENT && laws.degree[row] === 0 && this.modes.isSteady(row))
          forms[at] = formOfRow(outputs, row, 1);
        continue;
      }
      // Functions of friction are those of two multipliers, and stay what they are.
      if (laws.kind[row] === 'friction') continue;
      if (laws.lower[row] !== -Infinity) add(at + 1, row, formOfRow(multipliers, row, 1), -laws.lower[row]);
      if (laws.upper[row] !== Infinity) add(at + 2, row, formOfRow(multipliers, row, -1), laws.upper[row]);
    }
    return forms;
  }
}

/*
 * In which modes the motion between events is linear with constant coefficients, ẋ = A x + b, and multipliers
 * are affine in x.
 *
 * All systems have to be so without interactions, or driven by forces of time of which it is known that they
 * follow linear equations themselves (`AnalyticForces`): these are further components of x. A row that is
 * ACTIVE adds to that what keeps its output at zero: λ solves W λ + b = 0 with b affine in x, where relations
 * are linear and do not depend on time by themselves. A row at a bound adds a constant, where directions are
 * constant. An open contact adds nothing, whatever its gap depends on. One relation that is not linear is
 * enough to have all modes with closed contacts integrated: the flow evaluates all relations there.
 */

/** Of a function of time of which only values are known. */
const UNKNOWN = ' and is not known to be a sum of polynomials, exponentials, sines and cosines';

/** What stands against linear motion, in words of the model. */
export interface Obstacle {
  /** id of the element */
  readonly where: string;
  readonly what: string;
}

/** @param isKnown whether forces and sources that depend on time are known to follow linear equations */
function obstacleOf(form: FirstOrderForm | LagrangianForm, isKnown: boolean): string | null {
  if (form.order === 1) {
    if (form.rateKind !== 'constant') return 'its rate is not linear in the state with a constant matrix';
    return form.isAutonomous || isKnown ? null : `its rate depends on time${UNKNOWN}`;
  }
  if (form.constantMass === null) return 'its mass depends on the coordinates';
  if (form.linear === null) return 'its forces are not linear with constant matrices';
  if (form.linear.force !== null && !isKnown) return `its force depends on time${UNKNOWN}`;
  return form.linear.base === null ? null : 'it is measured from a base that moves';
}

export class LinearModes {
  /** null where modes can be linear; otherwise what prevents that in all of them */
  readonly obstacle: Obstacle | null;
  /**
   * interaction whose output does not depend linearly, or not only, on the state; null where there is none
   */
  readonly #curved: string | null;
  /** 1 for rows whose output is linear in the state and the multipliers, with constants */
  readonly #steady: Uint8Array;
  /** interaction whose multiplier acts in a direction that changes; null where there is none */
  readonly #turning: string | null;

  constructor(
    model: NonSmoothDynamicalSystem,
    private readonly laws: RowLaws,
    /** number of the system whose description of its forces of time is wrong; −1 where there is none */
    deviating = -1,
  ) {
    // λ of degree 0 follows from the output itself, of others from a derivative.
    const hasDegreeZero = laws.degree.includes(0);
    const isCurved = ({ relation }: Interaction): boolean =>
      relation.C === null || relation.isTimeDependent || (hasDegreeZero && !relation.isAffine);
    this.#curved = model.interactions.find(isCurved)?.id ?? null;
    this.#steady = new Uint8Array(laws.count);
    model.interactions.forEach(({ relation }, i) => {
      const isSteady = relation.C !== null && relation.isAffine && !relation.isTimeDependent;
      if (isSteady) this.#steady.fill(1, laws.offsets[i], laws.offsets[i + 1]);
    });
    this.#turning = model.interactions.find(({ relation }) => relation.C === null)?.id ?? null;
    this.obstacle = this.#find(model, deviating);
  }

  #find(model: NonSmoothDynamicalSystem, deviating: number): Obstacle | null {
    const { laws } = this;
    for (const [s, { id, form }] of model.systems.entries()) {
      const what = obstacleOf(form, form.analytic !== undefined && s !== deviating);
      if (what !== null) return { where: id, what };
    }
    const isBound = (value: number): boolean => value !== 0 && Number.isFinite(value);
    for (let row = 0; row < laws.count; row++) {
      if (laws.kind[row] === 'joint' && this.#curved !== null)
        return { where: this.#curved, what: 'its relation is not linear, or depends on time' };
      if ((isBound(laws.lower[row]) || isBound(laws.upper[row])) && this.#turning !== null)
        return { where: this.#turning, what: 'its relation is not linear' };
    }
    return null;
  }

  /**
   * Whether the output of a row is a linear form of the state in linear modes, and does not depend on time
   * besides.
   */
  isSteady(row: number): boolean {
    return this.#steady[row] === 1;
  }

  /** Whether the motion is linear in these modes. @param modes by row */
  isLinear(modes: Int8Array): boolean {
    const { laws } = this;
    if (this.obstacle !== null) return false;
    for (let row = 0; row < laws.count; row++) {
      if (modes[row] === ACTIVE) {
        if (this.#curved !== null) return false;
        continue;
      }
      const bound = boundOf(laws, modes, row);
      if (bound !== 0 && this.#turning !== null) return false;
    }
    return true;
  }
}

/*
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
 * that are rounding of what they are without the ACTIVE multipliers, or of what one of these adds, are set to
 * zero, since a pattern of zeros is what makes motion a polynomial, and what is coupled by rounding only has
 * no scale of its own.
 */

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
