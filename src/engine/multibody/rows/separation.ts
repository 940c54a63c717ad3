/**
 * Two points at a prescribed distance L(t): Φ = ½ (d·d/L − L) = 0 with d = P₂ − P₁. This is (|d| − L) to first order,
 * so that Φ is in metres and the multiplier is the tension of the rod in newtons, but polynomial in the positions.
 *
 *     Φ_q q̇ = d·ḋ/L
 *     Φ_t = −½ (D/L² + 1) L̇,   D = d·d
 *     Φ̈ = (ḋ·ḋ + d·d̈)/L − 2 d·ḋ L̇/L² + D L̇²/L³ − ½ (D/L² + 1) L̈
 *
 * and γ is minus what stands there besides d·(r̈ + φ̈ k×s)/L.
 */
import type { ConstraintRows, Motion } from '../constraint';
import type { Marker } from '../marker';

export class Separation implements ConstraintRows {
  readonly labels = [{ row: 'length', unit: 'm' }] as const;
  readonly #length = new Float64Array(3);

  /** @param length L, m, positive */
  constructor(
    readonly first: Marker,
    readonly second: Marker,
    readonly length: Motion,
  ) {}

  position(clock: Float64Array, q: Float64Array, out: Float64Array, row: number): void {
    const { first, second } = this;
    first.place(q);
    second.place(q);
    this.length(clock, this.#length);
    const x = second.point[0] - first.point[0];
    const y = second.point[1] - first.point[1];
    const length = this.#length[0];
    out[row] = 0.5 * ((x * x + y * y) / length - length);
  }

  jacobian(clock: Float64Array, q: Float64Array, out: Float64Array, row: number, width: number): void {
    const { first, second } = this;
    first.place(q);
    second.place(q);
    this.length(clock, this.#length);
    const x = (second.point[0] - first.point[0]) / this.#length[0];
    const y = (second.point[1] - first.point[1]) / this.#length[0];
    first.addGradient(-x, -y, out, row * width);
    second.addGradient(x, y, out, row * width);
  }

  timeDerivative(clock: Float64Array, q: Float64Array, out: Float64Array, row: number): void {
    const { first, second } = this;
    first.place(q);
    second.place(q);
    this.length(clock, this.#length);
    const x = (second.point[0] - first.point[0]) / this.#length[0];
    const y = (second.point[1] - first.point[1]) / this.#length[0];
    out[row] = -0.5 * (x * x + y * y + 1) * this.#length[1];
  }

  gamma(clock: Float64Array, q: Float64Array, v: Float64Array, out: Float64Array, row: number): void {
    const { first, second } = this;
    first.move(q, v);
    second.move(q, v);
    this.length(clock, this.#length);
    const length = this.#length[0];
    const stretching = this.#length[1];
    // d/L, ḋ and the centripetal part of d̈
    const x = (second.point[0] - first.point[0]) / length;
    const y = (second.point[1] - first.point[1]) / length;
    const vx = second.velocity[0] - first.velocity[0];
    const vy = second.velocity[1] - first.velocity[1];
    const ax = second.centripetal[0] - first.centripetal[0];
    const ay = second.centripetal[1] - first.centripetal[1];
    const square = x * x + y * y;
    out[row] =
      -(vx * vx + vy * vy) / length -
      (x * ax + y * ay) +
      (2 * (x * vx + y * vy) * stretching) / length -
      (square * stretching * stretching) / length +
      0.5 * (square + 1) * this.#length[2];
  }
}
