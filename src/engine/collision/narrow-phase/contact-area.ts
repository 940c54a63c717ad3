/**
 * The contacts of two shapes once their nearest points are known: that pair itself, with its exact gap, and around it the area in which a
 * face of the one is nearly parallel to a face or an edge of the other. Points of the area have gaps along the normal of its reference
 * face; between separated shapes they are no smaller than the distance.
 */
import { Clipping } from './clipping';
import { FeaturePolygon } from './feature-polygon';
import type { PairContacts } from './pair-contacts';
import { CONTACT } from './pair-contacts';
import type { PlacedConvex } from './placed-convex';

/** Relative to the sizes: two contacts this near are one. */
const SAME_POINT = 1e-7;
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
   * Adds what is around the contact that stands first from `from` on in `out`; without area that contact stays alone. Where the area comes
   * as near as that contact does, along the same normal, its corners replace it: it is any point of the area.
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
    const difference = this.clipping.smallest[0] - out.values[CONTACT * from];
    if (Math.abs(difference) <= REACHED * out.size[0] && this.#isAlong(n, out) && out.count > from + 1)
      out.remove(from);
    else this.#dropNeedless(from, out);
    out.reduce(from);
  }

  /** Whether the last contact, which is one of the area, has the normal n too. */
  #isAlong(n: Float64Array, out: PairContacts): boolean {
    const at = CONTACT * (out.count - 1) + 1;
    for (let k = 0; k < 3; k++) if (Math.abs(out.values[at + k] - n[k]) > SAME_NORMAL) return false;
    return true;
  }

  /**
   * Two edges along one another: the first stands for a face that holds it and is normal to n, as nearly as it can be, which the second is
   * cut by.
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
   * The nearest pair stands for points of the area that are at its place. Where shapes overlap deeply, points of the area can be farther
   * inside than the depth, along another normal; the depth is what moves the shapes apart, and they are left out.
   */
  #dropNeedless(from: number, out: PairContacts): void {
    const tolerance = SAME_POINT * out.size[0];
    const { values, keys } = out;
    for (let c = out.count - 1; c > from; c--) {
      let square = 0;
      for (let k = 4; k < 7; k++) square += (values[CONTACT * c + k] - values[CONTACT * from + k]) ** 2;
      const isSame = keys[2 * c] === keys[2 * from] && keys[2 * c + 1] === keys[2 * from + 1];
      const isDeeper = values[CONTACT * c] < values[CONTACT * from];
      if (isSame || isDeeper || square <= tolerance * tolerance) out.remove(c);
    }
  }
}

function along(feature: FeaturePolygon, n: Float64Array): number {
  const { normal } = feature;
  return normal[0] * n[0] + normal[1] * n[1] + normal[2] * n[2];
}
