/**
 * Contacts of a pair that are known again by where they are, when the parts that touch have other names: rounding decides which of two
 * equal boxes has the corner, and a ball goes over the edges of a height field.
 *
 * A contact has a point on each shape. Its distance from one of the last step is that of the points on the first shape, seen in the
 * frame of the first shape, or that of the points on the second, seen in the frame of the second; the smaller of the two counts. So it
 * does not matter how both move together, nor that a ball turns on the spot or a belt runs below a box, which is motion in one of
 * the frames only.
 *
 * Of all that are left over the two nearest are partners first, then the nearest of the rest, as far as
 *
 *     reach = smaller of the inner radii of the two shapes.
 *
 * Opposite corners of what a shape of inner radius r stands on are 2 r apart or more: a place within r of one of them is nearer to it than
 * to the other, and one farther away says nothing. A wrong guess would not make a step wrong: it only starts a solver.
 */
import { FRAME, rotateBack } from './frame';
import { CONTACT, MOST_CONTACTS } from './narrow-phase/pair-contacts';

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
      const point = CONTACT * contact + 4 + 3 * side;
      for (let k = 0; k < 3; k++) this.#offset[k] = values[point + k] - frames[frame + k];
      rotateBack(frames, frame, this.#offset, 0, this.places, PLACE * own + 3 * side);
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
