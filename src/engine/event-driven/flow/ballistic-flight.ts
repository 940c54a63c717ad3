/**
 * The flights of many bodies under constant forces that meet at contacts with constant gradients, as beads of
 * a column do: v̇ = M⁻¹(F + ᵗC λ), and since F is constant, W λ + C M⁻¹ F = 0 leaves λ constant in all modes.
 * The motion is z(τ) = q + v τ + ½ a τ² | v + a τ, of which only a changes with the modes. So the system is
 * compiled once, whatever the number of sets of modes that occur, and going to another set costs one rate of
 * the flow. `reduceFlow`, which reads a system off as many rates as there are states, is the oracle of it.
 */
import type { SparseRows } from '../../linalg/sparse';
import { LinearFlight } from '../../smooth-arcs/linear-flight';
import { type NonzeroPattern, SparseSystem } from '../../smooth-arcs/linear-system';
import type { LinearForm } from '../../smooth/event-functions';
import type { CompiledModel } from '../compiled-model';
import type { EventRelations } from '../rows/relation-rows';
import { FUNCTIONS, type RowEvents } from '../rows/row-events';
import { ACTIVE, type RowLaws } from '../rows/row-laws';
import type { IntegratedPlaces } from './free-motion';
import type { SmoothFlow } from './smooth-flow';

/** Sums that cancelled to this part of a term are zero. */
const ROUNDING = 64 * Number.EPSILON;

const isZero = (matrix: SparseRows | null): boolean => matrix === null || matrix.values.every((a) => a === 0);

/**
 * Whether the bodies of a model whose motion is linear (`LinearModes`) are free but for contacts, all of
 * whose gaps are linear.
 */
export function isFreeBut({ model, laws, flow }: CompiledModel): boolean {
  const isFree = model.systems.every(({ form }) => {
    if (form.order === 1 || form.linear === null || form.kinematics !== undefined) return false;
    const { damping, stiffness, force, base } = form.linear;
    return isZero(damping) && isZero(stiffness) && force === null && base === null;
  });
  const isLinear = model.interactions.every(
    ({ relation: { C, isAffine, isTimeDependent } }) => C !== null && isAffine && !isTimeDependent,
  );
  return isFree && isLinear && flow.network === null && laws.kind.every((kind) => kind === 'contact');
}

/** q̇ = v */
function ratesOf({ size, position, velocity }: IntegratedPlaces): NonzeroPattern {
  const starts = new Int32Array(size + 1);
  for (const place of position) starts[place + 1] = 1;
  for (let i = 0; i < size; i++) starts[i + 1] += starts[i];
  const columns = new Int32Array(position.length);
  position.forEach((place, dof) => (columns[starts[place]] = velocity[dof]));
  const values = new Float64Array(position.length).fill(1);
  return { starts, columns, values, sizes: values };
}

export class BallisticFlight {
  readonly #flight: LinearFlight;
  /** ẋ at rest, where only accelerations are not zero, and the largest of the terms of each */
  readonly #rate: Float64Array;
  readonly #terms: Float64Array;
  /** a place of the same pile, by place in x: bodies that ACTIVE rows hold together */
  readonly #pile: Int32Array;
  /** λ of each row where it is watched */
  readonly #forms: readonly LinearForm[];
  readonly #rest: Float64Array;
  readonly #clock = new Float64Array(1);

  constructor(
    private readonly laws: RowLaws,
    private readonly rows: EventRelations,
    private readonly flow: SmoothFlow,
    private readonly functions: RowEvents,
    /** longest arc, s: points of the discretisation need none of their own */
    longest: number,
  ) {
    const { size, places } = flow;
    flow.isSteady = true;
    this.#rate = new Float64Array(size);
    this.#terms = new Float64Array(size);
    this.#pile = new Int32Array(size);
    this.#rest = new Float64Array(size);
    const none = { indices: new Int32Array(0), values: new Float64Array(0) };
    this.#forms = Array.from({ length: laws.count }, () => ({ ...none, offset: new Float64Array(2) }));
    const forms = new Array<LinearForm | null>(functions.count).fill(null);
    this.#forms.forEach((form, row) => (forms[FUNCTIONS * row + 1] = form));
    // Any acceleration may be other than zero.
    const constant = new Float64Array(size);
    for (const place of places.velocity) constant[place] = 1;
    this.#flight = new LinearFlight(new SparseSystem(size, ratesOf(places), constant), forms, longest);
  }

  /** Forces may be others from here on. */
  forget(): void {
    this.flow.forget();
  }

  /** The flight in the present modes, with the present shifts. @param time s */
  find(time: number): LinearFlight {
    const { laws, flow, functions } = this;
    const rate = this.#rate;
    this.#clock[0] = time;
    flow.rate(this.#clock, this.#rest, rate);
    if (flow.activeCount > 0) this.#clear();
    for (let row = 0; row < laws.count; row++)
      if (flow.modes[row] === ACTIVE)
        this.#forms[row].offset[0] = flow.lambda[row] - laws.lower[row] + functions.shift[row];
    this.#flight.flow.setConstant(rate);
    return this.#flight;
  }

  /**
   * What is held at rest has no acceleration but rounding: that is none. It comes from the largest force of
   * the pile that a body is part of, however small the forces on the body itself are.
   */
  #clear(): void {
    const { flow, rows } = this;
    const { active, activeCount, lambda, free } = flow;
    const { velocity } = flow.places;
    const { rowStart, dofs, response } = rows;
    const rate = this.#rate;
    const terms = this.#terms;
    const pile = this.#pile;
    for (let i = 0; i < terms.length; i++) {
      terms[i] = Math.abs(free[i]);
      pile[i] = i;
    }
    for (let k = 0; k < activeCount; k++) {
      const row = active[k];
      const first = velocity[dofs[rowStart[row]]];
      for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
        if (response[e] === 0) continue;
        const place = velocity[dofs[e]];
        terms[place] = Math.max(terms[place], Math.abs(response[e] * lambda[row]));
        pile[this.#root(place)] = this.#root(first);
      }
    }
    for (let i = 0; i < terms.length; i++) {
      const root = this.#root(i);
      terms[root] = Math.max(terms[root], terms[i]);
    }
    for (let i = 0; i < rate.length; i++)
      if (Math.abs(rate[i]) <= ROUNDING * terms[this.#root(i)]) rate[i] = 0;
  }

  /** The place that stands for the pile of another one. */
  #root(place: number): number {
    const pile = this.#pile;
    let at = place;
    while (pile[at] !== at) {
      // Ways become shorter each time they are gone.
      pile[at] = pile[pile[at]];
      at = pile[at];
    }
    return at;
  }
}
