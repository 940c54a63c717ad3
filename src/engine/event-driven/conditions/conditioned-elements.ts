/** Elements whose functions come to conditions: what has to be called so that all of them come to theirs. */
import type { ConditionSequence, ModelConditions } from '../../model/conditions';
import type { FirstOrderForm, LagrangianForm } from '../../model/forms';
import { type Interaction, type NonSmoothDynamicalSystem, linkedPlaces } from '../../model/nsds';
import type { IntegratedPlaces } from '../flow/free-motion';

/** Calls functions of the element at the state that stands in its workspace. */
type Call = (clock: Float64Array) => void;

/** Calls of a system, those that most functions are reached by first. */
function systemCalls(form: FirstOrderForm | LagrangianForm, q: Float64Array, v: Float64Array): Call[] {
  const n = form.size;
  const vector = new Float64Array(n);
  const matrix = new Float64Array(n * n);
  const other = new Float64Array(n * n);
  if (form.order === 1)
    return [
      (clock) => {
        form.rate(clock, q, vector);
      },
      (clock) => {
        form.rateJacobian(clock, q, matrix);
      },
    ];
  const base = form.linear?.base ?? null;
  return [
    (clock) => {
      form.force(clock, q, v, vector);
    },
    () => {
      form.mass(q, matrix);
    },
    (clock) => {
      base?.position(clock, vector);
    },
    (clock) => {
      base?.velocity(clock, vector);
    },
    (clock) => {
      base?.acceleration?.(clock, vector);
    },
    (clock) => {
      form.forceJacobians(clock, q, v, matrix, other);
    },
  ];
}

function relationCalls(
  { relation }: Interaction,
  z: Float64Array,
  v: Float64Array,
  lambda: Float64Array,
): Call[] {
  const { size, columns } = relation;
  const y = new Float64Array(size);
  const r = new Float64Array(columns);
  const C = new Float64Array(size * columns);
  const D = new Float64Array(size * size);
  const K = new Float64Array(columns * columns);
  const calls: Call[] = [
    (clock) => {
      relation.output(clock, z, lambda, y);
    },
    (clock) => {
      relation.outputJacobians(clock, z, lambda, C, D);
    },
  ];
  if (relation.order === 1)
    calls.push(
      (clock) => {
        relation.input(clock, z, lambda, r);
      },
      (clock) => {
        relation.inputJacobians(clock, z, lambda, K, C);
      },
    );
  else
    calls.push(
      (clock) => {
        relation.timeDerivative(clock, z, y);
      },
      (clock) => {
        relation.curvature?.(clock, z, v, y);
      },
    );
  return calls;
}

const NO_MULTIPLIERS = { row: 0, rows: 0, areRead: false };

export class ConditionedElement {
  /** those that its functions come to, of which every call comes to some */
  readonly sequences: readonly ConditionSequence[];
  readonly #calls: readonly Call[];
  readonly #clock = new Float64Array(1);

  constructor(
    sequences: readonly ConditionSequence[],
    calls: readonly Call[],
    /** places in x of its positions, and of its velocities */
    private readonly coordinates: Int32Array,
    private readonly rates: Int32Array,
    private readonly z: Float64Array,
    private readonly v: Float64Array,
    /** whether its functions may depend on multipliers, which have to be known then */
    readonly readsMultipliers: boolean,
    /** first row of an interaction */
    private readonly row: number,
    private readonly lambda: Float64Array,
    clock: Float64Array,
    x: Float64Array,
  ) {
    this.#clock[0] = clock[0];
    this.#place(x, null);
    const found: ConditionSequence[] = [];
    const needed: Call[] = [];
    for (const sequence of sequences) sequence.isRecording = true;
    for (const call of calls) {
      const before = sequences.filter(({ isRecording }) => !isRecording).length;
      if (before === sequences.length) break;
      try {
        call(this.#clock);
      } catch {
        // What a function of the model makes of its start is reported where it is used.
      }
      const reached = sequences.filter((one) => !one.isRecording && !found.includes(one));
      if (reached.length === 0) continue;
      found.push(...reached);
      if (reached.some(({ count }) => count > 0)) needed.push(call);
    }
    for (const sequence of sequences) sequence.release();
    this.sequences = found;
    this.#calls = needed;
  }

  /** Whether its functions come to conditions at all. */
  get hasConditions(): boolean {
    return this.#calls.length > 0;
  }

  #place(x: Float64Array, lambda: Float64Array | null): void {
    const { coordinates, rates, z, v, row } = this;
    for (let k = 0; k < z.length; k++) z[k] = x[coordinates[k]];
    for (let k = 0; k < v.length; k++) v[k] = x[rates[k]];
    if (lambda === null) return;
    for (let r = 0; r < this.lambda.length; r++) this.lambda[r] = lambda[row + r];
  }

  /** Calls its functions. @param lambda multipliers by row */
  call(clock: Float64Array, x: Float64Array, lambda: Float64Array): void {
    this.#place(x, this.readsMultipliers ? lambda : null);
    this.#clock[0] = clock[0];
    for (let k = 0; k < this.#calls.length; k++) this.#calls[k](this.#clock);
  }
}

/**
 * The elements that come to conditions, at the start of a simulation.
 * @param offsets first row of each interaction
 * @param unreached takes sequences that no call has reached
 */
export function conditionedElements(
  model: NonSmoothDynamicalSystem,
  { sequences }: ModelConditions,
  places: IntegratedPlaces,
  offsets: ArrayLike<number>,
  clock: Float64Array,
  x: Float64Array,
  unreached: ConditionSequence[],
): ConditionedElement[] {
  const found: ConditionedElement[] = [];
  const add = (
    id: string,
    systems: readonly number[],
    multipliers: { readonly row: number; readonly rows: number; readonly areRead: boolean },
    create: (z: Float64Array, v: Float64Array, lambda: Float64Array) => Call[],
  ): void => {
    const own = sequences.filter(({ element }) => element === id);
    if (own.length === 0) return;
    const coordinates = linkedPlaces(places.positionOffsets, systems);
    const rates = linkedPlaces(places.offsets, systems).map((dof) => places.velocity[dof]);
    const z = new Float64Array(coordinates.length);
    const v = new Float64Array(rates.length);
    const { row, rows, areRead } = multipliers;
    const lambda = new Float64Array(rows);
    const calls = create(z, v, lambda);
    const element = new ConditionedElement(
      own,
      calls,
      coordinates,
      rates,
      z,
      v,
      areRead,
      row,
      lambda,
      clock,
      x,
    );
    unreached.push(...own.filter((sequence) => !element.sequences.includes(sequence)));
    if (element.hasConditions) found.push(element);
  };
  model.systems.forEach(({ id, form }, s) => {
    add(id, [s], NO_MULTIPLIERS, (q, v) => systemCalls(form, q, v));
  });
  model.interactions.forEach((interaction, i) => {
    const { id, systems, relation } = interaction;
    const { order, size: rows, hasFeedthrough, B } = relation;
    const areRead = hasFeedthrough || (order === 1 && B === null);
    const multipliers = { row: offsets[i], rows, areRead };
    add(id, systems, multipliers, (z, v, lambda) => relationCalls(interaction, z, v, lambda));
  });
  return found;
}
