/** Forces and moments on bodies in space: what a load is. */

export interface SpatialLoad {
  readonly id: string;
  /** Adds (F, M) of all bodies. @param clock [0] the time, s */
  addForce(clock: Float64Array, q: Float64Array, v: Float64Array, out: Float64Array): void;
  /** J; absent where there is none */
  potential?(clock: Float64Array, q: Float64Array): number;
}
