/** What a simulation leaves for going on from an event with the same bits. Plain data; see `EventDriven.exportState`. */
import type { ZenoState } from './zeno';

export interface EventDrivenState {
  readonly time: number;
  /** stamp of the present event */
  readonly stamp: Float64Array;
  /** integrated state, q | v */
  readonly x: Float64Array;
  readonly modes: Int8Array;
  readonly ties: Uint8Array;
  /** 1 for ACTIVE rows whose multiplier was inside its bounds where modes were decided */
  readonly carries: Uint8Array;
  /** λ_t/λ_n of sticking contacts, and what is held of λ_n, by row; empty without friction */
  readonly ratios: Float64Array;
  readonly held: Float64Array;
  /** magnitudes of outputs, speeds, accelerations and multipliers so far, by row */
  readonly lengths: Float64Array;
  readonly speeds: Float64Array;
  readonly target: Float64Array;
  readonly scales: Float64Array;
  readonly forces: Float64Array;
  readonly zeroForce: Float64Array;
  readonly zeno: ZenoState;
  /** times at which contacts come back from flights that are too low to be seen; NaN of others */
  readonly returns: Float64Array;
}
