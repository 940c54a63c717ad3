/**
 * A point on a line of another body, or at a distance c from it: Φ = n·d − c = 0 with d = P₂ − P₁, and n the normal of the line through P₁, which
 * turns with the first body: ṅ = φ̇₁ k×n, n̈ = φ̈₁ k×n − φ̇₁² n. Twice differentiated,
 *
 *     Φ̈ = n̈·d + 2 ṅ·ḋ + n·d̈,   so   γ = φ̇₁² n·d − 2 φ̇₁ (k×n)·ḋ + n·(φ̇₂² s₂ − φ̇₁² s₁).
 *
 * With the direction of the line in place of its normal this is how far the point has moved along the line; a disc of radius r
 * about P₂ slips by that and by what it has turned, r (φ₂ − φ₁), which is linear and adds nothing to γ.
 */
import type { ConstraintRows } from '../constraint';
import type { Marker } from '../marker';

export class PointOnLine implements ConstraintRows {
  readonly labels: ConstraintRows['labels'];
  /** n in the frame of the first body */
  readonly #local: Float64Array;
  readonly #normal = new Float64Array(2);

  /**
   * @param axis direction of the line in the frame of the first body, rad; the normal is 90° ahead of it
   * @param distance c, m
   * @param rolling r, m: factor of φ₂ − φ₁
   */
  constructor(
    readonly first: Marker,
    readonly second: Marker,
    axis: number,
    readonly distance = 0,
    readonly rolling = 0,
    row = 'across',
  ) {
    this.labels = [{ row, unit: 'm' }];
    this.#local = Float64Array.of(-Math.sin(axis), Math.cos(axis));
  }

  #turn(q: Float64Array): void {
    const angle = this.first.angle(q);
    const cosine = Math.cos(angle);
    const sine = Math.sin(angle);
    this.#normal[0] = cosine * this.#local[0] - sine * this.#local[1];
    this.#normal[1] = sine * this.#local[0] + cosine * this.#local[1];
  }

  position(_: Float64Array, q: Float64Array, out: Float64Array, row: number): void {
    const { first, second } = this;
    first.place(q);
    second.place(q);
    this.#turn(q);
    const normal = this.#normal;
    out[row] =
      normal[0] * (second.point[0] - first.point[0]) +
      normal[1] * (second.point[1] - first.point[1]) -
      this.distance;
    if (this.rolling !== 0) out[row] += this.rolling * (second.angle(q) - first.angle(q));
  }

  jacobian(_: Float64Array, q: Float64Array, out: Float64Array, row: number, width: number): void {
    const { first, second } = this;
    first.place(q);
    second.place(q);
    this.#turn(q);
    const x = this.#normal[0];
    const y = this.#normal[1];
    const at = row * width;
    first.addGradient(-x, -y, out, at);
    second.addGradient(x, y, out, at);
    // (k×n)·d
    const turning = x * (second.point[1] - first.point[1]) - y * (second.point[0] - first.point[0]);
    first.addAngleGradient(turning - this.rolling, out, at);
    second.addAngleGradient(this.rolling, out, at);
  }

  gamma(_: Float64Array, q: Float64Array, v: Float64Array, out: Float64Array, row: number): void {
    const { first, second } = this;
    first.move(q, v);
    second.move(q, v);
    this.#turn(q);
    const x = this.#normal[0];
    const y = this.#normal[1];
    const rate = first.rate(v);
    const across = x * (second.point[0] - first.point[0]) + y * (second.point[1] - first.point[1]);
    const turning =
      x * (second.velocity[1] - first.velocity[1]) - y * (second.velocity[0] - first.velocity[0]);
    const centripetal =
      x * (second.centripetal[0] - first.centripetal[0]) + y * (second.centripetal[1] - first.centripetal[1]);
    out[row] = rate * rate * across - 2 * rate * turning - centripetal;
  }
}
