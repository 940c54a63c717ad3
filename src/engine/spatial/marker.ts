/**
 * A frame fixed to a body or to the ground: a point P and three axes a₀, a₁, a₂, with what rows and loads
 * need of them,
 *
 *     P = x + R s′,   Ṗ = V + R (Ω×s′),   P̈ = V̇ + R (Ω̇×s′) + R (Ω×(Ω×s′)),     a = R a′,   ȧ = R (Ω×a′),
 *
 * s′ and a′ in the body's frame. A function f of P and of the axes, with gradients g by them, has by v = (V,
 * Ω) the gradient
 *
 *     (g, s′×ᵗR g) of P,   (0, a′×ᵗR g) of a,     since g·R (Ω×s′) = ᵗR g·(Ω×s′) = Ω·(s′×ᵗR g),
 *
 * and by q = (x, Q) the one of the quadratic form R(Q). The former is the latter times T, on the sphere
 * |Q| = 1 and off it.
 */
import { addCross, cross } from './matrix3';
import { DEFORMATION } from './bodies/pseudo-rigid';
import { addRotationGradient, rotate, rotateBack } from './quaternion';

/** Number of the body of a marker on the ground, which has no coordinates. */
export const ON_GROUND = -1;

/** What a gradient is taken by: velocities (V, Ω) of all bodies, or positions (x, Q). */
export type Space = 'velocity' | 'position';

export class SpatialMarker {
  /** P, m, world's frame, as everything here */
  readonly point = new Float64Array(3);
  /** Ṗ, m/s */
  readonly velocity = new Float64Array(3);
  /** ω = R Ω, rad/s */
  readonly turning = new Float64Array(3);
  /** R (Ω×(Ω×s′)), m/s² */
  readonly centripetal = new Float64Array(3);
  /** a₀, a₁, a₂ one after the other */
  readonly axes = new Float64Array(9);
  /** their rates, 1/s */
  readonly axisRates = new Float64Array(9);
  /** R (Ω×(Ω×a′)), 1/s² */
  readonly axisCentripetal = new Float64Array(9);
  readonly #localPoint: Float64Array;
  readonly #localAxes: Float64Array;
  readonly #spin = new Float64Array(3);
  readonly #work = new Float64Array(3);
  readonly #q = new Float64Array(4);

  /**
   * @param body its number, `ON_GROUND` for the ground
   * @param positions, velocities where its numbers begin among those of all bodies
   * @param point s′, m
   * @param axes a′₀, a′₁, a′₂ one after the other, 9 numbers, orthonormal
   */
  constructor(
    readonly body: number,
    readonly positions: number,
    readonly velocities: number,
    point: readonly number[],
    axes: ArrayLike<number>,
  ) {
    this.#localPoint = Float64Array.from(point);
    this.#localAxes = Float64Array.from(axes);
    this.point.set(this.#localPoint);
    this.axes.set(this.#localAxes);
  }

  /** Brings point and axes to the positions q of all bodies. */
  place(q: Float64Array): void {
    if (this.body < 0) return;
    const at = this.positions;
    for (let i = 0; i < 4; i++) this.#q[i] = q[at + 3 + i];
    rotate(q, at + 3, this.#localPoint, 0, this.point, 0);
    for (let i = 0; i < 3; i++) this.point[i] += q[at + i];
    for (let k = 0; k < 9; k += 3) rotate(q, at + 3, this.#localAxes, k, this.axes, k);
  }

  /** The same, and rates. */
  move(q: Float64Array, v: Float64Array): void {
    if (this.body < 0) return;
    this.place(q);
    const at = this.velocities;
    for (let i = 0; i < 3; i++) this.#spin[i] = v[at + 3 + i];
    rotate(this.#q, 0, this.#spin, 0, this.turning, 0);
    this.#carry(this.#localPoint, 0, this.velocity, this.centripetal, 0);
    for (let i = 0; i < 3; i++) this.velocity[i] += v[at + i];
    for (let k = 0; k < 9; k += 3) this.#carry(this.#localAxes, k, this.axisRates, this.axisCentripetal, k);
  }

  /** R (Ω×s) and R (Ω×(Ω×s)) */
  #carry(s: Float64Array, sAt: number, rate: Float64Array, centripetal: Float64Array, at: number): void {
    const work = this.#work;
    cross(this.#spin, 0, s, sAt, work, 0);
    cross(this.#spin, 0, work, 0, centripetal, at);
    rotate(this.#q, 0, centripetal, at, centripetal, at);
    rotate(this.#q, 0, work, 0, rate, at);
  }

  /**
   * Adds the gradient of a function of P to a row. The marker has been placed.
   * @param g its gradient by P, at `gAt`
   * @param at first entry of the row
   */
  addPointGradient(
    g: Float64Array,
    gAt: number,
    factor: number,
    out: Float64Array,
    at: number,
    space: Space,
  ): void {
    if (this.body < 0) return;
    const first = at + (space === 'velocity' ? this.velocities : this.positions);
    for (let i = 0; i < 3; i++) out[first + i] += factor * g[gAt + i];
    this.#addTurn(this.#localPoint, 0, g, gAt, factor, out, first + 3, space);
  }

  /** Adds the gradient of a function of an axis to a row. @param axis 0, 1 or 2 */
  addAxisGradient(
    axis: number,
    g: Float64Array,
    gAt: number,
    factor: number,
    out: Float64Array,
    at: number,
    space: Space,
  ): void {
    if (this.body < 0) return;
    const first = at + (space === 'velocity' ? this.velocities : this.positions);
    this.#addTurn(this.#localAxes, 3 * axis, g, gAt, factor, out, first + 3, space);
  }

  #addTurn(
    s: Float64Array,
    sAt: number,
    g: Float64Array,
    gAt: number,
    factor: number,
    out: Float64Array,
    at: number,
    space: Space,
  ): void {
    if (space === 'position') addRotationGradient(this.#q, 0, s, sAt, g, gAt, factor, out, at);
    else {
      rotateBack(this.#q, 0, g, gAt, this.#work, 0);
      addCross(s, sAt, this.#work, 0, factor, out, at);
    }
  }

  /** Adds a force at P, N, world's frame, to the generalised forces (F, M) of all bodies. */
  addForce(force: Float64Array, at: number, out: Float64Array): void {
    this.addPointGradient(force, at, 1, out, 0, 'velocity');
  }

  /** Adds a moment, N m, world's frame. */
  addMoment(moment: Float64Array, at: number, out: Float64Array): void {
    this.addMomentRow(moment, at, 1, out, 0);
  }

  /** Adds factor · m·ω to a row by velocities. @param at first entry of the row */
  addMomentRow(m: Float64Array, mAt: number, factor: number, out: Float64Array, at: number): void {
    if (this.body < 0) return;
    rotateBack(this.#q, 0, m, mAt, this.#work, 0);
    for (let i = 0; i < 3; i++) out[at + this.velocities + 3 + i] += factor * this.#work[i];
  }
}

/*
 * A point of a pseudo-rigid body, with ξ its place in the reference configuration:
 *
 *     P = x̄ + F ξ,   Ṗ = x̄˙ + Ḟ ξ,   P̈ = x̄¨ + F̈ ξ,
 *     gradient of a function of P with the gradient g: (g, g⊗ξ).
 *
 * All is linear in q and in v: there is no centripetal term, and gradients by q and by v are the same. Axes
 * of such a body do not stay unit vectors; joints that need some are refused (`compile.ts`).
 */

export class AffineMarker extends SpatialMarker {
  readonly #reference: Float64Array;

  /** @param point ξ, m; for the rest see `SpatialMarker` */
  constructor(
    body: number,
    positions: number,
    velocities: number,
    point: readonly number[],
    axes: ArrayLike<number>,
  ) {
    super(body, positions, velocities, point, axes);
    this.#reference = Float64Array.from(point);
  }

  override place(q: Float64Array): void {
    this.#map(q, this.positions, this.point);
  }

  override move(q: Float64Array, v: Float64Array): void {
    this.place(q);
    this.#map(v, this.velocities, this.velocity);
  }

  override addPointGradient(
    g: Float64Array,
    gAt: number,
    factor: number,
    out: Float64Array,
    at: number,
    space: Space,
  ): void {
    const first = at + (space === 'velocity' ? this.velocities : this.positions);
    const reference = this.#reference;
    for (let i = 0; i < 3; i++) {
      const along = factor * g[gAt + i];
      out[first + i] += along;
      for (let j = 0; j < 3; j++) out[first + DEFORMATION + 3 * i + j] += along * reference[j];
    }
  }

  /** x̄ + F ξ of numbers from `at` on. */
  #map(x: Float64Array, at: number, out: Float64Array): void {
    const reference = this.#reference;
    for (let i = 0; i < 3; i++) {
      const row = at + DEFORMATION + 3 * i;
      out[i] = x[at + i] + x[row] * reference[0] + x[row + 1] * reference[1] + x[row + 2] * reference[2];
    }
  }
}
