/** What is read of a whole motion: the room it takes, and the paths of bodies. A few rows across the run tell enough. */
import type { Scene } from '@engine/scene/scene';
import { type Box, emptyBox, includePoses, presentable, extentsOf } from './geometry/bounds';
import { fillPoses, posePlan, startPoses } from './geometry/poses';
import type { Recorded, Trajectory } from './playback/trajectory';
import type { Trails } from './stage';

/** Values read for the bounds, and rows at most. */
const BOUNDS_VALUES = 2 ** 18;
const BOUNDS_ROWS = 128;
/** Points of a trail, and bodies that have one where none is selected. */
const TRAIL_POINTS = 2000;
const MOST_TRAILS = 16;

/** Room of a scene at its start. */
export function startBox(scene: Scene): Box {
  const box = emptyBox();
  includePoses(box, extentsOf(scene), startPoses(scene));
  return presentable(box);
}

/** Room of the motion that has been recorded so far. */
export async function motionBox(scene: Scene, trajectory: Trajectory, { rows }: Recorded): Promise<Box> {
  const { signals } = trajectory.plan;
  const most = Math.max(2, Math.min(BOUNDS_ROWS, Math.floor(BOUNDS_VALUES / (signals.length + 1))));
  const every = Math.max(1, Math.ceil((rows - 1) / (most - 1)));
  const { times, columns } = await trajectory.readRows(signals, 0, rows, every);
  const box = emptyBox();
  const extents = extentsOf(scene);
  const poses = startPoses(scene);
  includePoses(box, extents, poses);
  for (let row = 0; row < times.length; row++) {
    fillPoses(poses, trajectory.plan, columns, row);
    includePoses(box, extents, poses);
  }
  return presentable(box);
}

/** Bodies whose trails are drawn: the selected one, else the first that move. */
export function trailBodies(scene: Scene, selected: number): number[] {
  if (selected >= 0 && scene.bodies[selected].motion !== null) return [selected];
  return scene.bodies.flatMap(({ motion }, body) => (motion === null ? [] : [body])).slice(0, MOST_TRAILS);
}

/** Paths of bodies over what has been recorded so far. */
export async function readTrails(
  scene: Scene,
  trajectory: Trajectory,
  { rows }: Recorded,
  bodies: readonly number[],
): Promise<Trails> {
  const part: Scene = { bodies: bodies.map((body) => scene.bodies[body]), joints: [] };
  const plan = posePlan(part, new Set(trajectory.plan.signals));
  const every = Math.max(1, Math.ceil(rows / TRAIL_POINTS));
  const { times, columns } = await trajectory.readRows(plan.signals, 0, rows, every);
  const paths = plan.moving.map(({ body, first, kind, z }) => {
    const points = new Float32Array(3 * times.length);
    for (let i = 0; i < times.length; i++) {
      points[3 * i] = columns[first][i];
      points[3 * i + 1] = columns[first + 1][i];
      points[3 * i + 2] = kind === 'planar' ? z : columns[first + 2][i];
    }
    return { body: bodies[body], points };
  });
  return { times, paths };
}
