/**
 * The contacts of a step, and which of them were there before. A contact is known by its shapes and the parts
 * of them that touch (`feature-polygon.ts`), and where the names have changed by its place on the shapes
 * (below); `previous` says where it stood in the last step, so that what a solver found for it then can start
 * it now. Contacts stand in the order of their shapes' numbers, and within a pair in the order in which the
 * narrow phase finds them.
 */
import { FRAME, rotateBackByFrame } from './frame';
import { widened, widenedBytes, widenedInt } from './growth';
import type { StateArchive } from '../state-archive';
import { CONTACT_SIZE, MOST_CONTACTS, type PairContacts } from './narrow-phase/pair-contacts';

/*
 * Contacts of a pair that are known again by where they are, when the parts that touch have other names:
 * rounding decides which of two equal boxes has the corner, and a ball goes over the edges of a height field.
 *
 * A contact has a point on each shape. Its distance from one of the last step is that of the points on the
 * first shape, seen in the frame of the first shape, or that of the points on the second, seen in the frame
 * of the second; the smaller of the two counts. So it does not matter how both move together, nor that a ball
 * turns on the spot or a belt runs below a box, which is motion in one of the frames only.
 *
 * Of all that are left over the two nearest are partners first, then the nearest of the rest, as far as
 *
 *     reach = smaller of the inner radii of the two shapes.
 *
 * Opposite corners of what a shape of inner radius r stands on are 2 r apart or more: a place within r of one
 * of them is nearer to it than to the other, and one farther away says nothing. A wrong guess would not make
 * a step wrong: it only starts a solver.
 */

/** numbers of a place: the point on the first shape in its frame, that on the second in its own */
const PLACE = 6;
const GONE = -1;

class Places {
  count = 0;
  /** indices of the contacts; `GONE` of one that has its partner */
  readonly contacts = new Int32Array(MOST_CONTACTS);
  readonly places = new Float64Array(PLACE * MOST_CONTACTS);
  readonly #offset = new Float64Array(3);

  /** @param values of all contacts; @param frames of all shapes */
  add(contact: number, values: Float64Array, frames: Float64Array, first: number, second: number): void {
    // The narrow phase gives no more; should it, the rest is left without partner.
    if (this.count === MOST_CONTACTS) return;
    const own = this.count++;
    this.contacts[own] = contact;
    for (let side = 0; side < 2; side++) {
      const frame = FRAME * (side === 0 ? first : second);
      const point = CONTACT_SIZE * contact + 4 + 3 * side;
      for (let k = 0; k < 3; k++) this.#offset[k] = values[point + k] - frames[frame + k];
      rotateBackByFrame(frames, frame, this.#offset, 0, this.places, PLACE * own + 3 * side);
    }
  }
}

export class NearestPartners {
  /** contacts of this step and of the last one that have no partner yet */
  readonly fresh = new Places();
  readonly former = new Places();
  /** the two that the last `take` found */
  takenFresh = GONE;
  takenFormer = GONE;

  clear(): void {
    this.fresh.count = 0;
    this.former.count = 0;
  }

  /**
   * Takes the two nearest out.
   * @param radii inner radii of the shapes, m
   * @returns false when none are within reach
   */
  take(radii: Float64Array, first: number, second: number): boolean {
    const { fresh, former } = this;
    const reach = Math.min(radii[first], radii[second]);
    let least = reach * reach;
    let one = GONE;
    let other = GONE;
    for (let i = 0; i < fresh.count; i++) {
      if (fresh.contacts[i] === GONE) continue;
      for (let j = 0; j < former.count; j++) {
        if (former.contacts[j] === GONE) continue;
        for (let side = 0; side < PLACE; side += 3) {
          let square = 0;
          for (let k = side; k < side + 3; k++)
            square += (fresh.places[PLACE * i + k] - former.places[PLACE * j + k]) ** 2;
          if (!(square < least)) continue;
          least = square;
          one = i;
          other = j;
        }
      }
    }
    if (one === GONE) return false;
    this.takenFresh = fresh.contacts[one];
    this.takenFormer = former.contacts[other];
    fresh.contacts[one] = GONE;
    former.contacts[other] = GONE;
    return true;
  }
}

const FIRST_CONTACTS = 64;
const NONE = new Float64Array(0);

export class Manifolds {
  count = 0;
  /**
   * `CONTACT_SIZE` numbers each: gap, m; unit normal from the first shape to the second; points on both, in
   * the world, m
   */
  values = new Float64Array(FIRST_CONTACTS * CONTACT_SIZE);
  /** numbers of the shapes, first < second */
  first = new Int32Array(FIRST_CONTACTS);
  second = new Int32Array(FIRST_CONTACTS);
  /** two names each */
  keys = new Int32Array(2 * FIRST_CONTACTS);
  /** index of the same contact in the last step, −1 of a new one */
  previous = new Int32Array(FIRST_CONTACTS);
  /** contacts that are new, ascending */
  inserted = new Int32Array(FIRST_CONTACTS);
  insertedCount = 0;
  /** contacts of the last step that are gone, by their index then, ascending */
  removed = new Int32Array(FIRST_CONTACTS);
  removedCount = 0;
  /** whether there is a last step, of which all contacts are known */
  hasLast = false;
  #oldCount = 0;
  #oldValues = new Float64Array(FIRST_CONTACTS * CONTACT_SIZE);
  #oldFirst = new Int32Array(FIRST_CONTACTS);
  #oldSecond = new Int32Array(FIRST_CONTACTS);
  #oldKeys = new Int32Array(2 * FIRST_CONTACTS);
  #isMatched = new Uint8Array(FIRST_CONTACTS);
  /** first contact of the last step that may still belong to the pairs to come */
  #at = 0;
  readonly #nearest = new NearestPartners();
  #frames: Float64Array = NONE;
  #oldFrames: Float64Array = NONE;
  #radii: Float64Array = NONE;

  exchange(archive: StateArchive): void {
    this.count = archive.value(this.count);
    this.values = archive.array(this.values);
    this.first = archive.array(this.first);
    this.second = archive.array(this.second);
    this.keys = archive.array(this.keys);
    this.previous = archive.array(this.previous);
    this.inserted = archive.array(this.inserted);
    this.removed = archive.array(this.removed);
    this.#oldValues = archive.array(this.#oldValues);
    this.#oldFirst = archive.array(this.#oldFirst);
    this.#oldSecond = archive.array(this.#oldSecond);
    this.#oldKeys = archive.array(this.#oldKeys);
    this.#isMatched = archive.array(this.#isMatched);
  }

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
      for (let i = 0; i < CONTACT_SIZE; i++) {
        // The narrow phase counts points from the origin of the first shape.
        const shift = i < 4 ? 0 : frames[FRAME * first + ((i - 4) % 3)];
        this.values[CONTACT_SIZE * k + i] = contacts.values[CONTACT_SIZE * c + i] + shift;
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

  /** Has the contacts of a pair stay as they were in the last step; in the order of pairs as `add`. */
  keep(first: number, second: number): void {
    while (this.#at < this.#oldCount && this.#isBefore(first, second)) this.#at++;
    for (let old = this.#at; this.#isOf(old, first, second); old++) {
      this.#reserve(this.count + 1);
      const k = this.count++;
      for (let i = 0; i < CONTACT_SIZE; i++)
        this.values[CONTACT_SIZE * k + i] = this.#oldValues[CONTACT_SIZE * old + i];
      this.first[k] = first;
      this.second[k] = second;
      this.keys[2 * k] = this.#oldKeys[2 * old];
      this.keys[2 * k + 1] = this.#oldKeys[2 * old + 1];
      this.previous[k] = old;
      this.#isMatched[old] = 1;
    }
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
    for (let i = 0; i < CONTACT_SIZE; i++)
      this.values[CONTACT_SIZE * to + i] = this.values[CONTACT_SIZE * from + i];
    this.first[to] = this.first[from];
    this.second[to] = this.second[from];
    this.keys[2 * to] = this.keys[2 * from];
    this.keys[2 * to + 1] = this.keys[2 * from + 1];
    this.previous[to] = this.previous[from];
  }

  /** Ends a step: lists what is new and what is gone. */
  finish(): void {
    this.hasLast = true;
    this.insertedCount = 0;
    for (let k = 0; k < this.count; k++) if (this.previous[k] < 0) this.inserted[this.insertedCount++] = k;
    this.removedCount = 0;
    for (let k = 0; k < this.#oldCount; k++)
      if (this.#isMatched[k] === 0) this.removed[this.removedCount++] = k;
  }

  /** Forgets the last step: everything is new at the next. */
  clear(): void {
    this.hasLast = false;
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
    this.values = widened(this.values, CONTACT_SIZE * room);
    this.first = widenedInt(this.first, room);
    this.second = widenedInt(this.second, room);
    this.keys = widenedInt(this.keys, 2 * room);
    this.previous = widenedInt(this.previous, room);
    this.#oldValues = widened(this.#oldValues, CONTACT_SIZE * room);
    this.#oldFirst = widenedInt(this.#oldFirst, room);
    this.#oldSecond = widenedInt(this.#oldSecond, room);
    this.#oldKeys = widenedInt(this.#oldKeys, 2 * room);
    this.inserted = widenedInt(this.inserted, room);
    this.removed = widenedInt(this.removed, room);
    this.#isMatched = widenedBytes(this.#isMatched, room);
  }
}
