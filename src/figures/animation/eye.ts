/** The eye of a picture of a scene: where it stands, and where points are seen. */
import type { AnimationCamera, AnimationView } from '@engine/document/types';
import type { Scene } from '@engine/scene/scene';
import { type SceneBox, isFlatScene } from './geometry/bounds';
import {
  cameraAxes,
  directionOf,
  FIELD_OF_VIEW,
  fitCamera,
  minus,
  shifted,
  upOf,
  type SpaceVector,
} from './geometry/camera';
import { POSE_NUMBERS } from './geometry/poses';

/** Sides of a picture, px. */
export interface EyePictureSize {
  readonly width: number;
  readonly height: number;
}

/** What is nearer than this part of the distance to the target is not drawn. */
const NEAR_PLANE = 1e-3;

export interface Eye {
  readonly position: SpaceVector;
  readonly right: SpaceVector;
  readonly above: SpaceVector;
  /** from the target to the eye, unit */
  readonly near: SpaceVector;
  /** px that a metre in a metre's distance has in the picture */
  readonly focal: number;
  /** least depth that is drawn, m */
  readonly least: number;
  readonly size: EyePictureSize;
}

/** A point as the eye has it: to the right, upwards, and the depth in front of it, m. */
export type Seen = readonly [number, number, number];

/**
 * The camera of a view, as the window has it: that of the document, with the followed body; else one that has
 * all of the motion in the picture.
 * @param box room of the motion @param poses 7 a body
 */
export function viewCamera(
  { camera, follow }: AnimationView,
  scene: Scene,
  box: SceneBox,
  poses: Float64Array,
  { width, height }: EyePictureSize,
): AnimationCamera {
  const planar = isFlatScene(scene);
  if (camera === undefined)
    return fitCamera(box, directionOf(planar ? 'front' : 'isometric', planar), upOf(planar), width / height);
  const at = POSE_NUMBERS * scene.bodies.findIndex(({ id }) => id === follow);
  return at < 0 ? camera : shifted(camera, [poses[at], poses[at + 1], poses[at + 2]]);
}

export function eyeOf(camera: AnimationCamera, up: SpaceVector, size: EyePictureSize): Eye {
  const from = minus(camera.position, camera.target);
  const { right, above, near } = cameraAxes(from, up);
  return {
    position: camera.position,
    right,
    above,
    near,
    focal: size.height / 2 / Math.tan((FIELD_OF_VIEW * Math.PI) / 360),
    least: NEAR_PLANE * Math.hypot(...from),
    size,
  };
}

const along = (a: SpaceVector, x: number, y: number, z: number): number => a[0] * x + a[1] * y + a[2] * z;

export function seen({ position, right, above, near }: Eye, x: number, y: number, z: number): Seen {
  const [dx, dy, dz] = [x - position[0], y - position[1], z - position[2]];
  return [along(right, dx, dy, dz), along(above, dx, dy, dz), -along(near, dx, dy, dz)];
}

/** Place in the picture, px from its upper left. @param point in front of the eye */
export const inPicture = ({ focal, size }: Eye, [right, above, depth]: Seen): [number, number] => [
  size.width / 2 + (focal * right) / depth,
  size.height / 2 - (focal * above) / depth,
];

/**
 * The part of a polygon, or of a line, that is in front of the eye.
 * @param isClosed whether its last corner is joined to the first
 */
export function inFront({ least }: Eye, points: readonly Seen[], isClosed: boolean): Seen[] {
  if (points.every(([, , depth]) => depth >= least)) return [...points];
  return points.flatMap((point, i) => {
    const kept: Seen[] = point[2] >= least ? [point] : [];
    const next = i + 1 < points.length ? points[i + 1] : isClosed ? points[0] : null;
    if (next === null || next[2] >= least === point[2] >= least) return kept;
    const s = (least - point[2]) / (next[2] - point[2]);
    return [
      ...kept,
      [point[0] + s * (next[0] - point[0]), point[1] + s * (next[1] - point[1]), least] as const,
    ];
  });
}
