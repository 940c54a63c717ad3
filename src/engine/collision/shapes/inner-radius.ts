/**
 * How thick a shape is: the radius of a ball inside it. Of spheres, capsules and cylinders, and of boxes, it is the largest there is; of
 * polyhedra and polygons the largest about the mean of the vertices, which is inside. Ground has no end: +∞.
 */
import type { Polytope } from './polytope';
import type { Shape } from './shape';

/** @returns m */
export function innerRadius(shape: Shape): number {
  if (shape.kind === 'plane' || shape.kind === 'heightField') return Infinity;
  if (shape.kind === 'cylinder') return Math.min(shape.radius, shape.halfHeight);
  return shape.radius + (shape.core.faceCount > 0 ? depthOfMean(shape.core) : 0);
}

/** The least distance of the mean of the vertices from a face. */
function depthOfMean({
  vertices,
  vertexCount,
  faceCount,
  faceStart,
  faceVertices,
  normals,
}: Polytope): number {
  const mean = [0, 1, 2].map((k) => {
    let sum = 0;
    for (let v = 0; v < vertexCount; v++) sum += vertices[3 * v + k];
    return sum / vertexCount;
  });
  let least = Infinity;
  for (let f = 0; f < faceCount; f++) {
    const v = 3 * faceVertices[faceStart[f]];
    let depth = 0;
    for (let k = 0; k < 3; k++) depth += normals[3 * f + k] * (vertices[v + k] - mean[k]);
    least = Math.min(least, depth);
  }
  return least;
}
