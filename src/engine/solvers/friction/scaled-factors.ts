/** What W is made of, with one factor for each contact: S W S = (S B) ᵗ(S B) + S E S. */
import { type ContactFactors, FREEDOMS } from '../../problems/contact-factors';

export class ScaledFactors implements ContactFactors {
  values = new Float64Array(0);
  diagonal = new Float64Array(0);
  #by: Float64Array = new Float64Array(0);
  #d = 0;
  #count = 0;

  constructor(private given: ContactFactors) {}

  /** @param by factor of each contact @param d dimension of the problem @param count contacts */
  take(given: ContactFactors, by: Float64Array, d: number, count: number): void {
    this.given = given;
    this.#by = by;
    this.#d = d;
    this.#count = count;
  }

  get columns(): number {
    return this.given.columns;
  }

  get rowStart(): Int32Array {
    return this.given.rowStart;
  }

  get blockColumns(): Int32Array {
    return this.given.blockColumns;
  }

  get scale(): number {
    return this.given.scale;
  }

  /** It is W that is given which is in other units. */
  set scale(scale: number) {
    this.given.scale = scale;
  }

  form(): boolean {
    const given = this.given;
    const by = this.#by;
    const d = this.#d;
    const count = this.#count;
    if (!given.form()) return false;
    const entries = d * FREEDOMS;
    if (this.diagonal.length < d * count) this.diagonal = new Float64Array(d * count);
    if (this.values.length < entries * given.rowStart[count])
      this.values = new Float64Array(entries * given.rowStart[count]);
    for (let c = 0; c < count; c++) {
      for (let i = d * c; i < d * (c + 1); i++) this.diagonal[i] = by[c] * by[c] * given.diagonal[i];
      for (let k = entries * given.rowStart[c]; k < entries * given.rowStart[c + 1]; k++)
        this.values[k] = by[c] * given.values[k];
    }
    return true;
  }
}
