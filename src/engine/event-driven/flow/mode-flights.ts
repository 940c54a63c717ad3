/**
 * Exact flights by mode: the linear system of each set of modes that occurs is formed once and kept, with the
 * event functions that are linear in it. Forces of time that are known to follow linear equations are
 * components of it. It is known by the modes, by the order of the ACTIVE rows, which says which of dependent
 * contacts push, and by the coefficients of friction.
 */
import type { FirstOrderForm, LagrangianForm } from '../../model/forms';
import type { Interaction, NonSmoothDynamicalSystem } from '../../model/nsds';
import type { ForcedSystem } from '../../smooth-arcs/analytic-forcing';
import { LinearFlight } from '../../smooth-arcs/linear-flight';
import { type LinearForm, UNWATCHED } from '../../smooth/event-functions';
import type { EventRelations } from '../rows/relation-rows';
import { FUNCTIONS, type RowEvents } from '../rows/row-events';
import { ABSENT, ACTIVE, boundOf, type RowLaws } from '../rows/row-laws';
import type { BallisticFlight } from './ballistic-flight';
import { formOfRow, type Forcing, type ReducedSystem, reduceFlow } from './reduced-system';
import type { SmoothFlow } from './smooth-flow';
import { RADIUS } from '../../smooth-arcs/linear-system';

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
    /** the flights of all modes where bodies are free but for contacts; null of other models */
    readonly ballistic: BallisticFlight | null = null,
  ) {}

  /** Forgets all systems, as when a force may have changed. */
  forget(): void {
    this.ballistic?.forget();
    this.#known = [];
    this.#entries = 0;
  }

  /**
   * The flight in the present modes, with the present shifts; null where it is to be integrated.
   * @param time s, for the first use
   */
  find(time: number): LinearFlight | null {
    if (this.ballistic !== null) return this.ballistic.find(time);
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

  /** Tells a network whether its states have nothing but rounding. */
  announce(isExact: boolean): void {
    const { network } = this.flow;
    if (network === null) return;
    network.network.isExact = isExact && (this.rows.known !== null || !network.network.isTimed);
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
    const hasOutputs = this.laws.degree.includes(0) || this.modes.hasTimedRows;
    const reduced = reduceFlow(flow, this.rows, time, hasOutputs, this.forcing);
    this.forced ??= reduced.forced;
    const forms = this.#forms(reduced, shifted);
    const isGeneral = (form: LinearForm | null, j: number): boolean =>
      functions.watch[j] !== UNWATCHED && form === null && functions.linear(j) === null;
    const longest = this.watchesMore || forms.some(isGeneral) ? STEPS_OF_ARC * this.h : Infinity;
    const flight = new LinearFlight(reduced.system, forms, longest, reduced.multipliers);
    const { mostArcs } = this.choice;
    if (!(flight.flow.limits[1] * mostArcs < this.h)) return flight;
    return flight.settle((mostArcs * RADIUS) / this.h) ? flight : null;
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
        if (flow.modes[row] !== ABSENT && this.modes.dependsOnMode(row))
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
 * are linear and do not depend on time by themselves, or as it is known of forces. A row at a bound adds a
 * constant, where directions are
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
  /** 1 for rows whose output is linear in the state and the multipliers in given modes, and only there */
  readonly #ofMode: Uint8Array;
  /** whether outputs depend on time besides, as it is known of forces */
  readonly hasTimedRows: boolean;
  /** interaction whose multiplier acts in a direction that changes; null where there is none */
  readonly #turning: string | null;

  constructor(
    model: NonSmoothDynamicalSystem,
    private readonly laws: RowLaws,
    /** id of the system or interaction whose description of what depends on time is wrong */
    deviating: string | null = null,
    /** whether offsets that are known to follow linear equations are carried along */
    knowsOffsets = false,
  ) {
    // λ of degree 0 follows from the output itself, of others from a derivative.
    const hasDegreeZero = laws.degree.includes(0);
    const isKnown = ({ id, relation }: Interaction): boolean =>
      knowsOffsets && relation.offsets !== undefined && id !== deviating;
    // A speed that is constant is in no acceleration; where the surface is, it does not say.
    const isEven = ({ relation, law }: Interaction): boolean =>
      relation.isUniform === true && law.level === 'velocity' && law.restitution === null;
    const isTimed = (one: Interaction): boolean =>
      one.relation.isTimeDependent && !isEven(one) && !isKnown(one);
    const isCurved = (one: Interaction): boolean =>
      one.relation.C === null || isTimed(one) || (hasDegreeZero && !one.relation.isAffine);
    this.hasTimedRows = model.interactions.some(isKnown);
    this.#curved = model.interactions.find(isCurved)?.id ?? null;
    this.#ofMode = new Uint8Array(laws.count);
    model.interactions.forEach((one, i) => {
      if (one.relation.C === null || !one.relation.isAffine || isTimed(one)) return;
      for (let row = laws.offsets[i]; row < laws.offsets[i + 1]; row++)
        if (laws.degree[row] === 0 || one.relation.isTimeDependent) this.#ofMode[row] = 1;
    });
    this.#turning = model.interactions.find(({ relation }) => relation.C === null)?.id ?? null;
    this.obstacle = this.#find(model, deviating);
  }

  #find(model: NonSmoothDynamicalSystem, deviating: string | null): Obstacle | null {
    const { laws } = this;
    for (const { id, form } of model.systems) {
      const what = obstacleOf(form, form.analytic !== undefined && id !== deviating);
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

  /** Whether the output of a row is a linear form of the state that is another one in each set of modes. */
  dependsOnMode(row: number): boolean {
    return this.#ofMode[row] === 1;
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
