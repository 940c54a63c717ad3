/**
 * What impulses at contacts do to velocities. With one row of H for each contact, its normal direction,
 *
 *     ẏ = H v,     v⁺ = v⁻ + M⁻¹ ᵗH P,     ẏ⁺ = ẏ⁻ + W P,     W = H M⁻¹ ᵗH,     P ≥ 0,
 *
 * and ẏ < 0 where a contact approaches. Every law needs of the masses W only, and M⁻¹ ᵗH once, for v⁺.
 */
import type { ImpactResult } from './status';

/**
 * M⁻¹, n × n in rows, or the map that replaces a momentum (kg m/s, kg m²/s) by the velocities it stands for.
 */
export type InverseMass = Float64Array | ((x: Float64Array) => void);

export class ImpactRows {
  /** H, contacts × velocities, in rows */
  readonly H: Float64Array;
  /** W, contacts × contacts, in rows; exactly symmetric */
  readonly W: Float64Array;
  /** row i: M⁻¹ ᵗh_i */
  readonly #responses: Float64Array;
  readonly #column: Float64Array;

  /**
   * @param count number of contacts
   * @param size number of velocities
   * @param isOfContacts whether the velocities are those of the contacts, see `ofContacts`
   */
  constructor(
    readonly count: number,
    readonly size: number,
    isOfContacts = false,
  ) {
    this.H = new Float64Array(count * size);
    this.W = new Float64Array(count * count);
    this.#responses = isOfContacts ? this.W : new Float64Array(count * size);
    this.#column = new Float64Array(size);
  }

  /** In the velocities of the contacts themselves, v = ẏ: H = 1 and M⁻¹ = W, which the caller fills. */
  static ofContacts(count: number): ImpactRows {
    const rows = new ImpactRows(count, count, true);
    for (let i = 0; i < count; i++) rows.H[i * count + i] = 1;
    return rows;
  }

  /** Forms M⁻¹ ᵗH and W from the present H. */
  update(inverseMass: InverseMass): void {
    const { count: m, size: n, H, W } = this;
    const responses = this.#responses;
    const column = this.#column;
    for (let i = 0; i < m; i++) {
      if (typeof inverseMass === 'function') {
        for (let k = 0; k < n; k++) column[k] = H[i * n + k];
        inverseMass(column);
        for (let k = 0; k < n; k++) responses[i * n + k] = column[k];
        continue;
      }
      for (let k = 0; k < n; k++) {
        let sum = 0;
        for (let l = 0; l < n; l++) sum += inverseMass[k * n + l] * H[i * n + l];
        responses[i * n + k] = sum;
      }
    }
    for (let i = 0; i < m; i++) {
      for (let j = 0; j <= i; j++) {
        let sum = 0;
        for (let k = 0; k < n; k++) sum += H[i * n + k] * responses[j * n + k];
        W[i * m + j] = sum;
        W[j * m + i] = sum;
      }
    }
  }

  /** ẏ = H v */
  contactVelocities(velocity: Float64Array, into: Float64Array): void {
    const { count: m, size: n, H } = this;
    for (let i = 0; i < m; i++) {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += H[i * n + k] * velocity[k];
      into[i] = sum;
    }
  }

  /** v ← v + M⁻¹ ᵗH P */
  push(impulse: Float64Array, velocity: Float64Array): void {
    const { count: m, size: n } = this;
    const responses = this.#responses;
    for (let i = 0; i < m; i++) {
      const p = impulse[i];
      if (p === 0) continue;
      for (let k = 0; k < n; k++) velocity[k] += p * responses[i * n + k];
    }
  }

  /** ẏ ← ẏ + W P */
  changeVelocities(impulse: Float64Array, velocities: Float64Array): void {
    const { count: m, W } = this;
    for (let i = 0; i < m; i++) {
      let sum = velocities[i];
      for (let j = 0; j < m; j++) sum += W[i * m + j] * impulse[j];
      velocities[i] = sum;
    }
  }
}

/* What the laws ask of contact velocities before and after. */

/**
 * An approach slower than this part of the largest contact velocity before the impact counts as rest: one
 * order above what certified solutions of complementarity problems leave, three to four above rounding of W
 * P.
 */
export const REST_PER_SPEED = 1e-11;

/**
 * Size of the data of an impact. A contact with W_ii = 0 has W_ij = 0, as M⁻¹ is positive semidefinite: its
 * velocity never changes, and it is enough to look once for one that approaches.
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
