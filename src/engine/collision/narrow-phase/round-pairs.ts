/**
 * Pairs of round shapes in closed form: points and segments with radii. Sphere and sphere, sphere and capsule, disc and disc are the
 * distance of a point from a point or from a segment, less the radii.
 */
import type { RoundedShape } from '../shapes/shape';
import { edgeKey, vertexKey } from './feature-key';
import type { PairContacts } from './pair-contacts';

/** Below this distance, relative to the radii, the direction between two cores is rounding. */
const COINCIDENT = 1e-14;

/**
 * One contact from the vector d between the nearest points of two cores, from the first to the second. Where they coincide any normal is
 * as good as another: that of the z axis is taken, in the plane that of y.
 * @param out in its entry 4 … 6 of the contact to come stands the nearest point of the first core
 */
export function addRoundContact(
  first: RoundedShape,
  second: RoundedShape,
  point: Float64Array,
  d: Float64Array,
  firstKey: number,
  secondKey: number,
  out: PairContacts,
): void {
  const distance = Math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  const gap = distance - first.radius - second.radius;
  if (gap > out.margin[0]) return;
  const at = out.add(firstKey, secondKey);
  const { values } = out;
  values[at] = gap;
  const isPoint = distance <= COINCIDENT * (first.radius + second.radius);
  values[at + 1] = isPoint ? 0 : d[0] / distance;
  values[at + 2] = isPoint ? (first.core.dimension === 2 ? 1 : 0) : d[1] / distance;
  values[at + 3] = isPoint ? (first.core.dimension === 2 ? 0 : 1) : d[2] / distance;
  for (let k = 0; k < 3; k++) values[at + 4 + k] = point[k] + first.radius * values[at + 1 + k];
  out.complete(at);
}

const point = new Float64Array(3);
const between = new Float64Array(3);

/** Sphere and sphere, disc and disc. */
export function pointPoint(first: RoundedShape, second: RoundedShape, out: PairContacts): void {
  point.fill(0);
  addRoundContact(first, second, point, out.relative, vertexKey(0), vertexKey(0), out);
}

/** Sphere and capsule: the nearest point of the capsule's segment. */
export function pointSegment(
  first: RoundedShape,
  second: RoundedShape,
  frame: Float64Array,
  at: number,
  out: PairContacts,
): void {
  const { relative } = out;
  const h = second.core.vertices[5];
  const ax = frame[at + 5];
  const ay = frame[at + 8];
  const az = frame[at + 11];
  const t = Math.max(-h, Math.min(h, -(ax * relative[0] + ay * relative[1] + az * relative[2])));
  between[0] = relative[0] + t * ax;
  between[1] = relative[1] + t * ay;
  between[2] = relative[2] + t * az;
  point.fill(0);
  const key = t === h ? vertexKey(1) : t === -h ? vertexKey(0) : edgeKey(0, 1);
  addRoundContact(first, second, point, between, vertexKey(0), key, out);
}
