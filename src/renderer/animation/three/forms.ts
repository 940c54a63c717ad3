/** Geometries of the drawn shapes. The caller disposes of them. */
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  Color,
  ConeGeometry,
  CylinderGeometry,
  SphereGeometry,
} from 'three';
import { mergeGeometries, mergeVertices } from 'three/addons/utils/BufferGeometryUtils.js';
import {
  heightFieldTriangles,
  PATCH,
  plateTriangles,
  polyhedronTriangles,
} from '@figures/animation/geometry/faces';
import type { FiniteGeometry } from '@figures/animation/geometry/instancing';

/**
 * Corners of all copies of one form together, about, beyond which they are drawn with fewer faces: what a
 * graphics card draws sixty times a second, and what a processor draws a few times a second.
 */
export const CARD_CORNERS = 1_500_000;
export const SOFTWARE_CORNERS = 40_000;
/** Faces around and along a round form, from fine to coarse. */
const ROUNDNESS: readonly (readonly [number, number])[] = [
  [32, 20],
  [20, 12],
  [12, 8],
  [8, 6],
  [6, 4],
];

/** How round copies are drawn: many of them are small in the picture. */
function roundness(count: number, corners: number): readonly [number, number] {
  const found = ROUNDNESS.find(([around, along]) => (around + 1) * (along + 1) * count <= corners);
  return found ?? ROUNDNESS[ROUNDNESS.length - 1];
}

/** Makes the axis of a form of three.js, y, the z axis of ours. */
const uprighted = (geometry: BufferGeometry): BufferGeometry => geometry.rotateX(Math.PI / 2);

function fromTriangles(corners: Float32Array<ArrayBuffer>): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(corners, 3));
  geometry.computeVertexNormals();
  return geometry;
}

/** Colours each triangle bright or darker, by its middle. */
function patched(
  source: BufferGeometry,
  isBright: (x: number, y: number, z: number) => boolean,
): BufferGeometry {
  const geometry = source.index === null ? source : source.toNonIndexed();
  if (geometry !== source) source.dispose();
  const position = geometry.getAttribute('position');
  const colours = new Float32Array(3 * position.count);
  for (let corner = 0; corner + 2 < position.count; corner += 3) {
    const middle = [0, 0, 0];
    for (let k = 0; k < 3; k++) {
      middle[0] += position.getX(corner + k) / 3;
      middle[1] += position.getY(corner + k) / 3;
      middle[2] += position.getZ(corner + k) / 3;
    }
    colours.fill(isBright(middle[0], middle[1], middle[2]) ? 1 : PATCH, 3 * corner, 3 * corner + 9);
  }
  geometry.setAttribute('color', new BufferAttribute(colours, 3));
  // Corners of one patch are shared again: each is worked out once and not for each of its triangles.
  geometry.deleteAttribute('uv');
  const shared = mergeVertices(geometry);
  geometry.dispose();
  return shared;
}

const octants = (x: number, y: number, z: number): boolean => x * y * z >= 0;
const quadrants = (x: number, y: number): boolean => x * y >= 0;
const everywhere = (): boolean => true;

/** @param count of the copies @param corners that all of them may have together */
export function formGeometry(form: FiniteGeometry, count: number, corners: number): BufferGeometry {
  const [around, along] = roundness(count, corners);
  switch (form.kind) {
    case 'sphere':
    case 'ellipsoid':
      return patched(uprighted(new SphereGeometry(1, around, along)), octants);
    case 'box':
      return patched(new BoxGeometry(2, 2, 2), everywhere);
    case 'cylinder':
      return patched(uprighted(new CylinderGeometry(1, 1, 2, around)), quadrants);
    case 'capsule':
      return patched(uprighted(new CapsuleGeometry(1, 2 * form.halfLength, along / 2, around)), quadrants);
    case 'disc':
      return patched(uprighted(new CylinderGeometry(1, 1, 2, 2 * around)), quadrants);
    case 'polyhedron':
      return patched(fromTriangles(polyhedronTriangles(form)), everywhere);
    case 'polygon':
      return patched(fromTriangles(plateTriangles(form)), everywhere);
    case 'heightField':
      return patched(fromTriangles(heightFieldTriangles(form)), everywhere);
  }
}

/** From the origin to 1 on z, of radius 1. */
export const shaftForm = (): BufferGeometry =>
  uprighted(new CylinderGeometry(1, 1, 1, 10)).translate(0, 0, 0.5);

/** Base about the origin, tip at 1 on z. */
export const headForm = (): BufferGeometry => uprighted(new ConeGeometry(1, 1, 14)).translate(0, 0, 0.5);

/** Tip at the origin, open at 1 on z with radius 1. */
export const coneForm = (): BufferGeometry =>
  uprighted(new ConeGeometry(1, 1, 28, 1, true))
    .rotateX(Math.PI)
    .translate(0, 0, 0.5);

export const ballForm = (): BufferGeometry => new SphereGeometry(1, 12, 8);

/** Three arrows of length 1 along x, y and z in the given colours. */
export function frameForm(colours: readonly string[]): BufferGeometry {
  const turns = [
    (g: BufferGeometry): BufferGeometry => g.rotateY(Math.PI / 2),
    (g: BufferGeometry): BufferGeometry => g.rotateX(-Math.PI / 2),
    (g: BufferGeometry): BufferGeometry => g,
  ];
  const parts = turns.flatMap((turn, axis) => {
    const shaft = shaftForm().scale(0.025, 0.025, 0.8);
    const head = headForm().scale(0.07, 0.07, 0.2).translate(0, 0, 0.8);
    const colour = new Color(colours[axis]);
    return [shaft, head].map((part) => {
      const count = part.getAttribute('position').count;
      const values = Float32Array.from({ length: 3 * count }, (_, i) => colour.toArray()[i % 3]);
      part.setAttribute('color', new BufferAttribute(values, 3));
      return turn(part);
    });
  });
  const merged = mergeGeometries(parts);
  parts.forEach((part) => part.dispose());
  return merged;
}
