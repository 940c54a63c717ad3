/**
 * An ellipsoid over a plane. With n the normal of the plane, e_k and a_k the axes and semi-axes of the
 * ellipsoid, P its centre, O a point of the plane and d = P − O,
 *
 *     m_k = n·e_k,   s = √Σ a_k² m_k²,   lowest point P + p,   p = −Σ (a_k² m_k/s) e_k,
 *     h = n·d − s,
 *     ∇h = n by P, −(a_k² m_k/s) n by e_k, d + p by n,
 *     ḧ = n·d̈ + 2 ṅ·ḋ + n̈·d − s̈ of what is not accelerations,   s ṡ = Σ a_k² m_k ṁ_k,
 *     s s̈ = Σ a_k² (ṁ_k² + m_k m̈_k) − ṡ².
 */
import type { ContactGeometry } from './contact-rows';
import type { Space, SpatialMarker } from './marker';
import { dot } from './matrix3';
import type { SpatialRows } from './rows';

/** Markers of a plane with axes t₁, t₂, n, and of an ellipsoid with its own axes. */
class EllipsoidPlace {
  /** a_k² m_k/s */
  readonly levers = new Float64Array(3);
  /** m_k, ṁ_k */
  readonly along = new Float64Array(3);
  readonly rates = new Float64Array(3);
  /** [0] s, [1] ṡ */
  readonly reach = new Float64Array(2);
  /** d, and p */
  readonly between = new Float64Array(3);
  readonly lowest = new Float64Array(3);

  constructor(
    readonly first: SpatialMarker,
    readonly second: SpatialMarker,
    readonly semiAxes: Float64Array,
  ) {}

  /** Of the axes and points that the markers have. */
  place(): void {
    const { first, second, semiAxes, levers, along, reach, between, lowest } = this;
    let square = 0;
    for (let k = 0; k < 3; k++) {
      along[k] = dot(first.axes, 6, second.axes, 3 * k);
      levers[k] = semiAxes[k] * semiAxes[k] * along[k];
      square += levers[k] * along[k];
    }
    reach[0] = Math.sqrt(square);
    for (let k = 0; k < 3; k++) levers[k] /= reach[0];
    for (let i = 0; i < 3; i++) {
      between[i] = second.point[i] - first.point[i];
      lowest[i] = 0;
      for (let k = 0; k < 3; k++) lowest[i] -= levers[k] * second.axes[3 * k + i];
    }
  }

  /** Rates, too. */
  move(): void {
    const { first, second, levers, rates, reach } = this;
    this.place();
    reach[1] = 0;
    for (let k = 0; k < 3; k++) {
      rates[k] = dot(first.axisRates, 6, second.axes, 3 * k) + dot(first.axes, 6, second.axisRates, 3 * k);
      reach[1] += levers[k] * rates[k];
    }
  }
}

export class EllipsoidGap implements SpatialRows {
  readonly labels = [{ row: 'gap', unit: 'm' }] as const;
  readonly #place: EllipsoidPlace;
  readonly #gradient = new Float64Array(3);

  /** @param semiAxes a_k, m */
  constructor(first: SpatialMarker, second: SpatialMarker, semiAxes: Float64Array) {
    this.#place = new EllipsoidPlace(first, second, semiAxes);
  }

  position(q: Float64Array, out: Float64Array, row: number): void {
    const { first, between, reach } = this.#at(q);
    out[row] = dot(first.axes, 6, between, 0) - reach[0];
  }

  jacobian(q: Float64Array, out: Float64Array, row: number, width: number, space: Space): void {
    const { first, second, between, lowest, levers } = this.#at(q);
    const at = row * width;
    first.addPointGradient(first.axes, 6, -1, out, at, space);
    second.addPointGradient(first.axes, 6, 1, out, at, space);
    for (let k = 0; k < 3; k++) second.addAxisGradient(k, first.axes, 6, -levers[k], out, at, space);
    for (let i = 0; i < 3; i++) this.#gradient[i] = between[i] + lowest[i];
    first.addAxisGradient(2, this.#gradient, 0, 1, out, at, space);
  }

  gamma(q: Float64Array, v: Float64Array, out: Float64Array, row: number): void {
    const place = this.#place;
    const { first, second, between, levers, rates, reach, semiAxes } = place;
    first.move(q, v);
    second.move(q, v);
    place.move();
    let sum = dot(first.axisCentripetal, 6, between, 0);
    for (let i = 0; i < 3; i++) {
      sum += 2 * first.axisRates[6 + i] * (second.velocity[i] - first.velocity[i]);
      sum += first.axes[6 + i] * (second.centripetal[i] - first.centripetal[i]);
    }
    let bend = -reach[1] * reach[1];
    let turn = 0;
    for (let k = 0; k < 3; k++) {
      let bendOf = dot(first.axisCentripetal, 6, second.axes, 3 * k);
      bendOf += dot(first.axes, 6, second.axisCentripetal, 3 * k);
      for (let i = 0; i < 3; i++) bendOf += 2 * first.axisRates[6 + i] * second.axisRates[3 * k + i];
      turn += levers[k] * bendOf;
      bend += (semiAxes[k] * rates[k]) ** 2;
    }
    out[row] = -sum + turn + bend / reach[0];
  }

  #at(q: Float64Array): EllipsoidPlace {
    const place = this.#place;
    place.first.place(q);
    place.second.place(q);
    place.place();
    return place;
  }
}

/** Contact of the lowest point of an ellipsoid with a plane. */
export class EllipsoidOverPlane implements ContactGeometry {
  readonly axes = new Float64Array(9);
  readonly arms = new Float64Array(6);
  readonly axisRates = new Float64Array(9);
  readonly armRates = new Float64Array(6);
  readonly #place: EllipsoidPlace;

  /** @param semiAxes a_k, m */
  constructor(
    readonly first: SpatialMarker,
    readonly second: SpatialMarker,
    semiAxes: Float64Array,
  ) {
    this.#place = new EllipsoidPlace(first, second, semiAxes);
  }

  place(q: Float64Array): void {
    this.first.place(q);
    this.second.place(q);
    this.#place.place();
    this.#lay();
  }

  move(q: Float64Array, v: Float64Array): void {
    const { first, second, axisRates, armRates } = this;
    first.move(q, v);
    second.move(q, v);
    const place = this.#place;
    place.move();
    this.#lay();
    const { levers, rates, reach, semiAxes } = place;
    for (let i = 0; i < 3; i++) {
      axisRates[i] = first.axisRates[6 + i];
      axisRates[3 + i] = first.axisRates[i];
      axisRates[6 + i] = first.axisRates[3 + i];
      armRates[3 + i] = 0;
      for (let k = 0; k < 3; k++) {
        const leverRate = (semiAxes[k] * semiAxes[k] * rates[k] - levers[k] * reach[1]) / reach[0];
        armRates[3 + i] -= leverRate * second.axes[3 * k + i] + levers[k] * second.axisRates[3 * k + i];
      }
      armRates[i] = second.velocity[i] - first.velocity[i] + armRates[3 + i];
    }
  }

  #lay(): void {
    const { first, axes, arms } = this;
    const { between, lowest } = this.#place;
    for (let i = 0; i < 3; i++) {
      axes[i] = first.axes[6 + i];
      axes[3 + i] = first.axes[i];
      axes[6 + i] = first.axes[3 + i];
      arms[3 + i] = lowest[i];
      arms[i] = between[i] + lowest[i];
    }
  }
}
