/**
 * Faces of the forms that a scene consists of, as polygons: what a drawing is made of, as triangles are what
 * a graphics card draws.
 */
import { PATCH } from './geometry/faces';
import type { FiniteGeometry } from './geometry/instancing';

/** A flat face: corners x, y, z each, anticlockwise from outside. */
interface Face {
  readonly points: readonly number[];
  /** 1, or less on every other patch of a round form, which shows that it turns */
  readonly brightness: number;
}

export interface FormFaces {
  readonly faces: readonly Face[];
  /** whether all of it lies behind each of its faces */
  readonly isConvex: boolean;
  /** seen from both sides */
  readonly isOpen: boolean;
}

/** Sides of round forms, a multiple of four, and rings of a half sphere. */
const AROUND = 32;
const FLAT_AROUND = 64;
const RINGS = 5;

const brightness = (isBright: boolean): number => (isBright ? 1 : PATCH);

/** A quarter is bright where x y ≥ 0. */
const quarter = (k: number, around: number): number =>
  brightness(Math.floor((4 * (k + 0.5)) / around) % 2 === 0);

const circle = (k: number, around: number): [number, number] => {
  const angle = (2 * Math.PI * k) / around;
  return [Math.cos(angle), Math.sin(angle)];
};

/** Between z = −1 and 1, of radius 1: sides, and ends in four quarters. */
function cylinder(around: number): Face[] {
  const faces: Face[] = [];
  for (let k = 0; k < around; k++) {
    const [a, b] = [circle(k, around), circle(k + 1, around)];
    faces.push({ points: [...a, -1, ...b, -1, ...b, 1, ...a, 1], brightness: quarter(k, around) });
  }
  for (let q = 0; q < 4; q++) {
    const arc = Array.from({ length: around / 4 + 1 }, (_, k) => circle((q * around) / 4 + k, around));
    const bright = brightness(q % 2 === 0);
    faces.push({ points: [0, 0, 1, ...arc.flatMap(([x, y]) => [x, y, 1])], brightness: bright });
    const back = [...arc].reverse();
    faces.push({ points: [0, 0, -1, ...back.flatMap(([x, y]) => [x, y, -1])], brightness: bright });
  }
  return faces;
}

/** A sphere of radius 1 whose halves are ± `half` apart along z. */
function capsule(half: number, isBright: (x: number, y: number, z: number) => boolean): Face[] {
  const rings: [radius: number, z: number][] = [];
  for (let i = 0; i <= 2 * RINGS; i++) {
    const angle = -Math.PI / 2 + (Math.PI * i) / (2 * RINGS);
    const [radius, z] = [Math.cos(angle), Math.sin(angle)];
    if (i <= RINGS) rings.push([radius, z - half]);
    if (i >= RINGS && (half > 0 || i > RINGS)) rings.push([radius, z + half]);
  }
  return rings.slice(1).flatMap(([r1, z1], i) => {
    const [r0, z0] = rings[i];
    return Array.from({ length: AROUND }, (_, k): Face => {
      const [a, b] = [circle(k, AROUND), circle(k + 1, AROUND)];
      const [x, y] = circle(k + 0.5, AROUND);
      const lower = [r0 * a[0], r0 * a[1], z0, r0 * b[0], r0 * b[1], z0];
      const upper = [r1 * b[0], r1 * b[1], z1, r1 * a[0], r1 * a[1], z1];
      return { points: [...lower, ...upper], brightness: brightness(isBright(x, y, (z0 + z1) / 2)) };
    });
  });
}

/** Corners of the faces of a box by their signs. */
const BOX = [
  [-1, -1, -1, -1, 1, -1, 1, 1, -1, 1, -1, -1],
  [-1, -1, 1, 1, -1, 1, 1, 1, 1, -1, 1, 1],
  [-1, -1, -1, 1, -1, -1, 1, -1, 1, -1, -1, 1],
  [-1, 1, -1, -1, 1, 1, 1, 1, 1, 1, 1, -1],
  [-1, -1, -1, -1, -1, 1, -1, 1, 1, -1, 1, -1],
  [1, -1, -1, 1, 1, -1, 1, 1, 1, 1, -1, 1],
];

const plain = (faces: readonly (readonly number[])[]): Face[] =>
  faces.map((points) => ({ points, brightness: 1 }));

/** A polygon as a plate between z = −1 and z = 1. */
function plate(corners: readonly number[]): Face[] {
  const at = Array.from({ length: Math.floor(corners.length / 2) }, (_, k) => [
    corners[2 * k],
    corners[2 * k + 1],
  ]);
  const sides = at.map((a, k) => {
    const b = at[(k + 1) % at.length];
    return [...a, -1, ...b, -1, ...b, 1, ...a, 1];
  });
  const back = [...at].reverse();
  return plain([...sides, at.flatMap((p) => [...p, 1]), back.flatMap((p) => [...p, -1])]);
}

/** Whether the corners of a polygon turn one way only. */
function isConvexPolygon(corners: readonly number[]): boolean {
  const n = corners.length / 2;
  const at = (k: number): [number, number] => [corners[2 * (k % n)], corners[2 * (k % n) + 1]];
  return Array.from({ length: n }, (_, k) => k).every((k) => {
    const [a, b, c] = [at(k), at(k + 1), at(k + 2)];
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]) >= 0;
  });
}

/** Faces of a form of unit size, as `geometry/instancing.ts` has them. */
export function formFaces(form: FiniteGeometry): FormFaces {
  const solid = (faces: readonly Face[], isConvex = true): FormFaces => ({ faces, isConvex, isOpen: false });
  switch (form.kind) {
    case 'sphere':
    case 'ellipsoid':
      return solid(capsule(0, (x, y, z) => x * y * z >= 0));
    case 'capsule':
      return solid(capsule(form.halfLength, (x, y) => x * y >= 0));
    case 'cylinder':
      return solid(cylinder(AROUND));
    case 'disc':
      return solid(cylinder(FLAT_AROUND));
    case 'box':
      return solid(plain(BOX));
    case 'polygon':
      return solid(plate(form.corners), isConvexPolygon(form.corners));
    case 'polyhedron':
      return solid(
        plain(form.faces.map((face) => face.flatMap((v) => form.vertices.slice(3 * v, 3 * v + 3)))),
      );
    case 'heightField': {
      const { columns, rows, spacingX, spacingY, heights } = form;
      const at = (i: number, j: number): number[] => [i * spacingX, j * spacingY, heights[j * columns + i]];
      const cells: number[][] = [];
      for (let j = 0; j + 1 < rows; j++)
        for (let i = 0; i + 1 < columns; i++) {
          cells.push([...at(i, j), ...at(i + 1, j), ...at(i + 1, j + 1)]);
          cells.push([...at(i, j), ...at(i + 1, j + 1), ...at(i, j + 1)]);
        }
      return { faces: plain(cells), isConvex: false, isOpen: true };
    }
  }
}
