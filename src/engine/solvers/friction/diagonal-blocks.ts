/** The diagonal blocks of W and their inverses: a contact alone sticks with r = −W_cc⁻¹ s, s being its velocity without reaction. */
import type { BlockRows } from '../../linalg/block-rows';
import { invertBlock } from '../../linalg/small-blocks';

/**
 * @param inverse size² entries for each contact, row-major; NaN where the block is singular, which no comparison with the cone
 *   passes
 */
export function invertDiagonal({ size, rows, diagonal, values }: BlockRows, inverse: Float64Array): void {
  const s = size * size;
  for (let c = 0; c < rows; c++) {
    if (invertBlock(size, values, s * diagonal[c], inverse, s * c)) continue;
    for (let k = 0; k < s; k++) inverse[s * c + k] = Number.NaN;
  }
}

/** Mean of the diagonal of W: the size of its mobility. */
export function meanDiagonal({ size, rows, diagonal, values }: BlockRows): number {
  let sum = 0;
  for (let c = 0; c < rows; c++) {
    for (let k = 0; k < size; k++) sum += values[size * size * diagonal[c] + (size + 1) * k];
  }
  return rows > 0 ? sum / (size * rows) : 0;
}
