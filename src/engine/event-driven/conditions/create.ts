/** The conditions of a model at the start of an event-driven simulation. */
import type { ConditionSequence } from '../../model/conditions';
import type { NonSmoothDynamicalSystem } from '../../model/nsds';
import type { RowLaws } from '../row-laws';
import type { SmoothFlow } from '../smooth-flow';
import { conditionedElements } from './conditioned-elements';
import { HeldConditions } from './held-conditions';

/**
 * @param x state at the start
 * @returns null for a model whose functions come to no condition that could change
 */
export function createConditions(
  model: NonSmoothDynamicalSystem,
  laws: RowLaws,
  flow: SmoothFlow,
  x: Float64Array,
  settings: { readonly t0: number; readonly tEnd: number; readonly h: number; readonly fastest: number },
): HeldConditions | null {
  const { conditions } = model;
  if (conditions === undefined) return null;
  const { t0, tEnd, h, fastest } = settings;
  for (const sequence of conditions.sequences) {
    sequence.release();
    sequence.isBroken = false;
  }
  const unreached: ConditionSequence[] = [];
  const clock = Float64Array.of(t0);
  const { places } = flow;
  const elements = conditionedElements(model, conditions, places, laws.offsets, clock, x, unreached);
  const isPlain = elements.length === 0 && unreached.length === 0 && conditions.trace.unfollowed.length === 0;
  if (isPlain) return null;
  return new HeldConditions({
    model,
    conditions,
    elements,
    unreached,
    flow,
    rowCount: laws.count,
    end: tEnd,
    h,
    fastest,
  });
}
