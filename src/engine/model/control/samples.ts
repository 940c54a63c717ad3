/** What a scheme knows of control blocks. */

/** Times at which something looks at the state and changes sources, which are constant in between. */
export interface Samples {
  /** s */
  readonly nextTime: number;
  /** whether every sample is at a point of the grid, so that all steps have one length */
  readonly isOnGrid: boolean;
  /** whether the next sample is at this time, s, to rounding */
  isDue(time: number): boolean;
  /**
   * Samples what is due.
   * @param row state just before
   * @param time of the sample, s
   * @throws {EngineError} when something has no output
   */
  sample(row: Float64Array, time: number): void;
  /** What is held now, into a row. */
  write(row: Float64Array): void;
}
