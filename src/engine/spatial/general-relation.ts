/**
 * A relation between bodies that is given by functions of their coordinates: equations h = 0, or stops h ≥ 0.
 */
import type { SpatialJoint } from './joints/joint';
import type { Space, SpatialMarker } from './marker';
import { quaternionRate, transposedRate } from './quaternion';
import { POSITIONS } from './bodies/rigid-body';
import type { SpatialRowLabel, SpatialRows } from './rows';

/*
 * One row of a relation that is given by functions of the coordinates z = (q_b of the bodies it links), 7
 * each:
 *
 *     h(z),   ∇h,   H = ∇h T(q),   γ = −Ḣ v = −d/ds|₀ (∇h T)(q + s q̇) v,   q̇ = T v.
 *
 * The derivative in γ is a central difference along the motion: second derivatives are too much to
 * ask of a user. It enters a step as ½h γ, so that its error of 10⁻¹⁰ is far below that of the step.
 */

/** Fills h, or ∇h row by row, from z. */
export type CoordinateFunction = (z: Float64Array, out: Float64Array) => void;

export interface GeneralFunctions {
  /** where the numbers of the bodies begin, in the order in which z holds their coordinates */
  readonly bodies: readonly { readonly positions: number; readonly velocities: number }[];
  /** rows of h */
  readonly size: number;
  readonly h: CoordinateFunction;
  /** size × 7 bodies */
  readonly jacobian: CoordinateFunction;
}

/**
 * Part of the coordinates by which γ looks ahead and back: the error of a central difference is least at ∛ε.
 */
const LOOK = Math.cbrt(Number.EPSILON);

export class GeneralRow implements SpatialRows {
  readonly labels: readonly SpatialRowLabel[];
  readonly #z: Float64Array;
  readonly #rate: Float64Array;
  readonly #moved: Float64Array;
  readonly #values: Float64Array;
  readonly #gradients: Float64Array;
  readonly #turn = new Float64Array(3);

  /** @param row of h */
  constructor(
    private readonly functions: GeneralFunctions,
    private readonly row: number,
  ) {
    const { bodies, size } = functions;
    const width = POSITIONS * bodies.length;
    this.labels = [{ row: `y[${row}]`, unit: '' }];
    this.#z = new Float64Array(width);
    this.#rate = new Float64Array(width);
    this.#moved = new Float64Array(width);
    this.#values = new Float64Array(size);
    this.#gradients = new Float64Array(size * width);
  }

  position(q: Float64Array, out: Float64Array, row: number): void {
    this.#gather(q);
    this.functions.h(this.#z, this.#values);
    out[row] = this.#values[this.row];
  }

  jacobian(q: Float64Array, out: Float64Array, row: number, width: number, space: Space): void {
    this.#gather(q);
    this.functions.jacobian(this.#z, this.#gradients);
    const { bodies } = this.functions;
    const first = this.row * this.#z.length;
    for (let k = 0; k < bodies.length; k++) {
      const from = first + POSITIONS * k;
      const to = row * width + (space === 'velocity' ? bodies[k].velocities : bodies[k].positions);
      for (let i = 0; i < 3; i++) out[to + i] += this.#gradients[from + i];
      if (space === 'position') {
        for (let i = 3; i < POSITIONS; i++) out[to + i] += this.#gradients[from + i];
        continue;
      }
      transposedRate(this.#z, POSITIONS * k + 3, this.#gradients, from + 3, this.#turn, 0);
      for (let i = 0; i < 3; i++) out[to + 3 + i] += this.#turn[i];
    }
  }

  gamma(q: Float64Array, v: Float64Array, out: Float64Array, row: number): void {
    this.#gather(q);
    const z = this.#z;
    const rate = this.#rate;
    const { bodies } = this.functions;
    let size = 1;
    let speed = 0;
    for (let k = 0; k < bodies.length; k++) {
      for (let i = 0; i < 3; i++) rate[POSITIONS * k + i] = v[bodies[k].velocities + i];
      quaternionRate(z, POSITIONS * k + 3, v, bodies[k].velocities + 3, rate, POSITIONS * k + 3);
    }
    for (let i = 0; i < z.length; i++) {
      size = Math.max(size, Math.abs(z[i]));
      speed = Math.max(speed, Math.abs(rate[i]));
    }
    if (speed === 0) {
      out[row] = 0;
      return;
    }
    const step = (LOOK * size) / speed;
    const ahead = this.#rateAt(step, v);
    out[row] = -(ahead - this.#rateAt(-step, v)) / (2 * step);
  }

  /** (∇h T)(q + s q̇) v of the row. */
  #rateAt(s: number, v: Float64Array): number {
    const moved = this.#moved;
    for (let i = 0; i < moved.length; i++) moved[i] = this.#z[i] + s * this.#rate[i];
    this.functions.jacobian(moved, this.#gradients);
    const { bodies } = this.functions;
    let sum = 0;
    for (let k = 0; k < bodies.length; k++) {
      const from = this.row * moved.length + POSITIONS * k;
      const at = bodies[k].velocities;
      transposedRate(moved, POSITIONS * k + 3, this.#gradients, from + 3, this.#turn, 0);
      for (let i = 0; i < 3; i++)
        sum += this.#gradients[from + i] * v[at + i] + this.#turn[i] * v[at + 3 + i];
    }
    return sum;
  }

  #gather(q: Float64Array): void {
    const { bodies } = this.functions;
    for (let k = 0; k < bodies.length; k++)
      for (let i = 0; i < POSITIONS; i++) this.#z[POSITIONS * k + i] = q[bodies[k].positions + i];
  }
}

export interface GeneralRelationDescription {
  id: string;
  /** ids of the bodies, in the order in which z holds their coordinates */
  bodies: readonly string[];
  /** rows of h */
  size: number;
  h: CoordinateFunction;
  /** ∇h, size × 7 bodies, row by row */
  jacobian: CoordinateFunction;
  /** null: h = 0; else h ≥ 0 with Newton's law of impact and this restitution, 0 … 1 */
  restitution: number | null;
}

/**
 * @param linked markers of the bodies
 * @param first, second markers at the mass centres of the first and of the last body, or on the ground where
 *   there is one body only
 */
export function buildGeneralRelation(
  { id, size, h, jacobian, restitution }: GeneralRelationDescription,
  linked: readonly SpatialMarker[],
  first: SpatialMarker,
  second: SpatialMarker,
): SpatialJoint {
  const rows = Array.from(
    { length: size },
    (_, row) => new GeneralRow({ bodies: linked, size, h, jacobian }, row),
  );
  return {
    id,
    type: 'general',
    rows: restitution === null ? rows : [],
    coordinates: rows,
    limits: restitution === null ? [] : rows,
    restitution: restitution ?? 0,
    frictions: [],
    motors: [],
    first,
    second,
    others: linked.map(({ body }) => body),
  };
}
