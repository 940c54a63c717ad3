/** How accurate a run is: plain data. */

/** Error of one signal. */
export interface SignalAccuracy {
  name: string;
  unit: string;
  /** estimate of its largest error up to `until`, away from impacts, in its unit */
  error: number;
  /** what it may be: the accuracy asked for, in parts of the range of the signal */
  limit: number;
  /** where the largest occurs, s; null where nothing could be compared */
  time: number | null;
}

/** Error of the times of impacts at one contact. */
export interface ImpactAccuracy {
  /** id of the interaction */
  element: string;
  /** impacts far enough from their neighbours that each is found again in the finest run, and those that are not */
  matched: number;
  missed: number;
  /** estimate of the largest error of the times of those that are, s; null without any */
  error: number | null;
}

/** Estimated from runs that are finer; see `measureAccuracy`. */
export interface Accuracy {
  /** observed order of convergence over the step; null where errors are rounding, and of runs from event to event */
  order: number | null;
  /** the errors are those up to here, s: the end of the run, or where finer runs part from each other as well */
  until: number;
  /** whether motions part there: beyond, no digit of the run is known, whatever the step */
  parts: boolean;
  signals: SignalAccuracy[];
  impacts: ImpactAccuracy[];
}

/** Why the accuracy of a run is not known. */
export interface NotMeasured {
  reason: 'too-long' | 'changed' | 'failed';
  /** what has failed */
  message: string;
}
