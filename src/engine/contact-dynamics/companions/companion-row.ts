/** What a kind of companion rows does to the problem. Each takes a block of three behind those of contacts and joints. */

/** Entries in the values of W at which blocks begin: of the companion's row and the contact's, row first. */
export interface CompanionBlocks {
  own: number;
  beside: number;
  above: number;
  contact: number;
}

export interface CompanionRow {
  /**
   * Axes of the contact, 0 for the normal, about which the relative angular velocity stands in the second and third component; −1 for none. The first
   * component has no row in H: what it couples with is added to W.
   */
  readonly axes: readonly [number, number];
  /** whether impulses are kept as the numbers they are, and not as a vector in the contact's axes */
  readonly isOwn: boolean;
  /** whether W stays symmetric */
  readonly isSymmetric: boolean;
  /** Adds the first component. @param number of the material @param w mobility of the other two, 1/kg */
  couple(values: Float64Array, blocks: CompanionBlocks, number: number, w: number): void;
  /** μ of the block. @param lever ℓ, m */
  friction(number: number, lever: number): number;
  /** q of the first component, m/s. @param approach U_N⁻ of the contact, m/s */
  rightSide(approach: number): number;
}
