/** The motion of a run without a window: its scene, and the poses of its bodies at any time. */
import { MoreauError } from '@contract/errors';
import type { Dispatcher, RunInfo } from '@contract/methods';
import type { Scene } from '@engine/scene/scene';
import type { SceneBox } from '@figures/animation/geometry/bounds';
import { boundsStride, motionBounds } from '@figures/animation/geometry/motion-bounds';
import {
  fillPoses,
  interpolatePoses,
  type PosePlan,
  posePlan,
  startPoses,
} from '@figures/animation/geometry/poses';
import { type SceneForms, sceneForms } from '@figures/animation/solids';

/** Most signals of one call, as the contract has it. */
const SIGNALS_A_CALL = 10_000;
const TIME = 't';

/** Rows of a recording, one array for each of the signals. */
async function readRows(
  dispatcher: Dispatcher,
  runId: string,
  signals: readonly string[],
  rows: { firstRow: number; count: number; every?: number },
): Promise<readonly Float64Array[]> {
  const columns: Float64Array[] = [];
  for (let at = 0; at < signals.length; at += SIGNALS_A_CALL) {
    const part = { runId, signals: signals.slice(at, at + SIGNALS_A_CALL), ...rows };
    columns.push(...(await dispatcher.dispatch('run.rows', part)).columns);
  }
  return columns;
}

export class Motion {
  readonly forms: SceneForms;
  /** last row that was found: the next one is sought from there */
  #row = 0;

  private constructor(
    private readonly dispatcher: Dispatcher,
    private readonly runId: string,
    private readonly rows: number,
    readonly scene: Scene,
    private readonly plan: PosePlan,
    /** room of the whole motion */
    readonly box: SceneBox,
  ) {
    this.forms = sceneForms(scene);
  }

  /** @throws {MoreauError} `no-bodies` */
  static async of(dispatcher: Dispatcher, { runId, signals, statistics }: RunInfo): Promise<Motion> {
    const { scene } = await dispatcher.dispatch('run.scene', { runId });
    if (scene === null || scene.bodies.length === 0)
      throw new MoreauError({
        code: 'no-bodies',
        message: 'The model has no bodies to animate.',
        where: 'systems',
        remedy: 'Draw another of its views, or add bodies to it.',
      });
    const plan = posePlan(scene, new Set(signals.map(({ name }) => name)));
    const { rows } = statistics;
    const every = boundsStride(plan, rows);
    const columns =
      rows === 0 ? [] : await readRows(dispatcher, runId, plan.signals, { firstRow: 0, count: rows, every });
    return new Motion(dispatcher, runId, rows, scene, plan, motionBounds(scene, plan, columns));
  }

  /**
   * Poses at a time, between two rows as the window has them; those of the first or the last row beyond them.
   */
  async posesAt(time: number): Promise<Float64Array> {
    const { scene, plan } = this;
    const poses = startPoses(scene);
    if (this.rows === 0 || plan.moving.length === 0) return poses;
    const row = await this.#rowAt(time);
    const [times, ...columns] = await readRows(this.dispatcher, this.runId, [TIME, ...plan.signals], {
      firstRow: row,
      count: 2,
    });
    fillPoses(poses, plan, columns, 0);
    const duration = times[1] - times[0];
    if (!(duration > 0) || time <= times[0]) return poses;
    const next = startPoses(scene);
    fillPoses(next, plan, columns, 1);
    const out = poses.slice();
    interpolatePoses(out, poses, next, Math.min(1, (time - times[0]) / duration), plan.bodies);
    return out;
  }

  /** The last row that is not after a time; the first one where all are. */
  async #rowAt(time: number): Promise<number> {
    const isAfter = async (row: number): Promise<boolean> => {
      const [[t]] = await readRows(this.dispatcher, this.runId, [TIME], { firstRow: row, count: 1 });
      return t > time;
    };
    let low = (await isAfter(this.#row)) ? 0 : this.#row;
    // Pictures follow one another: the next one is near, so that the reach doubles from here.
    let reach = 1;
    let high = Math.min(this.rows, low + reach);
    while (high < this.rows && !(await isAfter(high))) {
      low = high;
      reach *= 2;
      high = Math.min(this.rows, low + reach);
    }
    while (low + 1 < high) {
      const middle = Math.floor((low + high) / 2);
      if (await isAfter(middle)) high = middle;
      else low = middle;
    }
    this.#row = low;
    return low;
  }
}
