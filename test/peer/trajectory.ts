/** The states of one run, as both programs give them. */
export interface Trajectory {
  /** times of the rows, s; the initial state is not among them */
  t: number[];
  /** [row][coordinate], all systems in order */
  q: number[][];
  v: number[][];
  /** [row][gap], all interactions in order: impulse of the step that ends at the row's time, N·s */
  p: number[][];
}
