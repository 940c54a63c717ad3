/** What the laws ask of contact velocities before and after. */
import type { ImpactResult } from './status';

/**
 * An approach slower than this part of the largest contact velocity before the impact counts as rest: one order above what
 * certified solutions of complementarity problems leave, three to four above rounding of W P.
 */
export const REST = 1e-11;

/**
 * Size of the data of an impact. A contact with W_ii = 0 has W_ij = 0, as M⁻¹ is positive semidefinite: its velocity never changes, and it is
 * enough to look once for one that approaches.
 * @param before ẏ⁻ by contact
 * @param scales receives [0]: the largest |ẏ⁻|; [1]: the largest W_ii
 * @returns whether all is finite, and no contact that approaches is immovable; otherwise the status says so
 */
export function measureData(
  W: Float64Array,
  before: Float64Array,
  restitution: Float64Array,
  scales: Float64Array,
  result: ImpactResult,
): boolean {
  const m = before.length;
  let speed = 0;
  let mobility = 0;
  let isValid = true;
  let isMovable = true;
  for (let i = 0; i < m; i++) {
    speed = Math.max(speed, Math.abs(before[i]));
    mobility = Math.max(mobility, W[i * m + i]);
    const e = restitution[i];
    // Comparisons that NaN fails.
    if (!(e >= 0 && e <= 1 && Math.abs(before[i]) < Infinity)) isValid = false;
    for (let j = 0; j < m; j++) if (!(Math.abs(W[i * m + j]) < Infinity)) isValid = false;
    if (before[i] < 0 && !(W[i * m + i] > 0)) isMovable = false;
  }
  scales[0] = speed;
  scales[1] = mobility;
  if (!isValid) result.status = 'invalidData';
  else if (!isMovable) result.status = 'immovableContact';
  return isValid && isMovable;
}

/** Whether a contact approaches faster than rest. */
export function approaches(velocities: Float64Array, rest: number): boolean {
  for (let i = 0; i < velocities.length; i++) if (velocities[i] < -rest) return true;
  return false;
}

/** Sets T⁺ − T⁻ = ½ ᵗP (ẏ⁻ + ẏ⁺). */
export function balance(
  impulse: Float64Array,
  before: Float64Array,
  after: Float64Array,
  result: ImpactResult,
): void {
  let sum = 0;
  for (let i = 0; i < impulse.length; i++) sum += 0.5 * impulse[i] * (before[i] + after[i]);
  result.energyChange = sum;
}
