/** How much room a scene takes: of its shapes, of its bodies in their poses, of the motion so far. */
import type { Scene, SceneBody, SceneGeometry, Vector3 } from '@engine/scene/scene';
import { carryTo, POSE_NUMBERS, stretchPlaces } from './poses';
import { rotated } from './quaternions';

/** An axis-parallel box; empty while a least coordinate is above the largest. */
export interface SceneBox {
  least: [number, number, number];
  most: [number, number, number];
}

export const emptyBox = (): SceneBox => ({
  least: [Infinity, Infinity, Infinity],
  most: [-Infinity, -Infinity, -Infinity],
});

export const isEmptyBox = ({ least, most }: SceneBox): boolean => !(least[0] <= most[0]);

/** Grows the box by a ball. Of what is not a number it takes nothing. */
function includeBall(box: SceneBox, x: number, y: number, z: number, radius: number): void {
  const centre = [x, y, z];
  if (!centre.every(Number.isFinite) || !Number.isFinite(radius)) return;
  for (let i = 0; i < 3; i++) {
    box.least[i] = Math.min(box.least[i], centre[i] - radius);
    box.most[i] = Math.max(box.most[i], centre[i] + radius);
  }
}

export const centreOf = ({ least, most }: SceneBox): [number, number, number] => [
  (least[0] + most[0]) / 2,
  (least[1] + most[1]) / 2,
  (least[2] + most[2]) / 2,
];

/** Half of the diagonal, m. */
export const radiusOf = ({ least, most }: SceneBox): number =>
  Math.hypot(most[0] - least[0], most[1] - least[1], most[2] - least[2]) / 2;

/** Grows the box by a point. Of what is not a number it takes nothing. */
const includePoint = (box: SceneBox, x: number, y: number, z: number): void => includeBall(box, x, y, z, 0);

/**
 * What holds a shape in its own frame: a ball about its origin, or a box. Null for a plane, which nothing
 * holds.
 */
type Hull = { readonly ball: number } | { readonly box: SceneBox };

const boxOf = (least: Vector3, most: Vector3): Hull => ({ box: { least: [...least], most: [...most] } });

/** Least and largest of every `size`-th number from `first` on. */
function range(values: readonly number[], first: number, size: number): [number, number] {
  let [least, most] = [Infinity, -Infinity];
  for (let at = first; at < values.length; at += size) {
    least = Math.min(least, values[at]);
    most = Math.max(most, values[at]);
  }
  return [least, most];
}

function hullOf(geometry: SceneGeometry): Hull | null {
  switch (geometry.kind) {
    case 'sphere':
      return { ball: geometry.radius };
    case 'disc':
      return boxOf([-geometry.radius, -geometry.radius, 0], [geometry.radius, geometry.radius, 0]);
    case 'ellipsoid':
    case 'box': {
      const [a, b, c] = geometry.halfLengths;
      return boxOf([-a, -b, -c], [a, b, c]);
    }
    case 'capsule': {
      const { radius, halfLength } = geometry;
      const half = halfLength + radius;
      return boxOf([-radius, -radius, -half], [radius, radius, half]);
    }
    case 'cylinder': {
      const { radius, halfHeight } = geometry;
      return boxOf([-radius, -radius, -halfHeight], [radius, radius, halfHeight]);
    }
    case 'polyhedron': {
      const [x, y, z] = [0, 1, 2].map((i) => range(geometry.vertices, i, 3));
      return boxOf([x[0], y[0], z[0]], [x[1], y[1], z[1]]);
    }
    case 'polygon': {
      const [x, y] = [0, 1].map((i) => range(geometry.corners, i, 2));
      return boxOf([x[0], y[0], 0], [x[1], y[1], 0]);
    }
    case 'heightField': {
      const { columns, rows, spacingX, spacingY, heights } = geometry;
      const [low, high] = range(heights, 0, 1);
      return boxOf([0, 0, low], [(columns - 1) * spacingX, (rows - 1) * spacingY, high]);
    }
    case 'plane':
      return null;
  }
}

const corner = ({ least, most }: SceneBox, number: number): Vector3 => [
  (number & 1) === 0 ? least[0] : most[0],
  (number & 2) === 0 ? least[1] : most[1],
  (number & 4) === 0 ? least[2] : most[2],
];

/**
 * What a body takes up in its own frame: balls, four numbers each, and points. Their places turn with it, a
 * ball does not grow by that.
 */
export interface BodyExtent {
  readonly balls: Float64Array;
  readonly points: Float64Array;
}

function bodyExtent({ shapes }: SceneBody): BodyExtent {
  const balls: number[] = [];
  const points: number[] = [];
  for (const { geometry, position, orientation } of shapes) {
    const hull = hullOf(geometry);
    if (hull === null) continue;
    if ('ball' in hull) {
      balls.push(...position, hull.ball);
      continue;
    }
    for (let number = 0; number < 8; number++) {
      const at = rotated(orientation, corner(hull.box, number));
      points.push(at[0] + position[0], at[1] + position[1], at[2] + position[2]);
    }
  }
  return { balls: Float64Array.from(balls), points: Float64Array.from(points) };
}

/** The box of a body in its own frame; empty of one without extent. */
export function bodyBox(body: SceneBody): SceneBox {
  const box = emptyBox();
  const { balls, points } = bodyExtent(body);
  for (let at = 0; at < balls.length; at += 4)
    includeBall(box, balls[at], balls[at + 1], balls[at + 2], balls[at + 3]);
  for (let at = 0; at < points.length; at += 3) includePoint(box, points[at], points[at + 1], points[at + 2]);
  return box;
}

/**
 * What all bodies of a scene take up, each in its own frame, and where their stretches stand among the poses.
 */
export interface SceneExtents {
  readonly bodies: readonly BodyExtent[];
  readonly stretches: Int32Array;
}

export const extentsOf = (scene: Scene): SceneExtents => ({
  bodies: scene.bodies.map(bodyExtent),
  stretches: stretchPlaces(scene),
});

const place = new Float64Array(3);

/**
 * Grows the box by all bodies in their poses; one without extent counts by its place.
 * @param poses 7 a body, and stretches
 */
export function includePoses(box: SceneBox, { bodies, stretches }: SceneExtents, poses: Float64Array): void {
  bodies.forEach(({ balls, points }, body) => {
    const at = POSE_NUMBERS * body;
    const put = (x: number, y: number, z: number, radius: number): void => {
      carryTo(place, 0, poses, body, stretches[body], x, y, z);
      includeBall(box, poses[at] + place[0], poses[at + 1] + place[1], poses[at + 2] + place[2], radius);
    };
    for (let i = 0; i < balls.length; i += 4) put(balls[i], balls[i + 1], balls[i + 2], balls[i + 3]);
    for (let i = 0; i < points.length; i += 3) put(points[i], points[i + 1], points[i + 2], 0);
    if (balls.length + points.length === 0) put(0, 0, 0, 0);
  });
}

/** Half-side of a scene that is a single point, m. */
const LEAST_RADIUS = 0.5;

/** The box made fit for a camera: of a scene without extent, one of a metre about its place. */
export function presentable(box: SceneBox): SceneBox {
  if (isEmptyBox(box)) return { least: [-0.5, -0.5, -0.5], most: [0.5, 0.5, 0.5] };
  if (radiusOf(box) > 0) return box;
  const grown: SceneBox = { least: [...box.least], most: [...box.most] };
  includeBall(grown, ...centreOf(box), LEAST_RADIUS);
  return grown;
}

const isFlat = ({ geometry: { kind } }: SceneBody['shapes'][number]): boolean =>
  kind === 'disc' || kind === 'polygon';

/**
 * Whether all that moves does so in a plane, so that it is looked at from in front. Discs and polygons move
 * in nothing else.
 */
export function isFlatScene(scene: Scene): boolean {
  if (scene.bodies.some(({ shapes }) => shapes.some(isFlat))) return true;
  const moving = scene.bodies.filter(({ motion }) => motion !== null);
  return moving.length > 0 && moving.every(({ motion }) => motion?.kind === 'planar');
}

/** Largest of 1, 2, 5 times a power of ten that is not above x > 0. */
export function niceBelow(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  // One part in 10⁹ lets 0.1 · 10 count as 1.
  const digit = (x / power) * (1 + 1e-9);
  return power * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
}

/** Cells of a grid across the radius of a scene, about. */
const CELLS = 5;
/** A ground goes on beyond the scene by this factor. */
const GROUND_FACTOR = 1.5;

export interface GroundGrid {
  /** side of a cell, m */
  readonly cell: number;
  /** half-side of the ground, a whole number of cells, m */
  readonly half: number;
}

/** Grid on grounds, its size from the bounds of the scene. */
export function groundGrid(box: SceneBox): GroundGrid {
  const radius = radiusOf(box);
  const cell = niceBelow(radius / CELLS);
  return { cell, half: cell * Math.ceil((GROUND_FACTOR * radius) / cell - 1e-9) };
}

/** Normal and offset of a plane of a shape, in the world. */
export function planeInWorld(
  body: SceneBody,
  shape: SceneBody['shapes'][number],
  normal: Vector3,
  offset: number,
): { normal: [number, number, number]; offset: number } {
  const local = rotated(shape.orientation, normal);
  const n = rotated(body.orientation, local);
  const along = (p: Vector3): number => n[0] * p[0] + n[1] * p[1] + n[2] * p[2];
  return {
    normal: n,
    offset: offset + along(rotated(body.orientation, shape.position)) + along(body.position),
  };
}
