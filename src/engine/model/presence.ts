/** When an interaction is there, as a simulation asks it. See `settings/presences.ts`. */
export interface PresenceRule {
  /** of the interaction, and its place in the model */
  readonly id: string;
  readonly interaction: number;
  /** δ ≥ 0: what is absent comes back when the condition reaches it */
  readonly hysteresis: number;
  /** The condition, into out[0]. @param row of the result */
  evaluate(row: Float64Array, out: Float64Array): void;
}
