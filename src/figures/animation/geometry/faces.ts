/** Triangles of shapes that come with the model: polyhedra, polygons and height fields. */
import type { SceneGeometry } from '@engine/scene/scene';

/** Brightness of every other patch of a round shape, which makes its rotation visible. */
export const PATCH = 0.72;

/** Corners of triangles, three points after three points, none shared: each face is flat and has an edge. */
export type Triangles = Float32Array<ArrayBuffer>;

type Of<Kind extends SceneGeometry['kind']> = Extract<SceneGeometry, { kind: Kind }>;

/** A face of n corners as n − 2 triangles about its first one: of a convex face, all of them lie in it. */
export function polyhedronTriangles({ vertices, faces }: Of<'polyhedron'>): Triangles {
  const triangles = faces.flatMap((face) =>
    face.slice(2).flatMap((corner, i) => [face[0], face[i + 1], corner]),
  );
  return new Float32Array(triangles.flatMap((v) => vertices.slice(3 * v, 3 * v + 3)));
}

/** Twice the area of a triangle, positive where its corners run anticlockwise. */
const turn = (p: readonly number[], a: number, b: number, c: number): number =>
  (p[2 * b] - p[2 * a]) * (p[2 * c + 1] - p[2 * a + 1]) -
  (p[2 * c] - p[2 * a]) * (p[2 * b + 1] - p[2 * a + 1]);

/**
 * A simple polygon, convex or not, by cutting off ears: corners whose triangle turns anticlockwise and holds
 * no other corner. Each simple polygon has two (Meisters 1975), so that the cutting ends; one that crosses
 * itself is cut off anywhere.
 */
export function polygonTriangles({ corners }: Of<'polygon'>): Triangles {
  const left = Array.from({ length: Math.floor(corners.length / 2) }, (_, i) => i);
  const out: number[] = [];
  const isEar = (i: number): boolean => {
    const [a, b, c] = [left.at(i - 1) ?? 0, left[i], left[(i + 1) % left.length]];
    if (turn(corners, a, b, c) <= 0) return false;
    return left.every(
      (p) =>
        p === a ||
        p === b ||
        p === c ||
        turn(corners, a, b, p) < 0 ||
        turn(corners, b, c, p) < 0 ||
        turn(corners, c, a, p) < 0,
    );
  };
  while (left.length >= 3) {
    const ear = Math.max(
      0,
      left.findIndex((_, i) => isEar(i)),
    );
    for (const corner of [left.at(ear - 1) ?? 0, left[ear], left[(ear + 1) % left.length]])
      out.push(corners[2 * corner], corners[2 * corner + 1], 0);
    left.splice(ear, 1);
  }
  return new Float32Array(out);
}

/** A polygon as a plate between z = −1 and z = 1: both faces, and two triangles for each side. */
export function plateTriangles(polygon: Of<'polygon'>): Triangles {
  const { corners } = polygon;
  const flat = polygonTriangles(polygon);
  const out: number[] = [];
  for (let at = 0; at < flat.length; at += 9)
    for (const [z, order] of FACES)
      for (const corner of order) out.push(flat[at + 3 * corner], flat[at + 3 * corner + 1], z);
  const count = corners.length / 2;
  for (let k = 0; k < count; k++) {
    const [a, b] = [k, (k + 1) % count];
    for (const [corner, z] of [
      [a, -1],
      [b, -1],
      [b, 1],
      [a, -1],
      [b, 1],
      [a, 1],
    ])
      out.push(corners[2 * corner], corners[2 * corner + 1], z);
  }
  return new Float32Array(out);
}

/** Heights of the faces of a plate, and the corners of a triangle as they are seen from outside. */
const FACES: readonly (readonly [number, readonly number[]])[] = [
  [1, [0, 1, 2]],
  [-1, [0, 2, 1]],
];

/**
 * Each cell of the grid as two triangles, seen from above. The grid begins at the origin, as the heights of
 * its points say.
 */
export function heightFieldTriangles(field: Of<'heightField'>): Triangles {
  const { columns, rows, spacingX, spacingY, heights } = field;
  const out: number[] = [];
  const add = (i: number, j: number): void => {
    out.push(i * spacingX, j * spacingY, heights[j * columns + i]);
  };
  for (let j = 0; j + 1 < rows; j++) {
    for (let i = 0; i + 1 < columns; i++) {
      add(i, j);
      add(i + 1, j);
      add(i + 1, j + 1);
      add(i, j);
      add(i + 1, j + 1);
      add(i, j + 1);
    }
  }
  return new Float32Array(out);
}
