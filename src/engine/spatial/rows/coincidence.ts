/** Two points in one place: h = P₂ − P₁, γ = R₁ (Ω₁×(Ω₁×s₁)) − R₂ (Ω₂×(Ω₂×s₂)), in the world's frame. */
import type { Space, SpatialMarker } from '../marker';
import type { SpatialRows } from './rows';

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
