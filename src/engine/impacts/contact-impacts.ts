/**
 * Impacts of a simulation, at other contacts each time. A law is made for a number of contacts; here one is
 * kept for each number that has occurred lately. Velocities are those of the contacts, so that W and ẏ⁻ are
 * all that is asked of a model (`ImpactRows.ofContacts`).
 */
import { ImpactRows } from './impact-rows';
import { createImpactLaw, type ImpactChoice } from './registry';
import { type ImpactLaw, ImpactResult } from './status';

/** An impact at a number of contacts: what is to be filled in, and what comes out. */
export class ContactImpact {
  /** W, contacts × contacts, in rows; exactly symmetric; to be filled */
  readonly W: Float64Array;
  /** ẏ⁻ by contact, to be filled; ẏ⁺ after `solve` */
  readonly velocity: Float64Array;
  /** e and K by contact, to be filled */
  readonly restitution: Float64Array;
  readonly stiffness: Float64Array;
  readonly result = new ImpactResult();
  readonly #law: ImpactLaw;

  constructor(choice: ImpactChoice, count: number) {
    const rows = ImpactRows.ofContacts(count);
    this.W = rows.W;
    this.velocity = new Float64Array(count);
    this.restitution = new Float64Array(count);
    this.stiffness = new Float64Array(count).fill(1);
    this.#law = createImpactLaw(choice, rows, this.restitution, this.stiffness);
  }

  /** P by contact, N s, of the last `solve` */
  get impulse(): Float64Array {
    return this.#law.impulse;
  }

  /** P at the end of the compression, N s; null where the law has no such phase */
  get compression(): Float64Array | null {
    return this.#law.compression;
  }

  /** T⁺ − T⁻ that the law asks for, J; NaN where it says nothing of the work of compression. */
  get energyChange(): number {
    const { work } = this.#law;
    if (work === null) return Number.NaN;
    let sum = 0;
    for (let i = 0; i < work.length; i++) sum -= (1 - this.restitution[i] ** 2) * work[i];
    return sum;
  }

  /** @returns whether no contact approaches any more; otherwise `result` says what went wrong */
  solve(): boolean {
    this.#law.solve(this.velocity, this.result);
    return this.result.status === 'separated';
  }
}

/**
 * Entries of W that are kept in all, 32 MiB: piles have clusters of another size in each step, and a law of n
 * contacts some matrices of n².
 */
const MOST_ENTRIES = 2 ** 22;

export class ContactImpacts {
  /** by number of contacts, the last that was asked for at the end */
  readonly #impacts = new Map<number, ContactImpact>();
  #entries = 0;

  /** @param mostEntries of W, in all that are kept beside the last one */
  constructor(
    private readonly choice: ImpactChoice,
    private readonly mostEntries = MOST_ENTRIES,
  ) {}

  /** The impact of that many contacts, with data of an earlier one or none. */
  of(count: number): ContactImpact {
    const known = this.#impacts.get(count);
    if (known !== undefined) {
      this.#impacts.delete(count);
      this.#impacts.set(count, known);
      return known;
    }
    this.#entries += count * count;
    for (const [other, { W }] of this.#impacts) {
      if (this.#entries <= this.mostEntries) break;
      this.#impacts.delete(other);
      this.#entries -= W.length;
    }
    const impact = new ContactImpact(this.choice, count);
    this.#impacts.set(count, impact);
    return impact;
  }
}
