/** Points of flat parts that lie on one another: a face, an edge or a vertex, and a plane point that it is to be near. */
import type { FeaturePolygon } from './feature-polygon';

/** Relative to the sizes: a point this little outside a side is on it. */
const ON_SIDE = 1e-12;

/** Whether the foot of a point on the plane of a face is in the face. @param size what rounding is relative to, m */
export function isInFace(face: FeaturePolygon, p: Float64Array, size: number): boolean {
  for (let k = 0; k < face.count; k++) if (outside(face, k, p) > ON_SIDE * size) return false;
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
