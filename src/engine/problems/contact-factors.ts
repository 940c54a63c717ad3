/**
 * What W of a friction-contact problem is made of: with M⁻¹ = L ᵗL body by body, or P = L ᵗL of bodies that joints hold together,
 *
 *     W = B ᵗB + E,     B = H L,
 *
 * B having a block row for each contact, with blocks for the bodies it is on only, and E a diagonal: compliance, and what decouples rows of joints.
 * A contact couples with all others on its two bodies, so W has many more entries than B, and sparse factors of W + D many more than those of I + ᵗB D⁻¹ B,
 * which has a block for two bodies in contact.
 */

/** Columns of a block of B: freedoms of a rigid body. */
export const FREEDOMS = 6;

export interface ContactFactors {
  /** block columns: one for a body, as many as are needed for bodies that joints hold together */
  readonly columns: number;
  /** blocks of contact c: rowStart[c] … rowStart[c + 1] − 1 */
  readonly rowStart: Int32Array;
  /** block column of each block */
  readonly blockColumns: Int32Array;
  /** entries of each block, dimension × `FREEDOMS`, row-major */
  readonly values: Float64Array;
  /** E, dimension entries for each contact, not negative */
  readonly diagonal: Float64Array;
  /** factor of all of W by which it has been brought to other units, a power of two: W = scale (B ᵗB + E) */
  scale: number;
  /** Brings all of it to the present W; formed when a solver asks for it. @returns false where W is not of this form */
  form(): boolean;
}
