/**
 * Laws of a network that contradict what its sources give. For rows that are there let ᵗu C = 0 and ᵗu D = 0:
 * then ᵗu y is ᵗu e(t), whatever the state and the multipliers are. Where it is below zero with u ≥ 0 in rows
 * whose y may be positive, u ≤ 0 where it may be negative, no solution exists (Farkas).
 */
import { eliminateRows } from './row-elimination';
import type { LinearNetwork } from './linear-network';
import type { RowLaws } from '../rows/row-laws';

/** What is left of e below this part of its terms is rounding. */
const ROUNDING = 1e-9;

/**
 * The least set of rows that contradict each other so.
 * @param rows that are there
 * @param e offsets of the outputs
 * @returns empty where no set is found
 */
export function contradictingRows(
  { size: n, rows: m, C, D }: Pick<LinearNetwork, 'size' | 'rows' | 'C' | 'D'>,
  { lower, upper }: Pick<RowLaws, 'lower' | 'upper'>,
  rows: readonly number[],
  e: Float64Array,
): number[] {
  const combinations = eliminateRows(
    rows.map((row) => [...C.subarray(row * n, (row + 1) * n), ...rows.map((column) => D[row * m + column])]),
  );
  let least: number[] = [];
  for (const own of combinations) {
    const sum = own.reduce((total, factor, k) => total + factor * e[rows[k]], 0);
    const terms = own.reduce((total, factor, k) => total + Math.abs(factor * e[rows[k]]), 0);
    if (!(Math.abs(sum) > ROUNDING * terms)) continue;
    // y ≥ 0 of rows with a lower bound alone, y ≤ 0 of those with an upper one.
    const isOff = (factor: number, row: number): boolean => {
      const u = sum < 0 ? factor : -factor;
      return (
        (u < 0 && upper[row] === Infinity && lower[row] !== -Infinity) ||
        (u > 0 && lower[row] === -Infinity && upper[row] !== Infinity) ||
        (u !== 0 && lower[row] !== -Infinity && upper[row] !== Infinity)
      );
    };
    if (own.some((factor, k) => factor !== 0 && isOff(factor, rows[k]))) continue;
    const members = rows.filter((_, k) => own[k] !== 0);
    if (least.length === 0 || members.length < least.length) least = members;
  }
  return least;
}
