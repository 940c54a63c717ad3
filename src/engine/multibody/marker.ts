/**
 * A point fixed to a body or to the ground, with what constraints and loads need of it:
 *
 *     P = r + s,   s = R(φ) s′,   Ṗ = ṙ + φ̇ k×s,   P̈ = r̈ + φ̈ k×s − φ̇² s,   k×(s_x, s_y) = (−s_y, s_x)
 *
 * with r the body's mass centre, φ its angle and s′ the point in the body's frame.
 */

/** Offset of a marker on the ground, which has no coordinates. */
export const PLANAR_ON_GROUND = -1;

export class Marker {
  /** s, world frame, m */
  readonly arm = new Float64Array(2);
  /** P, world frame, m */
  readonly point = new Float64Array(2);
  /** Ṗ, m/s */
  readonly velocity = new Float64Array(2);
  /** −φ̇² s, the part of P̈ that does not come from accelerations, m/s² */
  readonly centripetal = new Float64Array(2);
  readonly #local: Float64Array;

  /**
   * @param offset place of the body's (x, y, φ) in q, `PLANAR_ON_GROUND` for the ground
   * @param x,y s′, m
   */
  constructor(
    readonly offset: number,
    x: number,
    y: number,
  ) {
    this.#local = Float64Array.of(x, y);
    this.arm.set(this.#local);
    this.point.set(this.#local);
  }

  /** Brings arm and point to the positions q. */
  place(q: Float64Array): void {
    const { offset, arm, point } = this;
    if (offset < 0) return;
    const x = this.#local[0];
    const y = this.#local[1];
    const cosine = Math.cos(q[offset + 2]);
    const sine = Math.sin(q[offset + 2]);
    arm[0] = cosine * x - sine * y;
    arm[1] = sine * x + cosine * y;
    point[0] = q[offset] + arm[0];
    point[1] = q[offset + 1] + arm[1];
  }

  /** The same, and velocity and centripetal acceleration. */
  move(q: Float64Array, v: Float64Array): void {
    this.place(q);
    const { offset, arm, velocity, centripetal } = this;
    if (offset < 0) return;
    const rate = v[offset + 2];
    velocity[0] = v[offset] - rate * arm[1];
    velocity[1] = v[offset + 1] + rate * arm[0];
    centripetal[0] = -rate * rate * arm[0];
    centripetal[1] = -rate * rate * arm[1];
  }

  /** φ, rad */
  angle(q: Float64Array): number {
    return this.offset < 0 ? 0 : q[this.offset + 2];
  }

  /** φ̇, rad/s */
  rate(v: Float64Array): number {
    return this.offset < 0 ? 0 : v[this.offset + 2];
  }

  /**
   * Adds the derivative of a function of P, given by its gradient (g_x, g_y), to a row of a Jacobian:
   * ∂/∂r = g, ∂/∂φ = g · (k×s).
   * @param at first entry of the row
   */
  addGradient(x: number, y: number, out: Float64Array, at: number): void {
    const { offset, arm } = this;
    if (offset < 0) return;
    out[at + offset] += x;
    out[at + offset + 1] += y;
    out[at + offset + 2] += y * arm[0] - x * arm[1];
  }

  /** Adds the derivative of a function of φ to a row of a Jacobian. */
  addAngleGradient(value: number, out: Float64Array, at: number): void {
    if (this.offset >= 0) out[at + this.offset + 2] += value;
  }

  /** Adds a force at P and a moment to the generalised forces. @param x,y N @param moment N m */
  addForce(x: number, y: number, moment: number, out: Float64Array): void {
    const { offset, arm } = this;
    if (offset < 0) return;
    out[offset] += x;
    out[offset + 1] += y;
    out[offset + 2] += moment + arm[0] * y - arm[1] * x;
  }
}
