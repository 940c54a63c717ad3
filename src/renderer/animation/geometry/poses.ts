/** Poses of all bodies at one time: seven numbers a body, x, y, z in metres and the quaternion (w, x, y, z). */
import type { Scene } from '@engine/scene/scene';
import { slerpTo } from './quaternions';

/** Numbers of a pose. */
export const POSE = 7;

/** How the rows of a recording become poses. */
export interface PosePlan {
  /** signals to be read, each once, in the order in which the bodies need them */
  readonly signals: readonly string[];
  readonly moving: readonly MovingBody[];
  /** ids of bodies whose motion is not recorded: they are drawn where they were at the start */
  readonly unrecorded: readonly string[];
}

interface MovingBody {
  /** place in `Scene.bodies` */
  readonly body: number;
  readonly kind: 'spatial' | 'planar';
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
  scene.bodies.forEach(({ id, motion, position }, body) => {
    if (motion === null) return;
    if (!motion.signals.every((name) => recorded.has(name))) {
      unrecorded.push(id);
      return;
    }
    moving.push({ body, kind: motion.kind, first: signals.length, z: position[2] });
    signals.push(...motion.signals);
  });
  return { signals, moving, unrecorded };
}

/** Poses at the start, 7 a body. */
export function startPoses(scene: Scene): Float64Array {
  const poses = new Float64Array(POSE * scene.bodies.length);
  scene.bodies.forEach(({ position, orientation }, body) =>
    poses.set([...position, ...orientation], POSE * body),
  );
  return poses;
}

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
  for (const { body, kind, first, z } of plan.moving) {
    const at = POSE * body;
    if (kind === 'spatial') {
      for (let i = 0; i < POSE; i++) out[at + i] = columns[first + i][row];
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

/** Poses between two rows, for the eye only: places along the chord, rotations along the great circle. */
export function interpolatePoses(
  out: Float64Array,
  a: Float64Array,
  b: Float64Array,
  fraction: number,
): void {
  for (let at = 0; at < out.length; at += POSE) {
    for (let i = 0; i < 3; i++) out[at + i] = a[at + i] + fraction * (b[at + i] - a[at + i]);
    slerpTo(out, at + 3, a, at + 3, b, at + 3, fraction);
  }
}
