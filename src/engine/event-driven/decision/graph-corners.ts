/**
 * Sloped pieces of graphs at a vertical one. There w = 0 with μ at its bound, and along the vertical piece y
 * is kept, so that no derivative of w says anything. The sloped piece goes on as the vertical element does:
 * it is ACTIVE where that leaves to its side, and at the bound otherwise.
 */
import { ACTIVE, LOWER, type RowLaws, UPPER } from '../rows/row-laws';

/**
 * Ties: λ at its lower bound, at its upper bound, and friction of a contact with λ_n = 0, which is at both.
 */
export const AT_LOWER = 1;
export const AT_UPPER = 2;
export const AT_BOTH = 3;

export class GraphCorners {
  /** sloped elements at a vertical one: AT_LOWER where that is at their right end; 0 of other rows */
  readonly #at: Int8Array;
  readonly #sloped: readonly number[];

  constructor(private readonly laws: RowLaws) {
    this.#at = new Int8Array(laws.count);
    this.#sloped = Array.from({ length: laws.count }, (_, row) => row).filter(
      (row) => laws.left[row] >= 0 || laws.right[row] >= 0,
    );
  }

  /** Takes sloped elements at a vertical one from the ties. @param tied by row; changed */
  take(tied: Int8Array): void {
    const { left, right } = this.laws;
    for (const row of this.#sloped) {
      this.#at[row] = 0;
      if (tied[row] === 0 || (tied[row] === AT_LOWER ? right[row] : left[row]) < 0) continue;
      this.#at[row] = tied[row];
      tied[row] = 0;
    }
  }

  /**
   * Their modes, from those of their vertical elements.
   * @param found modes of candidates; changed
   * @param modes of other rows
   */
  leave(found: Int8Array, isCandidate: Uint8Array, modes: Int8Array): void {
    const { left, right } = this.laws;
    for (const row of this.#sloped) {
      if (this.#at[row] === 0) continue;
      const isRight = this.#at[row] === AT_LOWER;
      const vertical = isRight ? right[row] : left[row];
      const mode = isCandidate[vertical] === 1 ? found[vertical] : modes[vertical];
      const own = isRight ? UPPER : LOWER;
      found[row] = mode === own ? ACTIVE : isRight ? LOWER : UPPER;
    }
  }
}
