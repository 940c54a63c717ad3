/** Small scenes made by hand. */
import type { Scene, SceneBody, SceneGeometry, SceneShape, Vector3 } from '@engine/scene/scene';

const UNTURNED = [1, 0, 0, 0] as const;

export const shape = (
  geometry: SceneGeometry,
  position: Vector3 = [0, 0, 0],
  orientation: SceneShape['orientation'] = UNTURNED,
): SceneShape => ({ geometry, position, orientation });

/** A 3D body whose pose is recorded under its own id. */
export const spatialBody = (id: string, ...shapes: SceneShape[]): SceneBody => ({
  id,
  position: [0, 0, 0],
  orientation: UNTURNED,
  motion: {
    kind: 'spatial',
    signals: ['x', 'y', 'z', 'qw', 'qx', 'qy', 'qz'].map((name) => `${id}.${name}`),
  },
  shapes,
});

export const planarBody = (id: string, ...shapes: SceneShape[]): SceneBody => ({
  id,
  position: [0, 0, 0],
  orientation: UNTURNED,
  motion: { kind: 'planar', signals: [`${id}.x`, `${id}.y`, `${id}.phi`] },
  shapes,
});

export const ground: SceneBody = {
  id: 'ground',
  position: [0, 0, 0],
  orientation: UNTURNED,
  motion: null,
  shapes: [shape({ kind: 'plane', normal: [0, 0, 1], offset: 0 })],
};

export const sceneOf = (...bodies: SceneBody[]): Scene => ({ bodies, joints: [] });

/**
 * Rotation matrix by rows of a rotation about a unit axis, after Rodrigues: an oracle that knows no
 * quaternion.
 */
export function rodrigues([x, y, z]: Vector3, angle: number): number[][] {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return [
    [c + x * x * (1 - c), x * y * (1 - c) - z * s, x * z * (1 - c) + y * s],
    [y * x * (1 - c) + z * s, c + y * y * (1 - c), y * z * (1 - c) - x * s],
    [z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c)],
  ];
}

export const times = (matrix: readonly (readonly number[])[], v: readonly number[]): number[] =>
  matrix.map((row) => row.reduce((sum, entry, i) => sum + entry * (v[i] ?? 0), 0));

export const quaternion = ([x, y, z]: Vector3, angle: number): [number, number, number, number] => {
  const s = Math.sin(angle / 2);
  return [Math.cos(angle / 2), x * s, y * s, z * s];
};

export function unit(v: Vector3): [number, number, number] {
  const length = Math.hypot(...v);
  return [v[0] / length, v[1] / length, v[2] / length];
}
