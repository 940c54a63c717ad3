/** Two points in one place: Φ = P₂ − P₁ = 0, γ = φ̇₂² s₂ − φ̇₁² s₁. */
import type { ConstraintRows } from '../constraint';
import type { Marker } from '../marker';

export class Coincidence implements ConstraintRows {
  readonly labels = [
    { row: 'x', unit: 'm' },
    { row: 'y', unit: 'm' },
  ] as const;

  constructor(
    readonly first: Marker,
    readonly second: Marker,
  ) {}

  position(_: Float64Array, q: Float64Array, out: Float64Array, row: number): void {
    const { first, second } = this;
    first.place(q);
    second.place(q);
    out[row] = second.point[0] - first.point[0];
    out[row + 1] = second.point[1] - first.point[1];
  }

  jacobian(_: Float64Array, q: Float64Array, out: Float64Array, row: number, width: number): void {
    const { first, second } = this;
    first.place(q);
    second.place(q);
    first.addGradient(-1, 0, out, row * width);
    second.addGradient(1, 0, out, row * width);
    first.addGradient(0, -1, out, (row + 1) * width);
    second.addGradient(0, 1, out, (row + 1) * width);
  }

  gamma(_: Float64Array, q: Float64Array, v: Float64Array, out: Float64Array, row: number): void {
    const { first, second } = this;
    first.move(q, v);
    second.move(q, v);
    out[row] = first.centripetal[0] - second.centripetal[0];
    out[row + 1] = first.centripetal[1] - second.centripetal[1];
  }
}
