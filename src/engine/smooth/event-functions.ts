/** Functions g_j(t, x) whose zeros end an integration. */

/**
 * g = constant + rate · t + Σ values_k x_{indices_k}. The arrays are read again at every step, so that their owner may change
 * them, as at a restart.
 */
export interface LinearForm {
  readonly indices: Int32Array;
  readonly values: Float64Array;
  /** [0] constant, [1] rate of change with time at constant x */
  readonly offset: Float64Array;
}

/** Entries of `EventFunctions.watch`: the direction in which a function must pass through zero. */
export const FALLING = -1;
export const EITHER = 0;
export const RISING = 1;
export const UNWATCHED = 2;

/** Kinds of roots that are reported, besides FALLING and RISING: touches from above (g ≥ 0 nearby) and from below. */
export const TOUCH_FROM_ABOVE = 2;
export const TOUCH_FROM_BELOW = -2;

export interface EventFunctions {
  /** The owner may make it larger before a restart. */
  readonly count: number;
  /** functions from this one on are others after each restart; none when absent */
  readonly changing?: number;
  /** The function as a linear form, null when it is none. Asked once. */
  linear(index: number): LinearForm | null;
  /** g_index(t, x) into `out[0]`; for functions that are not linear. An answer that is not finite ends the integration. */
  value(index: number, clock: Float64Array, x: Float64Array, out: Float64Array): void;
  /** FALLING, RISING, EITHER or UNWATCHED, of each function. The owner may change them before a restart. */
  readonly watch: Int8Array;
  /** 0 for functions whose touches (double roots) are to be passed over; all are reported when it is absent */
  readonly touches?: Uint8Array;
  /** values up to this count as zero in the classification, when that is more than rounding leaves; 0 when absent */
  readonly band?: Float64Array;
  /**
   * Sign that each function has while the motion goes on as its owner has decided: 1 or −1, 0 where nothing is expected. After a restart
   * a function on the other side, or one that leaves zero to the other side, is at a root at once, whatever it was before the restart.
   */
  readonly expected?: Int8Array;
  /** how far on the other side a function may begin, and stay, before that counts: what drift may have left of zero; 0 when absent */
  readonly slack?: Float64Array;
  /** how far on its own side a function that begins at zero has to come before it has left it; what counts as zero when absent */
  readonly departure?: Float64Array;
}

export const NO_EVENTS: EventFunctions = {
  count: 0,
  linear: () => null,
  value: () => undefined,
  watch: new Int8Array(0),
};

/** The roots that ended an integration: all that coincide to rounding. */
export class RootReport {
  count = 0;
  /** numbers of the functions, ascending */
  readonly indices: Int32Array;
  /** FALLING, RISING, TOUCH_FROM_ABOVE or TOUCH_FROM_BELOW */
  readonly kinds: Int8Array;
  /** 1 where the function jumps across zero, which with a motion that does not jump it does at a given time */
  readonly jumps: Uint8Array;

  constructor(size: number) {
    this.indices = new Int32Array(size);
    this.kinds = new Int8Array(size);
    this.jumps = new Uint8Array(size);
  }

  add(index: number, kind: number, jump = 0): void {
    this.indices[this.count] = index;
    this.kinds[this.count] = kind;
    this.jumps[this.count] = jump;
    this.count++;
  }
}
