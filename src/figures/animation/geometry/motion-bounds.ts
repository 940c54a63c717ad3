/** The room of a whole motion: a few rows across the run tell enough. */
import type { Scene } from '@engine/scene/scene';
import { type SceneBox, emptyBox, extentsOf, includePoses, presentable } from './bounds';
import { fillPoses, type PosePlan, startPoses } from './poses';

/** Values read for the bounds, and rows at most. */
const BOUNDS_VALUES = 2 ** 18;
const BOUNDS_ROWS = 128;

/** Room of a scene at its start. */
export function startBox(scene: Scene): SceneBox {
  const box = emptyBox();
  includePoses(box, extentsOf(scene), startPoses(scene));
  return presentable(box);
}

/** Every n-th of the rows of a recording is read for its bounds. */
export function boundsStride({ signals }: PosePlan, rows: number): number {
  const most = Math.max(2, Math.min(BOUNDS_ROWS, Math.floor(BOUNDS_VALUES / (signals.length + 1))));
  return Math.max(1, Math.ceil((rows - 1) / (most - 1)));
}

/** Room of the start and of some rows. @param columns one for each signal of the plan */
export function motionBounds(scene: Scene, plan: PosePlan, columns: readonly Float64Array[]): SceneBox {
  const box = emptyBox();
  const extents = extentsOf(scene);
  const poses = startPoses(scene);
  includePoses(box, extents, poses);
  for (let row = 0; row < (columns[0]?.length ?? 0); row++) {
    fillPoses(poses, plan, columns, row);
    includePoses(box, extents, poses);
  }
  return presentable(box);
}
