/**
 * The contacts of a step, and which of them were there before. A contact is known by its shapes and the parts of them that touch
 * (`feature-key.ts`), and where the names have changed by its place on the shapes (`nearest-partners.ts`); `previous` says where it stood
 * in the last step, so that what a solver found for it then can start it now. Contacts stand in the order of their shapes' numbers, and
 * within a pair in the order in which the narrow phase finds them.
 */
import { FRAME } from './frame';
import { widened, widenedBytes, widenedInt } from './growth';
import { CONTACT, type PairContacts } from './narrow-phase/pair-contacts';
import { NearestPartners } from './nearest-partners';

const ROOM = 64;
const NONE = new Float64Array(0);

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
  #oldValues = new Float64Array(ROOM * CONTACT);
  #oldFirst = new Int32Array(ROOM);
  #oldSecond = new Int32Array(ROOM);
  #oldKeys = new Int32Array(2 * ROOM);
  #isMatched = new Uint8Array(ROOM);
  /** first contact of the last step that may still belong to the pairs to come */
  #at = 0;
  readonly #nearest = new NearestPartners();
  #frames: Float64Array = NONE;
  #oldFrames: Float64Array = NONE;
  #radii: Float64Array = NONE;

  /**
   * Starts a step: what was found so far is the last one.
   * @param frames, oldFrames `FRAME` numbers of each shape, of this step and of the last one
   * @param radii inner radius of each shape, m
   */
  begin(frames: Float64Array, oldFrames: Float64Array, radii: Float64Array): void {
    const { values, first, second, keys } = this;
    this.#frames = frames;
    this.#oldFrames = oldFrames;
    this.#radii = radii;
    this.#oldCount = this.count;
    this.values = this.#oldValues;
    this.first = this.#oldFirst;
    this.second = this.#oldSecond;
    this.keys = this.#oldKeys;
    this.#oldValues = values;
    this.#oldFirst = first;
    this.#oldSecond = second;
    this.#oldKeys = keys;
    this.#isMatched.fill(0, 0, this.#oldCount);
    this.count = 0;
    this.#at = 0;
  }

  /**
   * Adds what the narrow phase found of a pair; pairs come in ascending order.
   * @param isKnown whether both shapes were there in the last step, under these numbers
   */
  add(contacts: PairContacts, first: number, second: number, isKnown: boolean): void {
    if (contacts.count === 0) return;
    this.#reserve(this.count + contacts.count);
    while (this.#at < this.#oldCount && this.#isBefore(first, second)) this.#at++;
    const frames = this.#frames;
    const from = this.count;
    let unmatched = 0;
    for (let c = 0; c < contacts.count; c++) {
      const k = this.count++;
      for (let i = 0; i < CONTACT; i++) {
        // The narrow phase counts points from the origin of the first shape.
        const shift = i < 4 ? 0 : frames[FRAME * first + ((i - 4) % 3)];
        this.values[CONTACT * k + i] = contacts.values[CONTACT * c + i] + shift;
      }
      this.first[k] = first;
      this.second[k] = second;
      this.keys[2 * k] = contacts.keys[2 * c];
      this.keys[2 * k + 1] = contacts.keys[2 * c + 1];
      this.previous[k] = isKnown ? this.#match(k) : -1;
      if (this.previous[k] < 0) unmatched++;
    }
    if (isKnown && unmatched > 0) this.#matchNearest(from, first, second);
  }

  /** Takes contacts of this step out. @param isNone 1 for those, by contact */
  prune(isNone: Uint8Array): void {
    let kept = 0;
    for (let k = 0; k < this.count; k++) {
      if (isNone[k] === 0) this.#move(k, kept++);
      else if (this.previous[k] >= 0) this.#isMatched[this.previous[k]] = 0;
    }
    this.count = kept;
  }

  #move(from: number, to: number): void {
    for (let i = 0; i < CONTACT; i++) this.values[CONTACT * to + i] = this.values[CONTACT * from + i];
    this.first[to] = this.first[from];
    this.second[to] = this.second[from];
    this.keys[2 * to] = this.keys[2 * from];
    this.keys[2 * to + 1] = this.keys[2 * from + 1];
    this.previous[to] = this.previous[from];
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

  #isOf(old: number, first: number, second: number): boolean {
    return old < this.#oldCount && this.#oldFirst[old] === first && this.#oldSecond[old] === second;
  }

  /** The contact of the last step with the same shapes and names. */
  #match(k: number): number {
    for (let old = this.#at; this.#isOf(old, this.first[k], this.second[k]); old++) {
      if (this.#isMatched[old] === 1) continue;
      if (this.#oldKeys[2 * old] !== this.keys[2 * k]) continue;
      if (this.#oldKeys[2 * old + 1] !== this.keys[2 * k + 1]) continue;
      this.#isMatched[old] = 1;
      return old;
    }
    return -1;
  }

  /** Partners by nearness for the contacts from `from` on that have none by name. */
  #matchNearest(from: number, first: number, second: number): void {
    const nearest = this.#nearest;
    nearest.clear();
    for (let old = this.#at; this.#isOf(old, first, second); old++)
      if (this.#isMatched[old] === 0)
        nearest.former.add(old, this.#oldValues, this.#oldFrames, first, second);
    if (nearest.former.count === 0) return;
    for (let k = from; k < this.count; k++)
      if (this.previous[k] < 0) nearest.fresh.add(k, this.values, this.#frames, first, second);
    while (nearest.take(this.#radii, first, second)) {
      this.previous[nearest.takenFresh] = nearest.takenFormer;
      this.#isMatched[nearest.takenFormer] = 1;
    }
  }

  #reserve(count: number): void {
    if (count <= this.first.length && count <= this.#oldFirst.length) return;
    const room = 2 * count;
    this.values = widened(this.values, CONTACT * room);
    this.first = widenedInt(this.first, room);
    this.second = widenedInt(this.second, room);
    this.keys = widenedInt(this.keys, 2 * room);
    this.previous = widenedInt(this.previous, room);
    this.#oldValues = widened(this.#oldValues, CONTACT * room);
    this.#oldFirst = widenedInt(this.#oldFirst, room);
    this.#oldSecond = widenedInt(this.#oldSecond, room);
    this.#oldKeys = widenedInt(this.#oldKeys, 2 * room);
    this.inserted = widenedInt(this.inserted, room);
    this.removed = widenedInt(this.removed, room);
    this.#isMatched = widenedBytes(this.#isMatched, room);
  }
}
