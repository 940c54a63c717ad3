/** What linear motion is made of, column by column (`reduced-system.ts`). */

/** What follows from an argument in the flow, by component of the state and by row. */
export interface Answer {
  readonly rate: Float64Array;
  readonly lambda: Float64Array;
  readonly outputs: Float64Array;
}

/** What follows from each component of the state, from functions of time, their derivatives, and nothing. */
export interface Columns {
  readonly states: readonly Answer[];
  readonly forces: readonly Answer[];
  /** null where outputs do not contain the function */
  readonly slopes: readonly (Answer | null)[];
  readonly constant: Answer;
}
