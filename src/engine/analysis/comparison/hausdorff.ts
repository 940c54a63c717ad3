/**
 * Hausdorff distance of two sets of points in the plane,
 *
 *     d(A, B) = max( sup_{a ∈ A} inf_{b ∈ B} |a − b|,  sup_{b ∈ B} inf_{a ∈ A} |a − b| ),
 *
 * each coordinate measured in its own length. Nearest points are looked for in rings of cells around a point,
 * of a grid with about one point of the other set in each cell, so that sets of 10⁵ points take well under a
 * second.
 */

export interface PlaneSet {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

interface DirectedDistance {
  /** largest distance of a point of this set from the other one, in the lengths of the axes */
  readonly distance: number;
  /** number of the point where it is; −1 for an empty set */
  readonly at: number;
}

export interface HausdorffDistance {
  readonly distance: number;
  readonly fromA: DirectedDistance;
  readonly fromB: DirectedDistance;
}

/** Points of a set by the cells of a grid over their rectangle. */
class CellGrid {
  readonly #side: number;
  readonly #first: Int32Array;
  readonly #order: Int32Array;
  readonly #origin: readonly [number, number];
  /** side of a cell */
  readonly #cell: number;

  constructor(private readonly set: PlaneSet) {
    const { x, y } = set;
    const n = x.length;
    const side = Math.max(1, Math.ceil(Math.sqrt(n)));
    this.#side = side;
    const [x0, x1] = extentOf(x);
    const [y0, y1] = extentOf(y);
    this.#origin = [x0, y0];
    // One length for both: rings of square cells bound the distance from below.
    const cell = Math.max(x1 - x0, y1 - y0) / side;
    this.#cell = cell > 0 ? cell : 1;
    const counts = new Int32Array(side * side + 1);
    const places = new Int32Array(n);
    for (let i = 0; i < n; i++) {
      const place = this.#line(y[i], 1) * side + this.#line(x[i], 0);
      places[i] = place;
      counts[place + 1]++;
    }
    for (let k = 0; k < side * side; k++) counts[k + 1] += counts[k];
    this.#first = counts.slice();
    this.#order = new Int32Array(n);
    for (let i = 0; i < n; i++) this.#order[counts[places[i]]++] = i;
  }

  #line(value: number, axis: 0 | 1): number {
    const line = Math.floor((value - this.#origin[axis]) / this.#cell);
    return Math.min(this.#side - 1, Math.max(0, line));
  }

  /**
   * Square of the distance to the nearest point.
   * @param enough a distance squared below which it is of no interest
   */
  nearest(px: number, py: number, enough: number): number {
    const side = this.#side;
    const column = this.#line(px, 0);
    const line = this.#line(py, 1);
    const cell = this.#cell;
    let best = Infinity;
    for (let ring = 0; ring < side; ring++) {
      // Every point in this ring or beyond is at least that far along one axis, wherever the place lies in
      // its cell.
      const gap = (ring - 1) * cell;
      if (ring > 0 && gap > 0 && gap * gap >= best) break;
      for (let j = Math.max(0, line - ring); j <= Math.min(side - 1, line + ring); j++) {
        const isEdge = j === line - ring || j === line + ring;
        const step = isEdge || ring === 0 ? 1 : 2 * ring;
        for (let i = column - ring; i <= column + ring; i += step) {
          if (i < 0 || i >= side) continue;
          best = Math.min(best, this.#inCell(j * side + i, px, py));
        }
      }
      if (best <= enough) return best;
    }
    return best;
  }

  #inCell(place: number, px: number, py: number): number {
    const { x, y } = this.set;
    let best = Infinity;
    for (let k = this.#first[place]; k < this.#first[place + 1]; k++) {
      const point = this.#order[k];
      const dx = x[point] - px;
      const dy = y[point] - py;
      const distance = dx * dx + dy * dy;
      if (distance < best) best = distance;
    }
    return best;
  }
}

function extentOf(values: Float64Array): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : [0, 0];
}

function directed(from: PlaneSet, to: CellGrid): DirectedDistance {
  let largest = -1;
  let at = -1;
  for (let i = 0; i < from.x.length; i++) {
    const distance = to.nearest(from.x[i], from.y[i], largest);
    if (distance > largest) {
      largest = distance;
      at = i;
    }
  }
  return { distance: at < 0 ? 0 : Math.sqrt(largest), at };
}

function scaled({ x, y }: PlaneSet, [sx, sy]: readonly [number, number]): PlaneSet {
  return { x: x.map((value) => value / sx), y: y.map((value) => value / sy) };
}

/**
 * @param scale lengths of the two axes that count as one, such as the extents of what is compared; finite
 *   points only
 * @returns Infinity where one set is empty and the other is not
 */
export function hausdorffDistance(
  a: PlaneSet,
  b: PlaneSet,
  scale: readonly [number, number] = [1, 1],
): HausdorffDistance {
  const none = { distance: 0, at: -1 };
  if (a.x.length === 0 || b.x.length === 0) {
    const isOne = a.x.length !== b.x.length;
    return { distance: isOne ? Infinity : 0, fromA: none, fromB: none };
  }
  const [left, right] = [scaled(a, scale), scaled(b, scale)];
  const fromA = directed(left, new CellGrid(right));
  const fromB = directed(right, new CellGrid(left));
  return { distance: Math.max(fromA.distance, fromB.distance), fromA, fromB };
}
