/**
 * Which shapes are near one another. Every shape has a box in the tree that is wider than the shape, and is
 * put in again only when the shape leaves it; only then its neighbours are asked for. So a step costs what
 * has moved far, and not the number of shapes.
 *
 * A shape without bounds, a plane or a height field, is near everything.
 */
import { widened, widenedBytes } from '../growth';
import { AabbTree } from './aabb-tree';
import { MOST_SHAPES, PairList } from './pair-list';

/**
 * Sorts the first `count` numbers upwards, in place and without allocation (Williams 1964).
 */
export function sortAscending(values: Float64Array, count: number): void {
  for (let k = (count >> 1) - 1; k >= 0; k--) sift(values, k, count);
  for (let end = count - 1; end > 0; end--) {
    const largest = values[0];
    values[0] = values[end];
    values[end] = largest;
    sift(values, 0, end);
  }
}

function sift(values: Float64Array, from: number, count: number): void {
  const value = values[from];
  let k = from;
  for (;;) {
    let child = 2 * k + 1;
    if (child >= count) break;
    if (child + 1 < count && values[child + 1] > values[child]) child++;
    if (values[child] <= value) break;
    values[k] = values[child];
    k = child;
  }
  values[k] = value;
}

const BOX = 6;
/**
 * Room around a shape, of its extent: at a tenth, a shape that moves 1 % of its size per step is put in again
 * every tenth step.
 */
const FAT_MARGIN_OF_EXTENT = 0.1;
/** A shape that is not there: not yet, no longer, or disabled. */
const NOT_IN_TREE = -1;
const WITHOUT_BOUNDS = -2;

export class BroadPhase {
  readonly pairs = new PairList();
  readonly #tree = new AabbTree();
  #leaves = new Int32Array(16).fill(NOT_IN_TREE);
  #hasMoved = new Uint8Array(16);
  #moved = new Int32Array(16);
  /**
   * of shapes that came or went since the last step: pairs of theirs that are in the list are not theirs any
   * more
   */
  #isOther = new Uint8Array(16);
  readonly #wide = new Float64Array(BOX);
  #candidates = new Float64Array(256);
  #candidateCount = 0;
  #count = 0;
  readonly #unbounded: number[] = [];
  readonly #mayTouch: (first: number, second: number) => boolean;

  /** @param mayTouch asked once for each pair that comes near; pairs of which it says no are left out */
  constructor(mayTouch: (first: number, second: number) => boolean) {
    this.#mayTouch = mayTouch;
  }

  /** Takes a shape out, and with the next `update` its pairs. Its number may be used again. */
  remove(shape: number): void {
    if (shape >= this.#leaves.length) return;
    const leaf = this.#leaves[shape];
    if (leaf === NOT_IN_TREE) return;
    if (leaf === WITHOUT_BOUNDS) this.#unbounded.splice(this.#unbounded.indexOf(shape), 1);
    else this.#tree.remove(leaf);
    this.#leaves[shape] = NOT_IN_TREE;
    this.#isOther[shape] = 1;
  }

  /**
   * Brings the pairs up to date.
   * @param bounds six numbers of each shape, with whatever distance still counts as near; infinite without
   *   bounds
   * @param isPresent 1 of shapes that are there; one that is not there any more has been taken out by
   *   `remove`
   * @param count numbers of shapes that are in use or have been
   */
  update(bounds: Float64Array, isPresent: Uint8Array, count: number): void {
    this.#reserve(count);
    this.#count = count;
    this.#candidateCount = 0;
    let moved = 0;
    for (let k = 0; k < count; k++) {
      this.#hasMoved[k] = 0;
      const leaf = this.#leaves[k];
      if (isPresent[k] === 0 || leaf === WITHOUT_BOUNDS) continue;
      if (leaf >= 0) {
        if (this.#tree.holds(leaf, bounds, BOX * k)) continue;
        this.#tree.remove(leaf);
      } else {
        this.#isOther[k] = 1;
        if (!isBounded(bounds, BOX * k)) {
          this.#leaves[k] = WITHOUT_BOUNDS;
          this.#unbounded.push(k);
          continue;
        }
      }
      this.#widen(bounds, BOX * k);
      this.#leaves[k] = this.#tree.insert(k, this.#wide, 0);
      this.#hasMoved[k] = 1;
      this.#moved[moved++] = k;
    }
    for (let k = 0; k < moved; k++) this.#ask(this.#moved[k]);
    for (let k = 0; k < count; k++) if (this.#isOther[k] === 1) this.#pairWithGround(k);
    sortAscending(this.#candidates, this.#candidateCount);
    this.pairs.merge(this.#candidates, this.#candidateCount, this.#stays);
    this.#isOther.fill(0, 0, count);
  }

  readonly #stays = (first: number, second: number): boolean => {
    if (this.#isOther[first] === 1 || this.#isOther[second] === 1) return false;
    if (this.#hasMoved[first] === 0 && this.#hasMoved[second] === 0) return true;
    if (this.#leaves[first] < 0 || this.#leaves[second] < 0) return true;
    return this.#tree.overlap(this.#leaves[first], this.#leaves[second]);
  };

  #ask(shape: number): void {
    const found = this.#tree.query(this.#leaves[shape]);
    for (let k = 0; k < found; k++) {
      const other = this.#tree.found[k];
      // Of two that have both moved, each finds the other.
      if (other === shape || (this.#hasMoved[other] === 1 && other < shape)) continue;
      this.#propose(shape, other);
    }
  }

  /** A shape that has come, and all others where one of the two has no bounds. */
  #pairWithGround(shape: number): void {
    const leaf = this.#leaves[shape];
    if (leaf === NOT_IN_TREE) return;
    const unbounded = this.#unbounded;
    if (leaf !== WITHOUT_BOUNDS) {
      for (let k = 0; k < unbounded.length; k++) this.#propose(shape, unbounded[k]);
      return;
    }
    for (let other = 0; other < this.#count; other++)
      if (other !== shape && this.#leaves[other] !== NOT_IN_TREE) this.#propose(shape, other);
  }

  #propose(one: number, other: number): void {
    const first = Math.min(one, other);
    const second = Math.max(one, other);
    if (!this.#mayTouch(first, second)) return;
    if (this.#candidateCount === this.#candidates.length) {
      this.#candidates = widened(this.#candidates, 2 * this.#candidateCount);
    }
    this.#candidates[this.#candidateCount++] = first * MOST_SHAPES + second;
  }

  #widen(bounds: Float64Array, at: number): void {
    const extent = Math.max(
      bounds[at + 3] - bounds[at],
      bounds[at + 4] - bounds[at + 1],
      bounds[at + 5] - bounds[at + 2],
    );
    for (let k = 0; k < 3; k++) {
      this.#wide[k] = bounds[at + k] - FAT_MARGIN_OF_EXTENT * extent;
      this.#wide[3 + k] = bounds[at + 3 + k] + FAT_MARGIN_OF_EXTENT * extent;
    }
  }

  #reserve(count: number): void {
    const known = this.#leaves.length;
    if (count <= known) return;
    const room = 2 * count;
    const leaves = new Int32Array(room).fill(NOT_IN_TREE);
    leaves.set(this.#leaves);
    this.#leaves = leaves;
    this.#hasMoved = new Uint8Array(room);
    this.#moved = new Int32Array(room);
    this.#isOther = widenedBytes(this.#isOther, room);
  }
}

function isBounded(bounds: Float64Array, at: number): boolean {
  for (let k = 0; k < BOX; k++) if (!Number.isFinite(bounds[at + k])) return false;
  return true;
}
