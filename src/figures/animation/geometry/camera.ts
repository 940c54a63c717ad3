/** Where the camera stands: fitting a scene, the named views, and the movements of keys and buttons. */
import type { AnimationCamera } from '@engine/document/types';
import { type SceneBox, centreOf } from './bounds';

export type SpaceVector = [number, number, number];
export type NamedView = 'front' | 'top' | 'side' | 'isometric';

/** Vertical opening of the camera, degrees. */
export const FIELD_OF_VIEW = 35;
/** Part of the picture that stays free around a fitted scene. */
const MARGIN = 0.06;
/** A camera that looks along the vertical would have no upper side: the least angle to it, rad. */
const LEAST_POLAR = 1e-3;

export const minus = (a: SpaceVector, b: SpaceVector): SpaceVector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const plus = (a: SpaceVector, b: SpaceVector, s = 1): SpaceVector => [
  a[0] + s * b[0],
  a[1] + s * b[1],
  a[2] + s * b[2],
];
const cross = (a: SpaceVector, b: SpaceVector): SpaceVector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const dot = (a: SpaceVector, b: SpaceVector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const unit = (a: SpaceVector): SpaceVector => {
  const length = Math.hypot(...a);
  return length > 0 ? [a[0] / length, a[1] / length, a[2] / length] : [0, 0, 1];
};

/** The upper direction: y of motions in the plane, z of those in space. */
export const upOf = (planar: boolean): SpaceVector => (planar ? [0, 1, 0] : [0, 0, 1]);

/** Direction from the scene to the camera, unit. Seen from in front, x points right. */
export function directionOf(view: NamedView, planar: boolean): SpaceVector {
  // (to the right, upwards, towards the viewer) of the front view
  const seen: Record<NamedView, SpaceVector> = {
    front: [0, 0, 1],
    top: [0, Math.cos(LEAST_POLAR), Math.sin(LEAST_POLAR)],
    side: [1, 0, 0],
    isometric: unit([0.72, 0.62, 1]),
  };
  const [right, above, near] = seen[view];
  return planar ? [right, above, near] : [right, -near, above];
}

/** The frame of a camera that looks along −d: to the right, upwards, towards the viewer. */
export function cameraAxes(
  direction: SpaceVector,
  up: SpaceVector,
): { right: SpaceVector; above: SpaceVector; near: SpaceVector } {
  const near = unit(direction);
  const right = unit(cross(up, near));
  return { right, above: cross(near, right), near };
}

/**
 * The nearest camera on a ray from the middle of a box that has all of it in the picture. A corner with
 * coordinates (a, b, c) to the right,
 * upwards and towards the viewer, counted from the middle, is seen under the slope |b|/(D − c) from the
 * distance D, which must not exceed the slope k of the upper edge of the picture: D ≥ c + |b|/k, and the same
 * of the right edge. The largest of the sixteen bounds is taken.
 * @param aspect width of the picture over its height
 */
export function fitCamera(
  box: SceneBox,
  direction: SpaceVector,
  up: SpaceVector,
  aspect: number,
): AnimationCamera {
  const target = centreOf(box);
  const { right, above, near } = cameraAxes(direction, up);
  const vertical = Math.tan((FIELD_OF_VIEW * Math.PI) / 360) * (1 - MARGIN);
  const horizontal = vertical * aspect;
  let distance = 0;
  for (let corner = 0; corner < 8; corner++) {
    const at: SpaceVector = [0, 1, 2].map((i) =>
      ((corner >> i) & 1) === 1 ? box.most[i] : box.least[i],
    ) as SpaceVector;
    const from = minus(at, target);
    const depth = dot(from, near);
    distance = Math.max(
      distance,
      depth + Math.abs(dot(from, right)) / horizontal,
      depth + Math.abs(dot(from, above)) / vertical,
    );
  }
  return { position: plus(target, near, distance), target };
}

/** Turns the camera about its target. @param azimuth about the vertical, rad @param polar upwards, rad */
export function orbited(
  camera: AnimationCamera,
  up: SpaceVector,
  azimuth: number,
  polar: number,
): AnimationCamera {
  const from = minus(camera.position, camera.target);
  const distance = Math.hypot(...from);
  const height = Math.acos(Math.max(-1, Math.min(1, dot(from, up) / distance)));
  const next = Math.max(LEAST_POLAR, Math.min(Math.PI - LEAST_POLAR, height - polar));
  // The horizontal part of the direction to the camera.
  const ahead = unit(cross(cameraAxes(from, up).right, up));
  const turned = plus(plus([0, 0, 0], ahead, Math.cos(azimuth)), cross(up, ahead), Math.sin(azimuth));
  const direction = plus(plus([0, 0, 0], turned, Math.sin(next)), up, Math.cos(next));
  return { position: plus(camera.target, direction, distance), target: camera.target };
}

/** Comes nearer by a factor below 1, or goes away. */
export function dollied(camera: AnimationCamera, factor: number): AnimationCamera {
  return {
    position: plus(camera.target, minus(camera.position, camera.target), factor),
    target: camera.target,
  };
}

/** Moves camera and target. @param x to the right, @param y upwards, both in distances from the target */
export function panned(camera: AnimationCamera, up: SpaceVector, x: number, y: number): AnimationCamera {
  const from = minus(camera.position, camera.target);
  const distance = Math.hypot(...from);
  const { right, above } = cameraAxes(from, up);
  const shift = plus(plus([0, 0, 0], right, x * distance), above, y * distance);
  return { position: plus(camera.position, shift), target: plus(camera.target, shift) };
}

/** Moves camera and target with a body. */
export function shifted(camera: AnimationCamera, by: SpaceVector): AnimationCamera {
  return { position: plus(camera.position, by), target: plus(camera.target, by) };
}

/** Largest difference of coordinates, relative to the distance: what tells two cameras apart. */
export function cameraDistance(a: AnimationCamera, b: AnimationCamera): number {
  const scale = Math.hypot(...minus(a.position, a.target));
  const differences = [...minus(a.position, b.position), ...minus(a.target, b.target)].map(Math.abs);
  return Math.max(...differences) / (scale > 0 ? scale : 1);
}

/** The camera with its coordinates rounded to the digits that matter, as stored in a document. */
export function roundedCamera({ position, target }: AnimationCamera): AnimationCamera {
  const scale = Math.hypot(...minus(position, target));
  const unit_ = 10 ** (Math.floor(Math.log10(scale > 0 ? scale : 1)) - 4);
  const digits = Math.max(0, Math.min(15, -Math.log10(unit_)));
  const round = (x: number): number =>
    Number((Math.round(x / unit_) * unit_).toFixed(Math.round(digits))) + 0;
  return { position: position.map(round) as SpaceVector, target: target.map(round) as SpaceVector };
}
