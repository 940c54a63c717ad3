/**
 * Poses of all bodies at one time: seven numbers a body, x, y, z in metres and the quaternion (w, x, y, z).
 * Behind those of all bodies stand the stretches of the bodies that deform, six numbers each (`stretch.ts`).
 */
import type { Scene } from '@engine/scene/scene';
import { rotateTo, slerpTo } from './quaternions';
import { polarTo, STRETCH, stretchTo } from './stretch';

/** Numbers of a pose. */
export const POSE_NUMBERS = 7;

/** How the rows of a recording become poses. */
export interface PosePlan {
  /** signals to be read, each once, in the order in which the bodies need them */
  readonly signals: readonly string[];
  readonly moving: readonly MovingBody[];
  /** ids of bodies whose motion is not recorded: they are drawn where they were at the start */
  readonly unrecorded: readonly string[];
  /** how many bodies the scene has */
  readonly bodies: number;
}

interface MovingBody {
  /** place in `Scene.bodies` */
  readonly body: number;
  readonly kind: 'spatial' | 'affine' | 'planar';
  /** where its stretch stands; −1 of a rigid body */
  readonly stretch: number;
  /** place of its first signal in `PosePlan.signals` */
  readonly first: number;
  /** height of the plane that a planar body moves in, m */
  readonly z: number;
}

/** @param recorded names of the signals that a run has */
export function posePlan(scene: Scene, recorded: ReadonlySet<string>): PosePlan {
  const signals: string[] = [];
  const moving: MovingBody[] = [];
  const unrecorded: string[] = [];
  const stretches = stretchPlaces(scene);
  scene.bodies.forEach(({ id, motion, position }, body) => {
    if (motion === null) return;
    if (!motion.signals.every((name) => recorded.has(name))) {
      unrecorded.push(id);
      return;
    }
    const stretch = stretches[body];
    moving.push({ body, kind: motion.kind, first: signals.length, stretch, z: position[2] });
    signals.push(...motion.signals);
  });
  return { signals, moving, unrecorded, bodies: scene.bodies.length };
}

/** Where the stretch of each body stands among the numbers of the poses; −1 of rigid ones. */
export function stretchPlaces({ bodies }: Scene): Int32Array {
  let next = POSE_NUMBERS * bodies.length;
  return Int32Array.from(bodies, ({ motion }) => {
    if (motion?.kind !== 'affine') return -1;
    next += STRETCH;
    return next - STRETCH;
  });
}

/** Numbers of the poses of a scene. */
export const poseNumbers = ({ bodies }: Scene): number =>
  bodies.reduce((sum, { motion }) => sum + POSE_NUMBERS + (motion?.kind === 'affine' ? STRETCH : 0), 0);

/** Poses at the start, 7 a body, and stretches. */
export function startPoses(scene: Scene): Float64Array {
  const poses = new Float64Array(poseNumbers(scene));
  const stretches = stretchPlaces(scene);
  scene.bodies.forEach(({ position, orientation, deformation }, body) => {
    poses.set([...position, ...orientation], POSE_NUMBERS * body);
    if (deformation !== undefined && stretches[body] >= 0)
      polarTo(poses, POSE_NUMBERS * body + 3, poses, stretches[body], deformation);
  });
  return poses;
}

const stretched = new Float64Array(3);

/**
 * Writes what a vector in the frame of a body is in the world: R x of a rigid body, R U x of one that
 * deforms.
 * @param stretch where the stretch of the body stands among the poses; −1 of a rigid one
 */
export function carryTo(
  out: Float64Array | Float32Array,
  at: number,
  poses: Float64Array,
  body: number,
  stretch: number,
  x: number,
  y: number,
  z: number,
): void {
  const turn = POSE_NUMBERS * body + 3;
  if (stretch < 0) {
    rotateTo(out, at, poses, turn, x, y, z);
    return;
  }
  stretchTo(stretched, 0, poses, stretch, x, y, z);
  rotateTo(out, at, poses, turn, stretched[0], stretched[1], stretched[2]);
}

const gradient = new Float64Array(9);

/**
 * Writes the poses of one row over those of the bodies that move.
 * @param columns one for each signal of the plan
 */
export function fillPoses(
  out: Float64Array,
  plan: PosePlan,
  columns: readonly Float64Array[],
  row: number,
): void {
  for (const { body, kind, first, stretch, z } of plan.moving) {
    const at = POSE_NUMBERS * body;
    if (kind === 'affine') {
      for (let i = 0; i < 3; i++) out[at + i] = columns[first + i][row];
      for (let i = 0; i < 9; i++) gradient[i] = columns[first + 3 + i][row];
      polarTo(out, at + 3, out, stretch, gradient);
      continue;
    }
    if (kind === 'spatial') {
      for (let i = 0; i < POSE_NUMBERS; i++) out[at + i] = columns[first + i][row];
      continue;
    }
    const half = columns[first + 2][row] / 2;
    out[at] = columns[first][row];
    out[at + 1] = columns[first + 1][row];
    out[at + 2] = z;
    out[at + 3] = Math.cos(half);
    out[at + 4] = 0;
    out[at + 5] = 0;
    out[at + 6] = Math.sin(half);
  }
}

/**
 * Poses between two rows, for the eye only: places and stretches along the chord, rotations along the great
 * circle.
 * @param bodies how many there are; all numbers are poses when left out
 */
export function interpolatePoses(
  out: Float64Array,
  a: Float64Array,
  b: Float64Array,
  fraction: number,
  bodies = out.length / POSE_NUMBERS,
): void {
  const stretches = POSE_NUMBERS * bodies;
  for (let i = stretches; i < out.length; i++) out[i] = a[i] + fraction * (b[i] - a[i]);
  for (let at = 0; at < stretches; at += POSE_NUMBERS) {
    for (let i = 0; i < 3; i++) out[at + i] = a[at + i] + fraction * (b[at + i] - a[at + i]);
    slerpTo(out, at + 3, a, at + 3, b, at + 3, fraction);
  }
}
