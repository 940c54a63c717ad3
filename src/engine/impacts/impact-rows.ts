/**
 * What impulses at contacts do to velocities. With one row of H for each contact, its normal direction,
 *
 *     ẏ = H v,     v⁺ = v⁻ + M⁻¹ ᵗH P,     ẏ⁺ = ẏ⁻ + W P,     W = H M⁻¹ ᵗH,     P ≥ 0,
 *
 * and ẏ < 0 where a contact approaches. Every law needs of the masses W only, and M⁻¹ ᵗH once, for v⁺.
 */

/** M⁻¹, n × n in rows, or the map that replaces a momentum (kg m/s, kg m²/s) by the velocities it stands for. */
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
