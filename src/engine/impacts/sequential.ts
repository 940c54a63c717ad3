/**
 * Impacts one after the other. The contacts are swept in ascending order of their rows; one that approaches
 * when its turn comes has an impact of its own by Newton's law, as if it were the only one,
 *
 *     P_i = −(1 + e_i) ẏ_i / W_ii,     ẏ ← ẏ + W_·i P_i,     ẏ_i⁺ = −e_i ẏ_i,
 *     ΔT = −½ (1 − e_i²) ẏ_i² / W_ii ≤ 0,
 *
 * and the sweeps are repeated until one of them meets no contact that approaches. The outcome depends on the
 * order: a ball that meets two others at once gives its momentum to the one whose row comes first.
 *
 * With e = 1 energy is kept, and for balls on a line the sequence is finite (Murphy and Cohen 1993; for three
 * masses Galperin 1981). In general it may be infinite, with approach speeds that shrink geometrically. Below
 * `REST_PER_SPEED` they count as zero, and a limit of the number of impacts is kept, whose status says that
 * contacts still approach.
 *
 * (Acary and Brogliato 2008; Ivanov 1995 on the dependence on the order.)
 */
import { type ImpactRows, REST_PER_SPEED, approaches, balance, measureData } from './impact-rows';
import type { ImpactLaw, ImpactResult } from './status';

export class SequentialImpacts implements ImpactLaw {
  readonly impulse: Float64Array;
  readonly compression = null;
  /** Σ ½ ẏ²/W_ii of the impacts of a contact, J */
  readonly work: Float64Array;
  readonly #before: Float64Array;
  readonly #after: Float64Array;
  readonly #scales = new Float64Array(2);

  /**
   * @param restitution e by contact
   * @param maxImpacts largest number of impacts of single contacts
   */
  constructor(
    private readonly rows: ImpactRows,
    private readonly restitution: Float64Array,
    private readonly maxImpacts: number,
  ) {
    this.impulse = new Float64Array(rows.count);
    this.work = new Float64Array(rows.count);
    this.#before = new Float64Array(rows.count);
    this.#after = new Float64Array(rows.count);
  }

  solve(velocity: Float64Array, result: ImpactResult): void {
    const { rows, impulse, work } = this;
    impulse.fill(0);
    work.fill(0);
    result.status = 'separated';
    result.count = 0;
    result.energyChange = 0;
    rows.contactVelocities(velocity, this.#before);
    if (!measureData(rows.W, this.#before, this.restitution, this.#scales, result)) return;
    this.#after.set(this.#before);
    while (result.status === 'separated' && this.#sweep(result));
    rows.push(impulse, velocity);
    balance(impulse, this.#before, this.#after, result);
  }

  /** @returns whether a contact approached */
  #sweep(result: ImpactResult): boolean {
    const { restitution, impulse, work } = this;
    const { count: m, W } = this.rows;
    const y = this.#after;
    const rest = REST_PER_SPEED * this.#scales[0];
    const first = result.count;
    for (let i = 0; i < m; i++) {
      if (!(y[i] < -rest)) continue;
      if (result.count === this.maxImpacts) {
        if (approaches(y, rest)) result.status = 'impactLimit';
        return false;
      }
      const p = (-(1 + restitution[i]) * y[i]) / W[i * m + i];
      work[i] += (0.5 * y[i] * y[i]) / W[i * m + i];
      impulse[i] += p;
      for (let j = 0; j < m; j++) y[j] += W[j * m + i] * p;
      result.count++;
    }
    return result.count > first;
  }
}
