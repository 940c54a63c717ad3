/**
 * The contact area of two features that face one another: the incident one is cut by the planes that stand on the sides of the reference
 * face, across it (I. E. Sutherland and G. W. Hodgman, 1974, doi:10.1145/360767.360802). What is left, within the margin of the face, are the
 * contacts; the gap is the height over the face. Corners of the result have names:
 *
 *     corner of the incident feature              (reference face, vertex)
 *     side of the one across side of the other    (edge, edge)
 *     corner of the reference face                (vertex, incident face)
 *
 * so that they are the same names when the roles are exchanged.
 */
import type { FeaturePolygon } from './feature-polygon';
import type { PairContacts } from './pair-contacts';

/** Relative to the sizes: points this little outside a side are on it. Aligned boxes stay so under rounding. */
const ON_SIDE = 1e-11;
/** Relative to the sizes: a corner this little off the line between its neighbours is none. */
const SAME_POINT = 1e-7;

interface Ring {
  count: number;
  points: Float64Array;
  referenceKeys: Int32Array;
  incidentKeys: Int32Array;
  /** side to the next point: the incident side's name, or −1 − i along plane i */
  sides: Int32Array;
}

const ROOM = 256;

function createRing(): Ring {
  return {
    count: 0,
    points: new Float64Array(3 * ROOM),
    referenceKeys: new Int32Array(ROOM),
    incidentKeys: new Int32Array(ROOM),
    sides: new Int32Array(ROOM),
  };
}

export class Clipping {
  #ring = createRing();
  #next = createRing();
  #heights = new Float64Array(ROOM);
  readonly #side = new Float64Array(3);
  /** [0] smallest gap that was added, +∞ without contact */
  readonly smallest = new Float64Array(1);

  /**
   * Adds the contacts of the area.
   * @param referenceIsFirst whether the reference face belongs to the first shape
   * @param radii two numbers: radius of the first and of the second shape, m
   */
  clip(
    reference: FeaturePolygon,
    incident: FeaturePolygon,
    referenceIsFirst: boolean,
    radii: Float64Array,
    out: PairContacts,
  ): void {
    this.#start(reference, incident);
    const planes = reference.isClosed ? reference.count : 2;
    for (let i = 0; i < planes && this.#ring.count > 0; i++) {
      this.#sidePlane(reference, i);
      this.#cut(reference, incident, i, out.size);
    }
    if (incident.isClosed) this.#simplify(reference.points, reference.normal, out.size);
    this.#collect(reference, referenceIsFirst, radii, out);
  }

  #start(reference: FeaturePolygon, incident: FeaturePolygon): void {
    const needed = 2 * (reference.count + incident.count);
    if (needed > this.#heights.length) this.#grow(2 * needed);
    const ring = this.#ring;
    ring.count = incident.count;
    for (let k = 0; k < incident.count; k++) {
      for (let i = 0; i < 3; i++) ring.points[3 * k + i] = incident.points[3 * k + i];
      ring.referenceKeys[k] = reference.key;
      ring.incidentKeys[k] = incident.vertexKeys[k];
      ring.sides[k] = incident.edgeKeys[k];
    }
  }

  /** Outward normal of the plane on side i; a side in the plane has two, at its ends. */
  #sidePlane(reference: FeaturePolygon, i: number): void {
    const { points, normal: n } = reference;
    const side = this.#side;
    const from = reference.isClosed ? 3 * i : 3 * (1 - i);
    const to = reference.isClosed ? 3 * (i + 1 < reference.count ? i + 1 : 0) : 3 * i;
    const x = points[to] - points[from];
    const y = points[to + 1] - points[from + 1];
    const z = points[to + 2] - points[from + 2];
    const length = Math.sqrt(x * x + y * y + z * z);
    if (reference.isClosed) {
      side[0] = (y * n[2] - z * n[1]) / length;
      side[1] = (z * n[0] - x * n[2]) / length;
      side[2] = (x * n[1] - y * n[0]) / length;
    } else {
      side[0] = x / length;
      side[1] = y / length;
      side[2] = z / length;
    }
  }

  /** Keeps what is behind plane i. */
  #cut(reference: FeaturePolygon, incident: FeaturePolygon, i: number, size: Float64Array): void {
    const tolerance = ON_SIDE * size[0];
    const ring = this.#ring;
    const next = this.#next;
    const heights = this.#heights;
    const { points: corners } = reference;
    const side = this.#side;
    const { points } = ring;
    for (let k = 0; k < ring.count; k++) {
      let height = 0;
      for (let c = 0; c < 3; c++) height += (points[3 * k + c] - corners[3 * i + c]) * side[c];
      heights[k] = height <= tolerance && height >= -tolerance ? 0 : height;
    }
    next.count = 0;
    for (let k = 0; k < ring.count; k++) {
      if (heights[k] <= 0) {
        const to = next.count++;
        for (let c = 0; c < 3; c++) next.points[3 * to + c] = points[3 * k + c];
        next.referenceKeys[to] = ring.referenceKeys[k];
        next.incidentKeys[to] = ring.incidentKeys[k];
        next.sides[to] = ring.sides[k];
      }
      const isLast = k + 1 === ring.count;
      if (isLast && !incident.isClosed) break;
      const end = isLast ? 0 : k + 1;
      if (heights[k] * heights[end] >= 0) {
        // A corner on the plane that is left to the outside starts the side along the plane.
        if (heights[k] === 0 && heights[end] > 0) next.sides[next.count - 1] = -1 - i;
        continue;
      }
      const t = heights[k] / (heights[k] - heights[end]);
      const to = next.count++;
      for (let c = 0; c < 3; c++)
        next.points[3 * to + c] = points[3 * k + c] + t * (points[3 * end + c] - points[3 * k + c]);
      const own = ring.sides[k];
      if (own >= 0) {
        next.referenceKeys[to] = reference.isClosed ? reference.edgeKeys[i] : reference.vertexKeys[i];
        next.incidentKeys[to] = own;
      } else {
        next.referenceKeys[to] = reference.vertexKeys[cornerBetween(-1 - own, i, reference.count)];
        next.incidentKeys[to] = incident.key;
      }
      next.sides[to] = heights[k] < 0 ? -1 - i : own;
    }
    this.#ring = next;
    this.#next = ring;
  }

  #collect(
    reference: FeaturePolygon,
    referenceIsFirst: boolean,
    radii: Float64Array,
    out: PairContacts,
  ): void {
    const ring = this.#ring;
    const { normal: n, points: corners } = reference;
    const sign = referenceIsFirst ? 1 : -1;
    this.smallest[0] = Infinity;
    for (let k = 0; k < ring.count; k++) {
      let height = 0;
      for (let c = 0; c < 3; c++) height += (ring.points[3 * k + c] - corners[c]) * n[c];
      const gap = height - radii[0] - radii[1];
      if (gap < this.smallest[0]) this.smallest[0] = gap;
      if (gap > out.margin[0]) continue;
      const at = referenceIsFirst
        ? out.add(ring.referenceKeys[k], ring.incidentKeys[k])
        : out.add(ring.incidentKeys[k], ring.referenceKeys[k]);
      const { values } = out;
      values[at] = gap;
      for (let c = 0; c < 3; c++) {
        const onFirst = referenceIsFirst ? ring.points[3 * k + c] - height * n[c] : ring.points[3 * k + c];
        values[at + 1 + c] = sign * n[c];
        values[at + 4 + c] = onFirst + radii[0] * sign * n[c];
      }
      out.complete(at);
    }
  }

  /**
   * Leaves out corners of a ring that are on the line between their neighbours, or at the place of one, and no nearer to the reference. Equal
   * faces that rounding has turned cut one another along their sides, here or there.
   */
  #simplify(corners: Float64Array, n: Float64Array, size: Float64Array): void {
    const ring = this.#ring;
    const heights = this.#heights;
    const { points } = ring;
    for (let k = 0; k < ring.count; k++) {
      heights[k] = 0;
      for (let c = 0; c < 3; c++) heights[k] += (points[3 * k + c] - corners[c]) * n[c];
    }
    let kept = 0;
    for (let k = 0; k < ring.count; k++) {
      const last = kept > 0 ? kept - 1 : ring.count - 1;
      const next = k + 1 < ring.count ? k + 1 : 0;
      const isLower = heights[k] < heights[last] && heights[k] < heights[next];
      const remaining = kept + ring.count - k;
      if (remaining > 2 && !isLower && this.#isBetween(k, last, next, size)) continue;
      if (kept !== k) this.#move(k, kept);
      kept++;
    }
    ring.count = kept;
  }

  /** Whether point k of the ring is on the segment between two others. */
  #isBetween(k: number, from: number, to: number, size: Float64Array): boolean {
    const { points } = this.#ring;
    let along = 0;
    let side = 0;
    for (let c = 0; c < 3; c++) {
      const e = points[3 * to + c] - points[3 * from + c];
      along += e * (points[3 * k + c] - points[3 * from + c]);
      side += e * e;
    }
    const t = side > 0 ? Math.max(0, Math.min(1, along / side)) : 0;
    let square = 0;
    for (let c = 0; c < 3; c++) {
      const e = points[3 * to + c] - points[3 * from + c];
      square += (points[3 * k + c] - points[3 * from + c] - t * e) ** 2;
    }
    return square <= (SAME_POINT * size[0]) ** 2;
  }

  #move(from: number, to: number): void {
    const ring = this.#ring;
    for (let c = 0; c < 3; c++) ring.points[3 * to + c] = ring.points[3 * from + c];
    ring.referenceKeys[to] = ring.referenceKeys[from];
    ring.incidentKeys[to] = ring.incidentKeys[from];
    this.#heights[to] = this.#heights[from];
  }

  #grow(room: number): void {
    for (const ring of [this.#ring, this.#next]) {
      ring.points = new Float64Array(3 * room);
      ring.referenceKeys = new Int32Array(room);
      ring.incidentKeys = new Int32Array(room);
      ring.sides = new Int32Array(room);
    }
    this.#heights = new Float64Array(room);
  }
}

/** The corner of a loop of n that sides i and j have in common; side i goes from corner i on. */
function cornerBetween(i: number, j: number, n: number): number {
  return (i + 1) % n === j ? j : i;
}
