/**
 * Which contacts have had rows in every step from the first one on, and which have them for the first time,
 * by place, as the certificate sees them come and go.
 */
import type { StateArchive } from '../../state-archive';
import type { ContactList } from '../contacts/contact-list';

export class BondRecord {
  /** by place: step in which it was last seen closed since the start, 0 for none */
  #seen = new Int32Array(0);
  /** by place: step in which it was last closed, and 1 where it was not in the step before that */
  #last = new Int32Array(0);
  #closes = new Uint8Array(0);
  readonly #step = new Int32Array(1);

  /**
   * @param step number of the step that has just been computed, from 1 on
   * @param active contacts that were closed in it
   */
  update(step: number, { places, isNew }: ContactList, active: Int32Array, count: number): void {
    this.#step[0] = step;
    for (let row = 0; row < count; row++) {
      const place = places[active[row]];
      this.#reserve(place);
      const goesOn = isNew[active[row]] === 0 && this.#seen[place] === step - 1;
      this.#closes[place] = isNew[active[row]] === 0 && this.#last[place] === step - 1 && step > 1 ? 0 : 1;
      this.#last[place] = step;
      this.#seen[place] = step === 1 || (goesOn && step > 1) ? step : 0;
    }
  }

  exchange(archive: StateArchive): void {
    this.#seen = archive.array(this.#seen);
    this.#last = archive.array(this.#last);
    this.#closes = archive.array(this.#closes);
    archive.fixed(this.#step);
  }

  holds(place: number): boolean {
    return place < this.#seen.length && this.#seen[place] === this.#step[0] && this.#step[0] > 0;
  }

  /** Whether a contact without a row in this step had one in each step before. */
  held(place: number): boolean {
    return this.#step[0] === 1 || (place < this.#seen.length && this.#seen[place] === this.#step[0] - 1);
  }

  /** Whether it had one in the last step, or this is the first one. */
  wasClosed(place: number): boolean {
    return this.#step[0] === 1 || (place < this.#last.length && this.#last[place] === this.#step[0] - 1);
  }

  /** Whether a contact that is closed was not in the step before. */
  closes(place: number): boolean {
    return this.#closes[place] === 1;
  }

  #reserve(place: number): void {
    if (place < this.#seen.length) return;
    const seen = new Int32Array(2 * (place + 1));
    seen.set(this.#seen);
    this.#seen = seen;
    const last = new Int32Array(seen.length);
    last.set(this.#last);
    this.#last = last;
    const closes = new Uint8Array(seen.length);
    closes.set(this.#closes);
    this.#closes = closes;
  }
}
