/** A function of the time alone of which it is known when its sign changes. */
export interface TimedSign {
  /**
   * The first time at which it has the other sign just behind, not before that at which a stretch begins.
   * @param side sign up to there, 1 or −1
   * @param span of a stretch, as in `step-method.ts`: START and END, s
   * @param out [0] the time; Infinity where there is none up to the end. [1] 1 where the function jumps there
   */
  change(side: number, span: Float64Array, out: Float64Array): void;
}
