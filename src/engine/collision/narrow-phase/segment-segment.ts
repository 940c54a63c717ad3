/**
 * Capsule and capsule: the least distance of two segments x₁ + s a, |s| ≤ h, and x₂ + t b, |t| ≤ k, less the radii. With r = x₂ − x₁ and
 * c = a·b, the unconstrained minimum has
 *
 *     s (1 − c²) = a·r − c (b·r),    t = c s − b·r.
 *
 * The square of the distance is convex in (s, t): clamp s, take the best t for it, clamp that, and take the best s for it
 * (C. Ericson, Real-Time Collision Detection, §5.1.9). 1 − c² is formed as |a × b|², which does not cancel. Of segments that are nearly
 * parallel there are two contacts, at the ends of what they have in common, as of a cylinder on its side.
 */
import type { RoundedShape } from '../shapes/shape';
import { edgeKey, vertexKey } from './feature-key';
import type { PairContacts } from './pair-contacts';
import { NEAR_EDGE } from './placed-polytope';
import { addRoundContact } from './round-pairs';

/** Segments at a smaller angle than this one, rad, are parallel to rounding. */
const PARALLEL = 1e-12;

const a = new Float64Array(3);
const b = new Float64Array(3);
const point = new Float64Array(3);
const between = new Float64Array(3);
/** [0], [1] s and t; [2] c; [3] a·r; [4] b·r; [5], [6] h and k */
const work = new Float64Array(7);

export function segmentSegment(
  first: RoundedShape,
  firstFrame: Float64Array,
  firstAt: number,
  second: RoundedShape,
  secondFrame: Float64Array,
  secondAt: number,
  out: PairContacts,
): void {
  const { relative } = out;
  for (let k = 0; k < 3; k++) {
    a[k] = firstFrame[firstAt + 5 + 3 * k];
    b[k] = secondFrame[secondAt + 5 + 3 * k];
  }
  const h = first.core.vertices[5];
  const k = second.core.vertices[5];
  const c = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const ar = a[0] * relative[0] + a[1] * relative[1] + a[2] * relative[2];
  const br = b[0] * relative[0] + b[1] * relative[1] + b[2] * relative[2];
  work[2] = c;
  work[3] = ar;
  work[4] = br;
  work[5] = h;
  work[6] = k;
  const x = a[1] * b[2] - a[2] * b[1];
  const y = a[2] * b[0] - a[0] * b[2];
  const z = a[0] * b[1] - a[1] * b[0];
  const square = x * x + y * y + z * z;
  // The part of the first segment that is beside the second, by its ends' projections.
  const p = ar - Math.abs(c) * k;
  const q = ar + Math.abs(c) * k;
  const from = Math.max(-h, p);
  const to = Math.min(h, q);
  if (square < NEAR_EDGE * NEAR_EDGE && from < to) {
    const lowKey = p > -h ? edgeKey(0, 1) : vertexKey(0);
    const highKey = q < h ? edgeKey(0, 1) : vertexKey(1);
    const otherLow = c > 0 ? 0 : 1;
    work[0] = from;
    addAt(first, second, lowKey, lowKey === vertexKey(0) ? edgeKey(0, 1) : vertexKey(otherLow), out);
    work[0] = to;
    addAt(first, second, highKey, highKey === vertexKey(1) ? edgeKey(0, 1) : vertexKey(1 - otherLow), out);
    // The nearest points of segments that cross at a small angle are between these two.
    if (square > PARALLEL * PARALLEL) {
      const s = (ar - c * br) / square;
      if (s > from && s < to && Math.abs(c * s - br) < k) {
        work[0] = s;
        addAt(first, second, edgeKey(0, 1), edgeKey(0, 1), out);
      }
    }
    return;
  }
  let s =
    square > PARALLEL * PARALLEL ? (ar - c * br) / square : Math.max(-h, Math.min(h, 0.5 * (from + to)));
  s = Math.max(-h, Math.min(h, s));
  let t = c * s - br;
  if (t > k || t < -k) {
    t = Math.max(-k, Math.min(k, t));
    s = Math.max(-h, Math.min(h, c * t + ar));
  }
  work[0] = s;
  work[1] = t;
  addPair(first, second, endKey(0, 5), endKey(1, 6), out);
}

/** The contact at s, in work[0], of the first segment and the point of the second that is nearest to it. */
function addAt(
  first: RoundedShape,
  second: RoundedShape,
  firstKey: number,
  secondKey: number,
  out: PairContacts,
): void {
  work[1] = Math.max(-work[6], Math.min(work[6], work[2] * work[0] - work[4]));
  addPair(first, second, firstKey, secondKey, out);
}

function addPair(
  first: RoundedShape,
  second: RoundedShape,
  firstKey: number,
  secondKey: number,
  out: PairContacts,
): void {
  for (let i = 0; i < 3; i++) {
    point[i] = work[0] * a[i];
    between[i] = out.relative[i] + work[1] * b[i] - point[i];
  }
  addRoundContact(first, second, point, between, firstKey, secondKey, out);
}

/** Name of the place work[at] on a segment of half length work[half]. */
function endKey(at: number, half: number): number {
  return work[at] === work[half] ? vertexKey(1) : work[at] === -work[half] ? vertexKey(0) : edgeKey(0, 1);
}
