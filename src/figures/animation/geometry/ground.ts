/**
 * Where the grounds of a scene lie, and the grid: planes as finite squares, in the plane as strips, and the
 * grid of the world where there is no ground.
 */
import type { Quaternion4, Scene, Vector3 } from '@engine/scene/scene';
import { type SceneBox, planeInWorld } from './bounds';
import { fromZ, rotated } from './quaternions';

/** A ground in the plane is a strip of this depth, relative to its length. */
const STRIP = 0.05;
/** Every n-th line of a grid is stronger. */
const STRONG = 5;

/**
 * Lines of a square grid in z = 0 about the origin, 6 numbers a line: those that are strong, or the others.
 */
export function gridLines(cell: number, half: number, strong: boolean): Float32Array<ArrayBuffer> {
  const cells = Math.round(half / cell);
  const lines: number[] = [];
  for (let i = -cells; i <= cells; i++) {
    if ((i % STRONG === 0) !== strong) continue;
    const at = i * cell;
    lines.push(at, -half, 0, at, half, 0, -half, at, 0, half, at, 0);
  }
  return new Float32Array(lines);
}

/** Where a square lies. */
export interface GroundPlace {
  /** its middle */
  readonly centre: Vector3;
  /** turns z into its normal */
  readonly rotation: Quaternion4;
  readonly isGround: boolean;
}

/** What is solid of a plane in a motion in the plane, below its line. */
export interface Strip {
  readonly centre: Vector3;
  /** of the line, about z, rad */
  readonly angle: number;
  readonly depth: number;
}

const dot = (a: Vector3, b: Vector3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

function planesInWorld(scene: Scene): { normal: [number, number, number]; offset: number }[] {
  return scene.bodies.flatMap((body) =>
    body.shapes.flatMap((shape) =>
      shape.geometry.kind === 'plane'
        ? [planeInWorld(body, shape, shape.geometry.normal, shape.geometry.offset)]
        : [],
    ),
  );
}

/** The grounds of a motion in the plane. @param half half-side of a ground, m */
export function strips(scene: Scene, centre: Vector3, half: number): Strip[] {
  const depth = 2 * half * STRIP;
  return planesInWorld(scene).map(({ normal: n, offset }) => {
    const along = offset - dot(n, centre) - depth / 2;
    return {
      centre: [centre[0] + along * n[0], centre[1] + along * n[1], centre[2]],
      angle: Math.atan2(-n[0], n[1]),
      depth,
    };
  });
}

/**
 * Where the grounds of a motion in space lie: below or beside the middle of the scene, on a node of the grid,
 * so that round coordinates are on its lines.
 */
export function groundPlaces(scene: Scene, centre: Vector3, cell: number): GroundPlace[] {
  return planesInWorld(scene).map(({ normal, offset }) => {
    const rotation = fromZ(normal);
    const [w, x, y, z] = rotation;
    const origin: Vector3 = [normal[0] * offset, normal[1] * offset, normal[2] * offset];
    const local = rotated(
      [w, -x, -y, -z],
      [centre[0] - origin[0], centre[1] - origin[1], centre[2] - origin[2]],
    );
    const snapped = rotated(rotation, [
      Math.round(local[0] / cell) * cell,
      Math.round(local[1] / cell) * cell,
      0,
    ]);
    return {
      centre: [snapped[0] + origin[0], snapped[1] + origin[1], snapped[2] + origin[2]],
      rotation,
      isGround: true,
    };
  });
}

/**
 * The grid of a world without ground: z = 0 where the scene reaches it, else below the scene; in the middle
 * of a motion in the plane.
 */
export function worldPlace({ least, most }: SceneBox, cell: number, planar: boolean): GroundPlace {
  const snap = (i: number): number => Math.round((least[i] + most[i]) / 2 / cell) * cell;
  const near = cell * STRONG;
  const height = (least[2] + most[2]) / 2;
  const isNear = least[2] <= near && most[2] >= -near;
  const z = planar ? height : isNear ? 0 : least[2];
  return { centre: [snap(0), snap(1), z], rotation: [1, 0, 0, 0], isGround: false };
}
