/**
 * How much longer than L the line between two points is: Φ = ρ − L with ρ = |d|, d = P₂ − P₁. With n = d/ρ,
 *
 *     Φ̇ = n·ḋ,   Φ̈ = n·d̈ + ((k×n)·ḋ)²/ρ.
 *
 * Points in one place have no direction.
 */
import type { ConstraintRows } from '../constraint';
import type { Marker } from '../marker';

export class Length implements ConstraintRows {
  readonly labels = [{ row: 'length', unit: 'm' }] as const;
  /** n_x, n_y, ρ */
  readonly #polar = new Float64Array(3);

  /**
   * @param length L, m
   * @param meeting the error that a gradient of points in one place is
   */
  constructor(
    readonly first: Marker,
    readonly second: Marker,
    readonly length: number,
    private readonly meeting: () => Error,
  ) {}

  /** Needs markers that have been placed. */
  #measure(): void {
    const { first, second } = this;
    const polar = this.#polar;
    const x = second.point[0] - first.point[0];
    const y = second.point[1] - first.point[1];
    const distance = Math.sqrt(x * x + y * y);
    polar[0] = distance === 0 ? 0 : x / distance;
    polar[1] = distance === 0 ? 0 : y / distance;
    polar[2] = distance;
  }

  position(_: Float64Array, q: Float64Array, out: Float64Array, row: number): void {
    this.first.place(q);
    this.second.place(q);
    this.#measure();
    out[row] = this.#polar[2] - this.length;
  }

  jacobian(_: Float64Array, q: Float64Array, out: Float64Array, row: number, width: number): void {
    const { first, second } = this;
    first.place(q);
    second.place(q);
    this.#measure();
    if (this.#polar[2] === 0) throw this.meeting();
    first.addGradient(-this.#polar[0], -this.#polar[1], out, row * width);
    second.addGradient(this.#polar[0], this.#polar[1], out, row * width);
  }

  gamma(_: Float64Array, q: Float64Array, v: Float64Array, out: Float64Array, row: number): void {
    const { first, second } = this;
    first.move(q, v);
    second.move(q, v);
    this.#measure();
    const x = this.#polar[0];
    const y = this.#polar[1];
    const across =
      x * (second.velocity[1] - first.velocity[1]) - y * (second.velocity[0] - first.velocity[0]);
    const along =
      x * (second.centripetal[0] - first.centripetal[0]) + y * (second.centripetal[1] - first.centripetal[1]);
    out[row] = -along;
    if (this.#polar[2] > 0) out[row] -= (across * across) / this.#polar[2];
  }
}
