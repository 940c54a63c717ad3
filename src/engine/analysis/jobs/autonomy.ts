/**
 * Whether nothing drives a model. Limit cycles are looked for wherever along them a motion is, which says nothing of a model whose motion depends on when
 * it starts: its own initial state is let go at other times, too, and has to come to the same state after as long.
 */
import { EngineError } from '../../errors';
import type { BasinSettings } from '../basins/attractors';
import { flowEnd } from '../stability/flow-map';
import type { MotionModel } from '../stability/motion-model';
import { distance, sizesOf } from './settled';

/** Parts of the period by which it starts later: a forcing cannot have both as periods, nor be small at both. */
const LATER = [(Math.sqrt(5) - 1) / 2, Math.SQRT2] as const;
/** Difference, relative to the sizes of the components, that the tolerances of integration do not make. */
const SAME = 1e-4;

/** @throws {EngineError} `driven-model` */
export function requireAutonomous(motion: MotionModel, { t0, period }: BasinSettings): void {
  const start = motion.initialState;
  const own = flowEnd(motion, t0, period, start);
  for (const part of LATER) {
    const other = flowEnd(motion, t0 + part * period, period, start);
    // Starts of the plane may be sound all the same.
    if (own === null || other === null) return;
    if (distance(own.x, other.x, sizesOf([start, own.x, other.x])) <= SAME) continue;
    throw new EngineError({
      code: 'driven-model',
      message: `The model is driven: its motion from the initial state is another one when it starts ${(part * period).toPrecision(3)} s later.`,
      remedy: 'Choose a periodic forcing with its period, or take what depends on time out of the model.',
    });
  }
}
