/**
 * What is read of a whole motion: the room it takes, and the paths of bodies. A few rows across the run tell
 * enough.
 */
import type { Scene } from '@engine/scene/scene';
import type { SceneBox } from '@figures/animation/geometry/bounds';
import { boundsStride, motionBounds } from '@figures/animation/geometry/motion-bounds';
import { posePlan } from '@figures/animation/geometry/poses';
import type { Recorded, Trajectory } from './playback/trajectory';
import type { Trails } from './stage';

/** Points of a trail, and bodies that have one where none is selected. */
const TRAIL_POINTS = 2000;
const MOST_TRAILS = 16;

/** Room of the motion that has been recorded so far. */
export async function motionBox(scene: Scene, trajectory: Trajectory, { rows }: Recorded): Promise<SceneBox> {
  const { plan } = trajectory;
  const { columns } = await trajectory.readRows(plan.signals, 0, rows, boundsStride(plan, rows));
  return motionBounds(scene, plan, columns);
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
