/** Rows that several laws are made of. */
import type { LawRow } from '../forms';

/** 0 ≤ y ⊥ λ ≥ 0 */
export const INEQUALITY: LawRow = { kind: 'box', lower: 0, upper: Number.POSITIVE_INFINITY };

/** y = 0, λ free */
export const EQUALITY: LawRow = {
  kind: 'box',
  lower: Number.NEGATIVE_INFINITY,
  upper: Number.POSITIVE_INFINITY,
};
