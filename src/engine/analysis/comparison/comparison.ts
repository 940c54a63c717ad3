/** What comes out of comparing recorded runs of one model: plain data, without names of runs. */

/*
 * Observed order of convergence between runs of different step lengths: e ∝ hᵖ gives
 * p = log(e₁/e₂)/log(h₁/h₂).
 */

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

/** How far one signal of a run is from the same signal of the reference. */
export interface SignalDifference {
  name: string;
  /** largest |difference|, in the unit of the signal */
  maximum: number;
  /** where it occurs, s; null when no time could be compared */
  maximumTime: number | null;
  /**
   * largest |difference| away from impacts. Between an impact of the reference and its counterpart in the
   * other run, and within two steps of every impact of the reference, the two runs stand on different sides
   * of a jump, which no step length makes small.
   */
  awayMaximum: number;
  awayMaximumTime: number | null;
  /** mean of |difference| over time (its L1 norm divided by the time compared), by the trapezoidal rule */
  mean: number;
  /**
   * time up to which the difference away from impacts stays within 1 % of the scale of the signal, s: the end
   * of the comparison when it does throughout. Runs of a chaotic motion agree for a while only, whatever the
   * step.
   */
  agreesUntil: number;
  /** rows left out because one of the two values is not a finite number */
  notFinite: number;
}

/** How far the impacts of one contact are from those of the reference. */
export interface ContactDifference {
  /** its signal of the (normal) impulse, such as `cam.impulse` */
  signal: string;
  /** id of the interaction */
  element: string;
  /** impacts in the reference and in the other run, within the time compared */
  referenceImpacts: number;
  impacts: number;
  /**
   * impacts of the reference at least four steps (of the coarser of the two, events having no step) away from
   * their neighbours: time-stepping cannot tell closer ones apart. Each of the isolated is either matched or
   * missed.
   */
  isolated: number;
  /**
   * isolated impacts of the reference that have a counterpart: each is the nearest of the other, both ways
   */
  matched: number;
  missed: number;
  /**
   * isolated impacts of the other run, at least four steps away from every impact of the reference, without
   * counterpart
   */
  extra: number;
  /** largest and mean |difference| of the times of matched impacts, s; null when none is matched */
  largest: number | null;
  /** time of the reference's impact at which the largest occurs, s */
  largestTime: number | null;
  mean: number | null;
  /** times of matched impacts, s: at most the first 10 000 */
  pairs: { reference: Float64Array; other: Float64Array };
  /**
   * impacts were looked at up to here, s: the end of the comparison, or earlier where there are a million
   * before it
   */
  lookedUntil: number;
}

/** A run compared with the reference. */
export interface RunDifference {
  /** times at which both were compared: those of the run with fewer rows */
  rows: number;
  /** times of these at which the other had no row, and was interpolated linearly between its neighbours */
  interpolated: number;
  signals: SignalDifference[];
  /** contacts of which both runs have every impulse; others cannot be compared */
  contacts: ContactDifference[];
}

/** Observed order of convergence of an error: e ∝ hᵖ. Null where an error is zero, or rounding. */
interface ObservedOrder {
  /** from the mean */
  mean: number | null;
  /** from the largest: for signals, away from impacts */
  maximum: number | null;
}

/** Orders between two step lengths, p = log(e_coarse/e_fine) / log(h_coarse/h_fine). */
export interface StepLengthOrders {
  /** places of the two runs among those that were compared */
  coarse: number;
  fine: number;
  signals: (ObservedOrder & { name: string })[];
  /**
   * of the times of the impacts that are matched in both runs; contacts without such an impact are not listed
   */
  contacts: (ObservedOrder & { signal: string; element: string; impacts: number })[];
}
