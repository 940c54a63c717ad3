/** Events that an event function which starts at zero cannot show. */
import type { RowLaws } from './row-laws';
import { ACTIVE, LOWER } from './row-modes';
import type { RowState } from './row-state';
import type { SmoothFlow } from './smooth-flow';

/** Gap below zero, relative to the lengths at hand, or slip backwards, relative to the speeds, that shows an event to have been missed. */
const MISSED = 1e-10;

/**
 * Whether a contact that counts as open is below zero, a contact slides against the mode of its friction, or one of redundant
 * contacts that stick has forces outside its cone.
 * @param state which has been read
 */
export function hasMissed(laws: RowLaws, flow: SmoothFlow, state: RowState): boolean {
  const { modes, friction } = flow;
  for (let row = 0; row < laws.count; row++) {
    if (!(state.y[row] < 0 && state.speed[row] < 0)) continue;
    if (laws.kind[row] !== 'contact' || modes[row] === ACTIVE) continue;
    if (state.y[row] < -MISSED * state.length(row)) return true;
  }
  if (friction === null) return false;
  for (let k = 0; k < friction.slidingCount; k++) {
    const row = friction.sliding[k];
    const backwards = modes[row] === LOWER ? -state.speed[row] : state.speed[row];
    if (laws.mu[row] > 0 && backwards > MISSED * state.fastest(row)) return true;
  }
  return friction.outside(flow.lambda) >= 0;
}
