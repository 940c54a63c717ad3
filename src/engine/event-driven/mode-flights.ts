/**
 * Exact flights by mode: the linear system of each set of modes that occurs is formed once and kept, with the event functions
 * that are linear in it. Forces of time that are known to follow linear equations are components of it. It is known by the modes, by the order of the ACTIVE rows, which says which of dependent contacts
 * push, and by the coefficients of friction.
 */
import { type LinearForm, UNWATCHED } from '../smooth/event-functions';
import type { ForcedSystem } from '../smooth-arcs/analytic-forcing';
import { LinearFlight } from '../smooth-arcs/linear-flight';
import type { LinearModes } from './linear-modes';
import { type Forcing, formOfRow, type ReducedSystem, reduceFlow } from './reduced-system';
import type { RelationRows } from './relation-rows';
import { FUNCTIONS, type RowEvents } from './row-events';
import type { RowLaws } from './row-laws';
import { ACTIVE } from './row-modes';
import type { SmoothFlow } from './smooth-flow';

/** Longest arc with a function that is known by values only, in steps of the discretisation, which is chosen by what moves. */
const STEPS_OF_ARC = 16;
/** Entries of matrices that are kept; beyond that all are formed anew. */
const MOST_ENTRIES = 2 ** 22;
/**
 * Entries that each set of modes counts for besides: what its objects come to, and looking for it. Sticking on redundant contacts is a set
 * of its own each time.
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
  /** gives components that are forces of time their values, the same in all modes; null where there are none */
  forced: ForcedSystem | null = null;
  #entries = 0;

  constructor(
    private readonly laws: RowLaws,
    private readonly rows: RelationRows,
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

  /** The flight in the present modes, with the present shifts; null where it is to be integrated. @param time s, for the first use */
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
    const forms = new Array<LinearForm | null>(FUNCTIONS * laws.count).fill(null);
    const add = (index: number, row: number, form: LinearForm, bound: number): void => {
      forms[index] = form;
      shifted.push({ row, form, constant: form.offset[0] + bound });
    };
    for (let row = 0; row < laws.count; row++) {
      const at = FUNCTIONS * row;
      if (flow.modes[row] !== ACTIVE) {
        if (laws.degree[row] === 0 && this.modes.isSteady(row)) forms[at] = formOfRow(outputs, row, 1);
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
