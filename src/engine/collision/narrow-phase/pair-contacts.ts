/**
 * The contacts of one pair of shapes, as the routines of the narrow phase leave them. Of each contact: the
 * gap, m; the unit normal from the first shape to the second; the point on the first and the point on the
 * second, with
 *
 *     P₂ − P₁ = gap · n,
 *
 * so that the gap is positive between separated shapes and negative where they overlap. Points are relative
 * to the origin of the first shape, along the axes of the world: gaps are not rounded by a position far away.
 */
import { widened, widenedInt } from '../growth';

/** numbers of a contact: gap, normal, point on the first, point on the second */
export const CONTACT_SIZE = 10;
/** most contacts of a pair that are kept */
export const MOST_CONTACTS = 8;
/** in place of a distance, of contacts that are kept */
const KEPT = -1;
/** Of the squares of two distances: a point is farther than another only by more than what rounding does. */
const AS_FAR = 1 + 1e-6;
/** room: before a manifold is reduced it has more */
const MOST_CANDIDATES = 64;

export class PairContacts {
  count = 0;
  /** `CONTACT_SIZE` numbers each */
  values = new Float64Array(MOST_CANDIDATES * CONTACT_SIZE);
  /** two names each: of the part of the first shape, of the part of the second */
  keys = new Int32Array(2 * MOST_CANDIDATES);
  /** [0] contacts with a larger gap are left out, m */
  readonly margin = new Float64Array(1);
  /** [0] both shapes together, m: what rounding is relative to */
  readonly size = new Float64Array(1);
  /** origin of the second shape minus that of the first */
  readonly relative = new Float64Array(3);
  /**
   * What the pair remembers of the last step, only to be faster: a unit direction that separated it. Zero
   * when there is none.
   */
  readonly axis = new Float64Array(3);
  #distances = new Float64Array(MOST_CANDIDATES);

  clear(): void {
    this.count = 0;
  }

  /**
   * @returns where the numbers of a new contact go; gap, normal and the first point are the caller's,
   *   `complete` does the rest
   */
  add(first: number, second: number): number {
    if (2 * this.count === this.keys.length) this.#grow();
    this.keys[2 * this.count] = first;
    this.keys[2 * this.count + 1] = second;
    return CONTACT_SIZE * this.count++;
  }

  /** The second point from the others. */
  complete(at: number): void {
    const { values } = this;
    for (let k = 1; k <= 3; k++) values[at + 6 + k] = values[at + 3 + k] + values[at] * values[at + k];
  }

  /** Exchanges the roles of the shapes. */
  swap(): void {
    const { values, keys, relative } = this;
    for (let c = 0; c < this.count; c++) {
      const at = CONTACT_SIZE * c;
      for (let k = 1; k <= 3; k++) {
        const first = values[at + 3 + k];
        values[at + k] = -values[at + k];
        values[at + 3 + k] = values[at + 6 + k] + relative[k - 1];
        values[at + 6 + k] = first + relative[k - 1];
      }
      const key = keys[2 * c];
      keys[2 * c] = keys[2 * c + 1];
      keys[2 * c + 1] = key;
    }
  }

  /** @returns the contact of these names from `from` on, or −1 */
  find(first: number, second: number, from: number): number {
    for (let c = from; c < this.count; c++)
      if (this.keys[2 * c] === first && this.keys[2 * c + 1] === second) return c;
    return -1;
  }

  /** Takes contact c out; the others keep their order. */
  remove(c: number): void {
    this.count--;
    for (let k = c; k < this.count; k++) this.#move(k + 1, k);
  }

  /**
   * Keeps `MOST_CONTACTS` of the contacts from `from` on: the one farthest from the first, then again and
   * again the one farthest from those kept, the first of several. That keeps the outline of a contact area,
   * and with it all moments that it can transmit, nearly; and it keeps the same ones while only gaps change.
   * The one with the smallest gap takes the place of its nearest neighbour.
   */
  reduce(from: number): void {
    const excess = this.count - from;
    if (excess <= MOST_CONTACTS) return;
    if (this.#distances.length < excess) this.#distances = new Float64Array(2 * excess);
    // Square of the distance to the nearest of those kept; `KEPT` of those.
    const distances = this.#distances;
    let nearest = 0;
    for (let k = 0; k < excess; k++) {
      distances[k] = this.#square(from, from + k);
      if (this.values[CONTACT_SIZE * (from + k)] < this.values[CONTACT_SIZE * (from + nearest)]) nearest = k;
    }
    for (let kept = 0; kept < MOST_CONTACTS; kept++) {
      let next = 0;
      for (let k = 1; k < excess; k++) if (distances[k] > AS_FAR * distances[next]) next = k;
      // What the distance from the first contact has chosen is where the others are counted from.
      if (kept === 0) distances.fill(Infinity, 0, excess);
      distances[next] = KEPT;
      for (let k = 0; k < excess; k++)
        if (distances[k] >= 0) distances[k] = Math.min(distances[k], this.#square(from + next, from + k));
    }
    if (distances[nearest] >= 0) {
      let neighbour = -1;
      for (let k = 0; k < excess; k++) {
        if (distances[k] >= 0) continue;
        if (
          neighbour < 0 ||
          this.#square(from + nearest, from + k) < this.#square(from + nearest, from + neighbour)
        )
          neighbour = k;
      }
      distances[neighbour] = 0;
      distances[nearest] = KEPT;
    }
    let to = from;
    for (let k = 0; k < excess; k++) if (distances[k] < 0) this.#move(from + k, to++);
    this.count = to;
  }

  /** Square of the distance of the points on the first shape, m². */
  #square(one: number, other: number): number {
    let square = 0;
    for (let c = 4; c < 7; c++)
      square += (this.values[CONTACT_SIZE * one + c] - this.values[CONTACT_SIZE * other + c]) ** 2;
    return square;
  }

  #move(from: number, to: number): void {
    if (from === to) return;
    for (let k = 0; k < CONTACT_SIZE; k++)
      this.values[CONTACT_SIZE * to + k] = this.values[CONTACT_SIZE * from + k];
    this.keys[2 * to] = this.keys[2 * from];
    this.keys[2 * to + 1] = this.keys[2 * from + 1];
  }

  #grow(): void {
    this.values = widened(this.values, 2 * this.values.length);
    this.keys = widenedInt(this.keys, 2 * this.keys.length);
  }
}
