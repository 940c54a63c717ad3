/** What comes out of comparing recorded runs of one model: plain data, without names of runs. */

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
export interface ObservedOrder {
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
