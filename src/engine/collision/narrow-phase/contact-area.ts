/**
 * The contacts of two shapes once their nearest points are known: that pair itself, with its exact gap, and
 * around it the area in which a face of the one is nearly parallel to a face or an edge of the other. Points
 * of the area have gaps along the normal of its reference face; between separated shapes they are no smaller
 * than the distance.
 */
import { FeaturePolygon } from './feature-polygon';
import { CONTACT_SIZE, type PairContacts } from './pair-contacts';
import type { PlacedConvex } from './placed-polytope';

/*
 * The contact area of two features that face one another: the incident one is cut by the planes that stand on
 * the sides of the reference face, across it (Sutherland and Hodgman 1974). What is left, within the margin
 * of the face, are the contacts; the gap is the height over the face. Corners of the result have names:
 *
 *     corner of the incident feature              (reference face, vertex)
 *     side of the one across side of the other    (edge, edge)
 *     corner of the reference face                (vertex, incident face)
 *
 * so that they are the same names when the roles are exchanged.
 */

/**
 * Relative to the sizes: points this little outside a side are on it. Aligned boxes stay so under rounding.
 */
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

const MOST_CORNERS = 256;

function createRing(): Ring {
  return {
    count: 0,
    points: new Float64Array(3 * MOST_CORNERS),
    referenceKeys: new Int32Array(MOST_CORNERS),
    incidentKeys: new Int32Array(MOST_CORNERS),
    sides: new Int32Array(MOST_CORNERS),
  };
}

class Clipping {
  #ring = createRing();
  #next = createRing();
  #heights = new Float64Array(MOST_CORNERS);
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
   * Leaves out corners of a ring that are on the line between their neighbours, or at the place of one, and
   * no nearer to the reference. Equal faces that rounding has turned cut one another along their sides, here
   * or there.
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

/** An area within this of the smallest gap, relative to the sizes, reaches it. */
const REACHED = 1e-11;
/** Two unit normals this near are one. */
const SAME_NORMAL = 1e-12;
/** Edges at a smaller angle than this, rad, touch along a line. */
const PARALLEL_EDGES = 1e-4;

export class ContactArea {
  readonly clipping = new Clipping();
  readonly #first = new FeaturePolygon();
  readonly #second = new FeaturePolygon();
  readonly #side = new Float64Array(3);

  /**
   * Adds what is around the contact that stands first from `from` on in `out`; without area that contact
   * stays alone. Where the area comes as near as that contact does, along the same normal, its corners
   * replace it: it is any point of the area.
   * @param n its normal
   * @param radii of the first and the second shape, m
   */
  around(
    a: PlacedConvex,
    b: PlacedConvex,
    n: Float64Array,
    radii: Float64Array,
    from: number,
    out: PairContacts,
  ): void {
    const first = this.#first;
    const second = this.#second;
    this.clipping.smallest[0] = Infinity;
    a.feature(n, 1, first);
    b.feature(n, -1, second);
    out.size[0] = a.extent[0] + b.extent[0] + radii[0] + radii[1];
    if (first.isFace && second.isFace) {
      const isFirst = along(first, n) >= -along(second, n);
      if (isFirst) this.clipping.clip(first, second, true, radii, out);
      else this.clipping.clip(second, first, false, radii, out);
    } else if (first.isFace) this.clipping.clip(first, second, true, radii, out);
    else if (second.isFace) this.clipping.clip(second, first, false, radii, out);
    else if (first.count === 2 && second.count === 2) this.#line(first, second, n, radii, out);
    const difference = this.clipping.smallest[0] - out.values[CONTACT_SIZE * from];
    if (Math.abs(difference) <= REACHED * out.size[0] && this.#isAlong(n, out) && out.count > from + 1)
      out.remove(from);
    else this.#dropNeedless(from, out);
    out.reduce(from);
  }

  /** Whether the last contact, which is one of the area, has the normal n too. */
  #isAlong(n: Float64Array, out: PairContacts): boolean {
    const at = CONTACT_SIZE * (out.count - 1) + 1;
    for (let k = 0; k < 3; k++) if (Math.abs(out.values[at + k] - n[k]) > SAME_NORMAL) return false;
    return true;
  }

  /**
   * Two edges along one another: the first stands for a face that holds it and is normal to n, as nearly as
   * it can be, which the second is cut by.
   */
  #line(
    first: FeaturePolygon,
    second: FeaturePolygon,
    n: Float64Array,
    radii: Float64Array,
    out: PairContacts,
  ): void {
    const p = first.points;
    const q = second.points;
    const d = this.#side;
    let dd = 0;
    let ee = 0;
    let de = 0;
    for (let k = 0; k < 3; k++) {
      d[k] = p[3 + k] - p[k];
      const e = q[3 + k] - q[k];
      dd += d[k] * d[k];
      ee += e * e;
      de += d[k] * e;
    }
    if (dd * ee - de * de > PARALLEL_EDGES * PARALLEL_EDGES * dd * ee) return;
    let lean = 0;
    for (let k = 0; k < 3; k++) lean += d[k] * n[k];
    let square = 0;
    for (let k = 0; k < 3; k++) {
      first.normal[k] = n[k] - (lean / dd) * d[k];
      square += first.normal[k] * first.normal[k];
    }
    for (let k = 0; k < 3; k++) first.normal[k] /= Math.sqrt(square);
    this.clipping.clip(first, second, true, radii, out);
  }

  /**
   * The nearest pair stands for points of the area that are at its place. Where shapes overlap deeply, points
   * of the area can be farther inside than the depth, along another normal; the depth is what moves the
   * shapes apart, and they are left out.
   */
  #dropNeedless(from: number, out: PairContacts): void {
    const tolerance = SAME_POINT * out.size[0];
    const { values, keys } = out;
    for (let c = out.count - 1; c > from; c--) {
      let square = 0;
      for (let k = 4; k < 7; k++)
        square += (values[CONTACT_SIZE * c + k] - values[CONTACT_SIZE * from + k]) ** 2;
      const isSame = keys[2 * c] === keys[2 * from] && keys[2 * c + 1] === keys[2 * from + 1];
      const isDeeper = values[CONTACT_SIZE * c] < values[CONTACT_SIZE * from];
      if (isSame || isDeeper || square <= tolerance * tolerance) out.remove(c);
    }
  }
}

function along(feature: FeaturePolygon, n: Float64Array): number {
  const { normal } = feature;
  return normal[0] * n[0] + normal[1] * n[1] + normal[2] * n[2];
}

/*
 * Points of flat parts that lie on one another: a face, an edge or a vertex, and a plane point that it is to
 * be near.
 */

/** Relative to the sizes: a point this little outside a side is on it. */
const BESIDE_FACE = 1e-12;

/**
 * Whether the foot of a point on the plane of a face is in the face.
 * @param size what rounding is relative to, m
 */
export function isInFace(face: FeaturePolygon, p: Float64Array, size: number): boolean {
  for (let k = 0; k < face.count; k++) if (outside(face, k, p) > BESIDE_FACE * size) return false;
  return true;
}

/** The point of a face, an edge or a vertex that is nearest to a point. */
export function nearestInFeature(feature: FeaturePolygon, p: Float64Array, out: Float64Array): void {
  const { count, points, normal } = feature;
  if (feature.isClosed && isInFace(feature, p, 0)) {
    let height = 0;
    for (let i = 0; i < 3; i++) height += (p[i] - points[i]) * normal[i];
    for (let i = 0; i < 3; i++) out[i] = p[i] - height * normal[i];
    return;
  }
  let least = Infinity;
  const sides = feature.isClosed ? count : Math.max(1, count - 1);
  for (let k = 0; k < sides; k++) {
    const a = 3 * k;
    const b = k + 1 < count ? a + 3 : 0;
    let along = 0;
    let square = 0;
    for (let i = 0; i < 3; i++) {
      const side = points[b + i] - points[a + i];
      along += (p[i] - points[a + i]) * side;
      square += side * side;
    }
    const t = square > 0 ? Math.max(0, Math.min(1, along / square)) : 0;
    let distance = 0;
    for (let i = 0; i < 3; i++) distance += (points[a + i] + t * (points[b + i] - points[a + i]) - p[i]) ** 2;
    if (distance >= least) continue;
    least = distance;
    for (let i = 0; i < 3; i++) out[i] = points[a + i] + t * (points[b + i] - points[a + i]);
  }
}

/** How far a point is outside side k of a face, across its plane, m. */
function outside({ count, points, normal: n }: FeaturePolygon, k: number, p: Float64Array): number {
  const a = 3 * k;
  const b = k + 1 < count ? a + 3 : 0;
  const ex = points[b] - points[a];
  const ey = points[b + 1] - points[a + 1];
  const ez = points[b + 2] - points[a + 2];
  const x = p[0] - points[a];
  const y = p[1] - points[a + 1];
  const z = p[2] - points[a + 2];
  const volume = x * (ey * n[2] - ez * n[1]) + y * (ez * n[0] - ex * n[2]) + z * (ex * n[1] - ey * n[0]);
  return volume / Math.sqrt(ex * ex + ey * ey + ez * ez);
}
