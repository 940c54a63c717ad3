/**
 * The order in which bodies are painted, so that what is in front covers what is behind: the farthest first,
 * but where a plane that holds a face of one has all of the other on its outer side, the eye's side of that
 * plane decides. Bodies that touch are always parted by such a plane or are round.
 */
import type { SpaceVector } from './geometry/camera';

export interface Solid {
  /** corners, x, y, z each; the centre of a ball */
  readonly points: ArrayLike<number>;
  /** of a ball about its point; else 0 */
  readonly radius: number;
  /** outer normal and offset of each face, four numbers each; none of what is not convex */
  readonly planes: ArrayLike<number>;
  readonly centre: SpaceVector;
  /** of the place that it takes in the picture: x, y and radius, px */
  readonly spot: readonly [number, number, number];
}

/** More solids than this are painted by their distances only: pairs grow with the square. */
const MOST_COMPARED = 1500;
/** Bodies in contact lie in each other a little, relative to their size. */
const TOUCHING = 1e-3;

/** −1: `a` is behind `b`; 1: in front of it; 0: no plane of `a` tells. */
function parted(a: Solid, b: Solid, eye: SpaceVector, slack: number): -1 | 0 | 1 {
  const { planes } = a;
  for (let k = 0; k < planes.length; k += 4) {
    const height = (x: number, y: number, z: number): number =>
      planes[k] * x + planes[k + 1] * y + planes[k + 2] * z - planes[k + 3];
    let isOutside = true;
    for (let i = 0; i < b.points.length && isOutside; i += 3)
      isOutside = height(b.points[i], b.points[i + 1], b.points[i + 2]) - b.radius >= -slack;
    if (isOutside) return height(...eye) > 0 ? -1 : 1;
  }
  return 0;
}

const squared = (a: SpaceVector, b: SpaceVector): number =>
  (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;

/** Places of the solids in the order of painting. */
export function paintersOrder(solids: readonly Solid[], eye: SpaceVector): number[] {
  // Of two balls apart, that with the smaller power about the eye is in front.
  const far = solids.map(({ centre, radius }) => squared(centre, eye) - radius ** 2);
  const byDistance = solids.map((_, i) => i).sort((a, b) => far[b] - far[a] || a - b);
  if (solids.length > MOST_COMPARED) return byDistance;
  const behind = solids.map((): number[] => []);
  for (let i = 0; i < solids.length; i++)
    for (let j = i + 1; j < solids.length; j++) {
      const [a, b] = [solids[i], solids[j]];
      if (a.planes.length + b.planes.length === 0) continue;
      const [xa, ya, ra] = a.spot;
      const [xb, yb, rb] = b.spot;
      if (Math.hypot(xa - xb, ya - yb) > ra + rb) continue;
      const slack = TOUCHING * Math.sqrt(squared(a.centre, b.centre));
      const told = parted(a, b, eye, slack) || -parted(b, a, eye, slack);
      if (told < 0) behind[j].push(i);
      if (told > 0) behind[i].push(j);
    }
  const order: number[] = [];
  const isSeen = new Uint8Array(solids.length);
  // What is behind a solid is painted before it. Three may overlap in a ring; then one of them has to begin.
  const visit = (i: number): void => {
    if (isSeen[i] === 1) return;
    isSeen[i] = 1;
    for (const j of behind[i].sort((a, b) => far[b] - far[a])) visit(j);
    order.push(i);
  };
  byDistance.forEach(visit);
  return order;
}
