/**
 * The contacts of a step, and which of them were there before. A contact is known by its shapes and the parts of them that touch
 * (`feature-key.ts`); `previous` says where it stood in the last step, so that what a solver found for it then can start it now. Contacts
 * stand in the order of their shapes' numbers, and within a pair in the order in which the narrow phase finds them.
 */
import { widened, widenedInt } from './growth';
import { CONTACT, type PairContacts } from './narrow-phase/pair-contacts';

const ROOM = 64;

export class Manifolds {
  count = 0;
  /** `CONTACT` numbers each: gap, m; unit normal from the first shape to the second; points on both, in the world, m */
  values = new Float64Array(ROOM * CONTACT);
  /** numbers of the shapes, first < second */
  first = new Int32Array(ROOM);
  second = new Int32Array(ROOM);
  /** two names each */
  keys = new Int32Array(2 * ROOM);
  /** index of the same contact in the last step, −1 of a new one */
  previous = new Int32Array(ROOM);
  /** contacts that are new, ascending */
  inserted = new Int32Array(ROOM);
  insertedCount = 0;
  /** contacts of the last step that are gone, by their index then, ascending */
  removed = new Int32Array(ROOM);
  removedCount = 0;
  #oldCount = 0;
  #oldFirst = new Int32Array(ROOM);
  #oldSecond = new Int32Array(ROOM);
  #oldKeys = new Int32Array(2 * ROOM);
  #isMatched = new Uint8Array(ROOM);
  /** first contact of the last step that may still belong to the pairs to come */
  #at = 0;

  /** Starts a step: what was found so far is the last one. */
  begin(): void {
    const { first, second, keys } = this;
    this.#oldCount = this.count;
    this.first = this.#oldFirst;
    this.second = this.#oldSecond;
    this.keys = this.#oldKeys;
    this.#oldFirst = first;
    this.#oldSecond = second;
    this.#oldKeys = keys;
    this.#isMatched.fill(0, 0, this.#oldCount);
    this.count = 0;
    this.#at = 0;
  }

  /**
   * Adds what the narrow phase found of a pair; pairs come in ascending order.
   * @param origin frame of the first shape, whose origin the points are relative to
   */
  add(contacts: PairContacts, first: number, second: number, origin: Float64Array, originAt: number): void {
    if (contacts.count === 0) return;
    this.#reserve(this.count + contacts.count);
    while (this.#at < this.#oldCount && this.#isBefore(first, second)) this.#at++;
    for (let c = 0; c < contacts.count; c++) {
      const k = this.count++;
      for (let i = 0; i < CONTACT; i++) {
        const shift = i < 4 ? 0 : origin[originAt + ((i - 4) % 3)];
        this.values[CONTACT * k + i] = contacts.values[CONTACT * c + i] + shift;
      }
      this.first[k] = first;
      this.second[k] = second;
      this.keys[2 * k] = contacts.keys[2 * c];
      this.keys[2 * k + 1] = contacts.keys[2 * c + 1];
      this.previous[k] = this.#match(k);
    }
  }

  /** Ends a step: lists what is new and what is gone. */
  finish(): void {
    this.insertedCount = 0;
    for (let k = 0; k < this.count; k++) if (this.previous[k] < 0) this.inserted[this.insertedCount++] = k;
    this.removedCount = 0;
    for (let k = 0; k < this.#oldCount; k++)
      if (this.#isMatched[k] === 0) this.removed[this.removedCount++] = k;
  }

  /** Forgets the last step: everything is new at the next. */
  clear(): void {
    this.count = 0;
    this.insertedCount = 0;
    this.removedCount = 0;
  }

  #isBefore(first: number, second: number): boolean {
    const own = this.#oldFirst[this.#at];
    return own < first || (own === first && this.#oldSecond[this.#at] < second);
  }

  /** The contact of the last step with the same shapes and names. */
  #match(k: number): number {
    for (let old = this.#at; old < this.#oldCount; old++) {
      if (this.#oldFirst[old] !== this.first[k] || this.#oldSecond[old] !== this.second[k]) break;
      if (this.#isMatched[old] === 1) continue;
      if (this.#oldKeys[2 * old] !== this.keys[2 * k]) continue;
      if (this.#oldKeys[2 * old + 1] !== this.keys[2 * k + 1]) continue;
      this.#isMatched[old] = 1;
      return old;
    }
    return -1;
  }

  #reserve(count: number): void {
    if (count <= this.first.length && count <= this.#oldFirst.length) return;
    const room = 2 * count;
    this.values = widened(this.values, CONTACT * room);
    this.first = widenedInt(this.first, room);
    this.second = widenedInt(this.second, room);
    this.keys = widenedInt(this.keys, 2 * room);
    this.previous = widenedInt(this.previous, room);
    this.#oldFirst = widenedInt(this.#oldFirst, room);
    this.#oldSecond = widenedInt(this.#oldSecond, room);
    this.#oldKeys = widenedInt(this.#oldKeys, 2 * room);
    this.inserted = widenedInt(this.inserted, room);
    this.removed = widenedInt(this.removed, room);
    const isMatched = new Uint8Array(room);
    isMatched.set(this.#isMatched);
    this.#isMatched = isMatched;
  }
}
