/**
 * Names of the parts of a shape that touch: a vertex, an edge (by its two vertices, the smaller first), a face. The name of a contact
 * is the pair of them; it does not depend on which shape was the reference of a computation, and stays the same while the same
 * parts touch.
 */
const EDGE = 1 << 28;
const FACE = 2 << 28;
/** bits of a vertex in the name of an edge */
const VERTEX_BITS = 14;

export function vertexKey(vertex: number): number {
  return vertex;
}

export function edgeKey(a: number, b: number): number {
  return a < b ? EDGE | (a << VERTEX_BITS) | b : EDGE | (b << VERTEX_BITS) | a;
}

export function faceKey(face: number): number {
  return FACE | face;
}

/** The name of an edge that has a number of its own. */
export function numberedEdgeKey(edge: number): number {
  return EDGE | edge;
}

export function isVertexKey(key: number): boolean {
  return key < EDGE;
}

export function isEdgeKey(key: number): boolean {
  return key >= EDGE && key < FACE;
}
