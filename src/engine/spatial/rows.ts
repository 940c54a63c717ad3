/** Equations between 3D bodies: what a kind of them is. */
import type { Space, SpatialMarker } from './marker';
import { dot } from './matrix3';

export interface SpatialRowLabel {
  row: string;
  unit: 'm' | 'rad' | '';
  /** whether it has a rate but no position: a slip; false where absent */
  isSlip?: boolean;
}

/**
 * One kind of equations, h(q), with its derivatives written out. Functions write from row `row` on; the rows
 * of a Jacobian are zero on entry. q and v are those of all bodies.
 */
export interface SpatialRows {
  readonly labels: readonly SpatialRowLabel[];
  /** h */
  position(q: Float64Array, out: Float64Array, row: number): void;
  /** By v, H = ∇h T with ḣ = H v; or by q, ∇h. @param width number of all velocities, or of all positions */
  jacobian(q: Float64Array, out: Float64Array, row: number, width: number, space: Space): void;
  /**
   * Takes the value after a step, of one that is counted on from there.
   * @param values of rows, its own from `row` on
   */
  follow?(values: Float64Array, row: number): void;
  /** γ = −Ḣ v, so that ḧ = 0 reads H v̇ = γ. At |Q| = 1 */
  gamma(q: Float64Array, v: Float64Array, out: Float64Array, row: number): void;
}

/* Kinds of rows one after the other, as one h(q) with its derivatives. */

export class RowSet {
  /** number of rows */
  readonly count: number;
  readonly labels: readonly SpatialRowLabel[];
  readonly #offsets: Int32Array;

  constructor(readonly kinds: readonly SpatialRows[]) {
    this.labels = kinds.flatMap(({ labels }) => [...labels]);
    this.count = this.labels.length;
    this.#offsets = new Int32Array(kinds.length + 1);
    kinds.forEach(({ labels }, k) => {
      this.#offsets[k + 1] = this.#offsets[k] + labels.length;
    });
  }

  /** @param row of `out` where the first of them goes */
  position(q: Float64Array, out: Float64Array, row = 0): void {
    for (let k = 0; k < this.kinds.length; k++) this.kinds[k].position(q, out, row + this.#offsets[k]);
  }

  /**
   * H, count × number of all velocities, or ∇h, count × number of all positions; whatever stood in these rows
   * is overwritten
   */
  jacobian(q: Float64Array, out: Float64Array, width: number, space: Space, row = 0): void {
    out.fill(0, row * width, (row + this.count) * width);
    for (let k = 0; k < this.kinds.length; k++)
      this.kinds[k].jacobian(q, out, row + this.#offsets[k], width, space);
  }

  /** Takes the values after a step, for those that are counted on from there. @param values by row */
  follow(values: Float64Array): void {
    for (let k = 0; k < this.kinds.length; k++) this.kinds[k].follow?.(values, this.#offsets[k]);
  }

  /** γ = −Ḣ v */
  gamma(q: Float64Array, v: Float64Array, out: Float64Array, row = 0): void {
    for (let k = 0; k < this.kinds.length; k++) this.kinds[k].gamma(q, v, out, row + this.#offsets[k]);
  }
}

/*
 * How far the second point is from the first along an axis of the first: h = a·d − c with d = P₂ − P₁ (a
 * dot-2 constraint in the words of Haug 1989, chapter 9). Prismatic, cylindrical and planar joints demand
 * that it be zero; it is also what they measure.
 *
 *     ∇h = a by P₂, −a by P₁, d by a;     γ = −(a·d̈ + 2 ȧ·ḋ + ä·d) of what is not accelerations.
 */

export class AxisOffset implements SpatialRows {
  readonly labels: readonly SpatialRowLabel[];
  readonly #between = new Float64Array(3);
  readonly #rate = new Float64Array(3);
  readonly #centripetal = new Float64Array(3);

  /** @param axis 0, 1 or 2, of the first marker @param offset c, m */
  constructor(
    readonly first: SpatialMarker,
    readonly second: SpatialMarker,
    readonly axis: 0 | 1 | 2,
    name: string,
    readonly offset = 0,
  ) {
    this.labels = [{ row: name, unit: 'm' }];
  }

  position(q: Float64Array, out: Float64Array, row: number): void {
    this.#place(q);
    out[row] = dot(this.first.axes, 3 * this.axis, this.#between, 0) - this.offset;
  }

  jacobian(q: Float64Array, out: Float64Array, row: number, width: number, space: Space): void {
    const { first, second, axis } = this;
    this.#place(q);
    const at = row * width;
    first.addPointGradient(first.axes, 3 * axis, -1, out, at, space);
    second.addPointGradient(first.axes, 3 * axis, 1, out, at, space);
    first.addAxisGradient(axis, this.#between, 0, 1, out, at, space);
  }

  gamma(q: Float64Array, v: Float64Array, out: Float64Array, row: number): void {
    const { first, second, axis } = this;
    first.move(q, v);
    second.move(q, v);
    for (let i = 0; i < 3; i++) {
      this.#between[i] = second.point[i] - first.point[i];
      this.#rate[i] = second.velocity[i] - first.velocity[i];
      this.#centripetal[i] = second.centripetal[i] - first.centripetal[i];
    }
    out[row] =
      -dot(first.axes, 3 * axis, this.#centripetal, 0) -
      2 * dot(first.axisRates, 3 * axis, this.#rate, 0) -
      dot(first.axisCentripetal, 3 * axis, this.#between, 0);
  }

  #place(q: Float64Array): void {
    const { first, second } = this;
    first.place(q);
    second.place(q);
    for (let i = 0; i < 3; i++) this.#between[i] = second.point[i] - first.point[i];
  }
}

/*
 * The cosine between an axis of the one body and one of the other: h = a·b (a dot-1 constraint; Haug 1989,
 * chapter 9). It is zero where they are at right angles, and then its rate is b×a·(ω₁ − ω₂): the row forbids
 * to turn about a×b.
 *
 *     ∇h = b by a, a by b;     γ = −(ä·b + 2 ȧ·ḃ + a·b̈) of what is not accelerations.
 */

export class AxisProduct implements SpatialRows {
  readonly labels: readonly SpatialRowLabel[];

  /** @param firstAxis,secondAxis 0, 1 or 2 */
  constructor(
    readonly first: SpatialMarker,
    readonly firstAxis: 0 | 1 | 2,
    readonly second: SpatialMarker,
    readonly secondAxis: 0 | 1 | 2,
    name: string,
  ) {
    this.labels = [{ row: name, unit: 'rad' }];
  }

  position(q: Float64Array, out: Float64Array, row: number): void {
    const { first, firstAxis, second, secondAxis } = this;
    first.place(q);
    second.place(q);
    out[row] = dot(first.axes, 3 * firstAxis, second.axes, 3 * secondAxis);
  }

  jacobian(q: Float64Array, out: Float64Array, row: number, width: number, space: Space): void {
    const { first, firstAxis, second, secondAxis } = this;
    first.place(q);
    second.place(q);
    first.addAxisGradient(firstAxis, second.axes, 3 * secondAxis, 1, out, row * width, space);
    second.addAxisGradient(secondAxis, first.axes, 3 * firstAxis, 1, out, row * width, space);
  }

  gamma(q: Float64Array, v: Float64Array, out: Float64Array, row: number): void {
    const { first, firstAxis, second, secondAxis } = this;
    first.move(q, v);
    second.move(q, v);
    out[row] =
      -dot(first.axisCentripetal, 3 * firstAxis, second.axes, 3 * secondAxis) -
      2 * dot(first.axisRates, 3 * firstAxis, second.axisRates, 3 * secondAxis) -
      dot(first.axes, 3 * firstAxis, second.axisCentripetal, 3 * secondAxis);
  }
}

/* Two points in one place: h = P₂ − P₁, γ = R₁ (Ω₁×(Ω₁×s₁)) − R₂ (Ω₂×(Ω₂×s₂)), in the world's frame. */

const BASIS = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);

export class Coincidence implements SpatialRows {
  readonly labels = [
    { row: 'x', unit: 'm' },
    { row: 'y', unit: 'm' },
    { row: 'z', unit: 'm' },
  ] as const;

  constructor(
    readonly first: SpatialMarker,
    readonly second: SpatialMarker,
  ) {}

  position(q: Float64Array, out: Float64Array, row: number): void {
    const { first, second } = this;
    first.place(q);
    second.place(q);
    for (let i = 0; i < 3; i++) out[row + i] = second.point[i] - first.point[i];
  }

  jacobian(q: Float64Array, out: Float64Array, row: number, width: number, space: Space): void {
    const { first, second } = this;
    first.place(q);
    second.place(q);
    for (let i = 0; i < 3; i++) {
      first.addPointGradient(BASIS, 3 * i, -1, out, (row + i) * width, space);
      second.addPointGradient(BASIS, 3 * i, 1, out, (row + i) * width, space);
    }
  }

  gamma(q: Float64Array, v: Float64Array, out: Float64Array, row: number): void {
    const { first, second } = this;
    first.move(q, v);
    second.move(q, v);
    for (let i = 0; i < 3; i++) out[row + i] = first.centripetal[i] - second.centripetal[i];
  }
}

/*
 * Two points at a distance L: h = ½ (d·d/L − L) with d = P₂ − P₁, which is |d| − L to first order: h is in
 * metres and the multiplier the thrust of the rod in newtons, but h is polynomial in the positions.
 *
 *     ∇h = d/L by P₂;     γ = −(ḋ·ḋ + d·d̈)/L of what is not accelerations.
 */

export class Separation implements SpatialRows {
  readonly labels = [{ row: 'length', unit: 'm' }] as const;
  readonly #between = new Float64Array(3);
  readonly #rate = new Float64Array(3);
  readonly #centripetal = new Float64Array(3);

  /** @param length L, m, positive */
  constructor(
    readonly first: SpatialMarker,
    readonly second: SpatialMarker,
    readonly length: number,
  ) {}

  position(q: Float64Array, out: Float64Array, row: number): void {
    this.#place(q);
    out[row] = 0.5 * (dot(this.#between, 0, this.#between, 0) / this.length - this.length);
  }

  jacobian(q: Float64Array, out: Float64Array, row: number, width: number, space: Space): void {
    this.#place(q);
    this.first.addPointGradient(this.#between, 0, -1 / this.length, out, row * width, space);
    this.second.addPointGradient(this.#between, 0, 1 / this.length, out, row * width, space);
  }

  gamma(q: Float64Array, v: Float64Array, out: Float64Array, row: number): void {
    const { first, second } = this;
    first.move(q, v);
    second.move(q, v);
    for (let i = 0; i < 3; i++) {
      this.#between[i] = second.point[i] - first.point[i];
      this.#rate[i] = second.velocity[i] - first.velocity[i];
      this.#centripetal[i] = second.centripetal[i] - first.centripetal[i];
    }
    out[row] =
      -(dot(this.#rate, 0, this.#rate, 0) + dot(this.#between, 0, this.#centripetal, 0)) / this.length;
  }

  #place(q: Float64Array): void {
    const { first, second } = this;
    first.place(q);
    second.place(q);
    for (let i = 0; i < 3; i++) this.#between[i] = second.point[i] - first.point[i];
  }
}
