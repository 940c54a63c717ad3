/** Bounds of polytopes with a radius, and of a box around a centre. */
import type { Polytope } from './polytope';

/** Over the vertices; a radius widens it on all sides. In the plane z stays 0. */
export function polytopeBounds(
  core: Polytope,
  radius: number,
  frame: Float64Array,
  at: number,
  out: Float64Array,
  outAt: number,
): void {
  const { vertices, vertexCount, dimension } = core;
  for (let r = 0; r < 3; r++) {
    const a = frame[at + 3 + 3 * r];
    const b = frame[at + 4 + 3 * r];
    const c = frame[at + 5 + 3 * r];
    let lower = Infinity;
    let upper = -Infinity;
    for (let k = 0; k < 3 * vertexCount; k += 3) {
      const value = a * vertices[k] + b * vertices[k + 1] + c * vertices[k + 2];
      if (value < lower) lower = value;
      if (value > upper) upper = value;
    }
    const around = r < dimension ? radius : 0;
    out[outAt + r] = frame[at + r] + lower - around;
    out[outAt + 3 + r] = frame[at + r] + upper + around;
  }
}
