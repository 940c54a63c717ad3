/** Convex polyhedron from its vertices and faces. */
import { polytopeBounds } from './bounds';
import { requireDensity } from './checks';
import { checkedNormals, requireSolid } from './polyhedron-checks';
import { polyhedronMass } from './polyhedron-mass';
import { solidPolytope } from './polytope';
import type { RoundedShape } from './shape';

/**
 * @param vertices x0, y0, z0, x1, …, in the frame of the shape, m
 * @param faces loops of vertices, counterclockwise seen from outside
 * @throws {EngineError} naming what is wrong, with a code of `polyhedron-checks.ts`
 */
export function polyhedron(vertices: readonly number[], faces: readonly (readonly number[])[]): RoundedShape {
  const points = Float64Array.from(vertices);
  const normals = checkedNormals(points, faces);
  const core = solidPolytope(points, faces, normals);
  requireSolid(core);
  return {
    kind: 'polyhedron',
    dimensions: [3],
    core,
    radius: 0,
    bounds: (frame, at, out, outAt) => polytopeBounds(core, 0, frame, at, out, outAt),
    massProperties(density) {
      requireDensity(density);
      return polyhedronMass(core, density);
    },
  };
}
