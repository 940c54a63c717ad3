/**
 * Observed order of convergence between runs of different step lengths: e ∝ hᵖ gives
 * p = log(e₁/e₂)/log(h₁/h₂).
 */
import type { ContactDifference, ObservedOrder, RunDifference, StepLengthOrders } from './comparison';

/** Errors below this many units of rounding say nothing of the step. */
const ROUNDING = 64 * Number.EPSILON;

/** @param floor error that is rounding. @returns null where the errors say nothing */
export function observedOrder(
  coarse: { readonly error: number; readonly h: number },
  fine: { readonly error: number; readonly h: number },
  floor = 0,
): number | null {
  if (!(coarse.error > floor && fine.error > floor) || coarse.h === fine.h) return null;
  const order = Math.log(coarse.error / fine.error) / Math.log(coarse.h / fine.h);
  return Number.isFinite(order) ? order : null;
}

/** A run by time-stepping among those that were compared with the reference. */
export interface SteppedRun {
  /** among all runs compared */
  readonly place: number;
  /** s */
  readonly h: number;
  readonly difference: RunDifference;
}

/**
 * Orders between successive step lengths, coarsest first. Of runs with the same step, the first counts.
 * @param scales of the reference, by signal
 */
export function stepLengthOrders(runs: readonly SteppedRun[], scales: ArrayLike<number>): StepLengthOrders[] {
  const sorted = runs
    .filter(({ h }, i) => runs.findIndex((run) => run.h === h) === i)
    .sort((a, b) => b.h - a.h);
  return sorted.slice(1).map((fine, i) => between(sorted[i], fine, scales));
}

function between(coarse: SteppedRun, fine: SteppedRun, scales: ArrayLike<number>): StepLengthOrders {
  const order = (ofCoarse: number, ofFine: number, floor: number): number | null =>
    observedOrder({ error: ofCoarse, h: coarse.h }, { error: ofFine, h: fine.h }, floor);
  const signals = coarse.difference.signals.map((a, k) => {
    const b = fine.difference.signals[k];
    const floor = ROUNDING * scales[k];
    return {
      name: a.name,
      mean: order(a.mean, b.mean, floor),
      maximum: order(a.awayMaximum, b.awayMaximum, floor),
    };
  });
  const contacts = coarse.difference.contacts.flatMap((a) => {
    const b = fine.difference.contacts.find(({ signal }) => signal === a.signal);
    if (b === undefined) return [];
    const common = commonImpacts(a, b);
    if (common.count === 0) return [];
    const times: ObservedOrder = {
      mean: order(common.sums[0], common.sums[1], common.count * common.floor),
      maximum: order(common.largest[0], common.largest[1], common.floor),
    };
    return [{ signal: a.signal, element: a.element, impacts: common.count, ...times }];
  });
  return { coarse: coarse.place, fine: fine.place, signals, contacts };
}

/** Differences of the times over the impacts of the reference that both runs have. */
function commonImpacts(
  a: ContactDifference,
  b: ContactDifference,
): { count: number; sums: Float64Array; largest: Float64Array; floor: number } {
  const sums = new Float64Array(2);
  const largest = new Float64Array(2);
  let count = 0;
  let latest = 0;
  for (let i = 0, j = 0; i < a.pairs.reference.length && j < b.pairs.reference.length;) {
    const [t, u] = [a.pairs.reference[i], b.pairs.reference[j]];
    if (t !== u) {
      if (t < u) i++;
      else j++;
      continue;
    }
    const ofA = Math.abs(a.pairs.other[i++] - t);
    const ofB = Math.abs(b.pairs.other[j++] - t);
    sums[0] += ofA;
    sums[1] += ofB;
    largest[0] = Math.max(largest[0], ofA);
    largest[1] = Math.max(largest[1], ofB);
    latest = Math.max(latest, Math.abs(t));
    count++;
  }
  return { count, sums, largest, floor: ROUNDING * latest };
}
