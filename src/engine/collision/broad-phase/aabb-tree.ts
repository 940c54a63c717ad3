/**
 * Bounding boxes in a binary tree that is kept balanced while boxes come, go and move. A box that is put in
 * takes the place where the surface of the boxes above it grows least, found going down greedily; on the way
 * back up, a node whose grandchildren would make smaller boxes in other hands exchanges them (Klosowski et
 * al. 1998, for trees of boxes; Catto 2019, for the rotations). A query costs the logarithm of the number of
 * boxes and what it finds.
 */
import { widened, widenedInt } from '../growth';

const NONE = -1;
/** lower corner, upper corner */
const BOX = 6;

export class AabbTree {
  /** `BOX` numbers of each node */
  bounds = new Float64Array(BOX * 64);
  #parent = new Int32Array(64);
  #left = new Int32Array(64);
  #right = new Int32Array(64);
  /** of leaves: what they hold; of others −1 */
  #item = new Int32Array(64);
  #stack = new Int32Array(64);
  readonly #areas = new Float64Array(5);
  #root = NONE;
  #count = 0;
  #free = NONE;
  /** what the last query found */
  found = new Int32Array(64);

  /** Puts a box in, six numbers at `at`. @returns its leaf */
  insert(item: number, box: Float64Array, at: number): number {
    const leaf = this.#allocate();
    this.#item[leaf] = item;
    this.#left[leaf] = NONE;
    this.#right[leaf] = NONE;
    for (let k = 0; k < BOX; k++) this.bounds[BOX * leaf + k] = box[at + k];
    if (this.#root === NONE) {
      this.#root = leaf;
      this.#parent[leaf] = NONE;
      return leaf;
    }
    const sibling = this.#bestSibling(leaf);
    const oldParent = this.#parent[sibling];
    const parent = this.#allocate();
    this.#item[parent] = NONE;
    this.#parent[parent] = oldParent;
    this.#left[parent] = sibling;
    this.#right[parent] = leaf;
    this.#parent[sibling] = parent;
    this.#parent[leaf] = parent;
    if (oldParent === NONE) this.#root = parent;
    else if (this.#left[oldParent] === sibling) this.#left[oldParent] = parent;
    else this.#right[oldParent] = parent;
    this.#refitUpwards(parent);
    return leaf;
  }

  remove(leaf: number): void {
    const parent = this.#parent[leaf];
    this.#release(leaf);
    if (parent === NONE) {
      this.#root = NONE;
      return;
    }
    const sibling = this.#left[parent] === leaf ? this.#right[parent] : this.#left[parent];
    const above = this.#parent[parent];
    this.#release(parent);
    this.#parent[sibling] = above;
    if (above === NONE) {
      this.#root = sibling;
      return;
    }
    if (this.#left[above] === parent) this.#left[above] = sibling;
    else this.#right[above] = sibling;
    this.#refitUpwards(above);
  }

  /** Whether the box of a leaf holds six numbers at `at`. */
  holds(leaf: number, box: Float64Array, at: number): boolean {
    const { bounds } = this;
    const own = BOX * leaf;
    for (let k = 0; k < 3; k++)
      if (!(bounds[own + k] <= box[at + k] && bounds[own + 3 + k] >= box[at + 3 + k])) return false;
    return true;
  }

  overlap(first: number, second: number): boolean {
    const { bounds } = this;
    const a = BOX * first;
    const b = BOX * second;
    for (let k = 0; k < 3; k++)
      if (bounds[a + k] > bounds[b + 3 + k] || bounds[b + k] > bounds[a + 3 + k]) return false;
    return true;
  }

  /** What overlaps the box of a leaf, itself included; in `found`. @returns how many */
  query(leaf: number): number {
    if (this.#root === NONE) return 0;
    let count = 0;
    let depth = 0;
    this.#stack[depth++] = this.#root;
    while (depth > 0) {
      const node = this.#stack[--depth];
      if (!this.overlap(node, leaf)) continue;
      if (this.#left[node] === NONE) {
        if (count === this.found.length) this.found = widenedInt(this.found, 2 * this.found.length);
        this.found[count++] = this.#item[node];
        continue;
      }
      if (depth + 2 > this.#stack.length) this.#stack = widenedInt(this.#stack, 2 * this.#stack.length);
      this.#stack[depth++] = this.#left[node];
      this.#stack[depth++] = this.#right[node];
    }
    return count;
  }

  /**
   * Down from the root to the child whose box grows less; to stop at a node costs the surface of the box
   * around both, to go on at least what all boxes on the way grow by.
   */
  #bestSibling(leaf: number): number {
    const areas = this.#areas;
    let node = this.#root;
    while (this.#left[node] !== NONE) {
      this.#surface(node, leaf, 0);
      this.#surface(node, node, 1);
      const left = this.#left[node];
      const right = this.#right[node];
      this.#growth(left, leaf, 2);
      this.#growth(right, leaf, 3);
      const inherited = areas[0] - areas[1];
      if (areas[0] < inherited + Math.min(areas[2], areas[3])) break;
      node = areas[2] <= areas[3] ? left : right;
    }
    return node;
  }

  /** What the box of a node grows by with the leaf; a leaf gets a new box around both. */
  #growth(node: number, leaf: number, slot: number): void {
    this.#surface(node, leaf, slot);
    if (this.#left[node] === NONE) return;
    this.#surface(node, node, 4);
    this.#areas[slot] -= this.#areas[4];
  }

  /** Half the surface of the box around two nodes, into `areas`. */
  #surface(first: number, second: number, slot: number): void {
    const { bounds } = this;
    const a = BOX * first;
    const b = BOX * second;
    const x = Math.max(bounds[a + 3], bounds[b + 3]) - Math.min(bounds[a], bounds[b]);
    const y = Math.max(bounds[a + 4], bounds[b + 4]) - Math.min(bounds[a + 1], bounds[b + 1]);
    const z = Math.max(bounds[a + 5], bounds[b + 5]) - Math.min(bounds[a + 2], bounds[b + 2]);
    // In the plane boxes have no depth, and x y alone would be what counts; the girth tells narrow boxes
    // apart there too.
    this.#areas[slot] = x * y + y * z + z * x + PERIMETER * (x + y + z);
  }

  #refitUpwards(from: number): void {
    for (let node = from; node !== NONE; node = this.#parent[node]) {
      this.#rotate(node);
      this.#refit(node);
    }
  }

  #refit(node: number): void {
    const { bounds } = this;
    const a = BOX * this.#left[node];
    const b = BOX * this.#right[node];
    const at = BOX * node;
    for (let k = 0; k < 3; k++) {
      bounds[at + k] = Math.min(bounds[a + k], bounds[b + k]);
      bounds[at + 3 + k] = Math.max(bounds[a + 3 + k], bounds[b + 3 + k]);
    }
  }

  /**
   * Exchanges a child with a grandchild on the other side where that makes the other child's box smallest.
   */
  #rotate(node: number): void {
    const left = this.#left[node];
    const right = this.#right[node];
    const areas = this.#areas;
    let gain = 0;
    let child = NONE;
    let grandchild = NONE;
    for (let side = 0; side < 2; side++) {
      const stays = side === 0 ? left : right;
      const opened = side === 0 ? right : left;
      if (this.#left[opened] === NONE) continue;
      this.#surface(opened, opened, 0);
      this.#surface(stays, this.#right[opened], 1);
      this.#surface(stays, this.#left[opened], 2);
      const first = areas[0] - areas[1];
      const second = areas[0] - areas[2];
      if (first > gain) {
        gain = first;
        child = stays;
        grandchild = this.#left[opened];
      }
      if (second > gain) {
        gain = second;
        child = stays;
        grandchild = this.#right[opened];
      }
    }
    if (child === NONE) return;
    const opened = this.#parent[grandchild];
    if (this.#left[node] === child) this.#left[node] = grandchild;
    else this.#right[node] = grandchild;
    if (this.#left[opened] === grandchild) this.#left[opened] = child;
    else this.#right[opened] = child;
    this.#parent[grandchild] = node;
    this.#parent[child] = opened;
    this.#refit(opened);
  }

  #allocate(): number {
    if (this.#free !== NONE) {
      const node = this.#free;
      this.#free = this.#parent[node];
      return node;
    }
    if (this.#count === this.#parent.length) {
      this.#parent = widenedInt(this.#parent, 2 * this.#parent.length);
      this.#left = widenedInt(this.#left, 2 * this.#left.length);
      this.#right = widenedInt(this.#right, 2 * this.#right.length);
      this.#item = widenedInt(this.#item, 2 * this.#item.length);
      this.bounds = widened(this.bounds, 2 * this.bounds.length);
    }
    return this.#count++;
  }

  #release(node: number): void {
    this.#parent[node] = this.#free;
    this.#free = node;
  }
}

/** Weight of the girth against the surface, 1/m: any small number decides between boxes without depth. */
const PERIMETER = 1e-3;
