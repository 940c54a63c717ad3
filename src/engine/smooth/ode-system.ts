/** What is integrated: ẋ = f(t, x). Times are passed in an array, because V8 boxes a double that is an argument. */
export interface OdeSystem {
  /** number n of components of x */
  readonly size: number;
  /**
   * The rate f(t, x). An entry that is not finite says that f is not defined there.
   * @param clock [0] time t
   * @param x state, n entries, to be left alone
   * @param out n entries, all of them to be written
   */
  rate(clock: Float64Array, x: Float64Array, out: Float64Array): void;
  /**
   * ∂f/∂x, column by column: `out[i + n j]` = ∂f_i/∂x_j, all entries to be written. Differences take its place where it
   * is absent.
   */
  jacobian?(clock: Float64Array, x: Float64Array, out: Float64Array): void;
}

/** Weights of the norm in which errors are measured: error e_i counts as e_i / (absolute_i + relative |x_i|). */
export interface Tolerances {
  readonly relative: number;
  /** n entries, in the units of x */
  readonly absolute: Float64Array;
}
