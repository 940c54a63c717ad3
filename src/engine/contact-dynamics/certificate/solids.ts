/**
 * Convex shapes as the certificate of distances sees them: the points that they consist of, how far they
 * reach in a direction, and how near two of them are.
 */
import type { HeightFieldShape, Shape } from '../../collision/shapes/shape';
import { larger } from '../../linalg/nan-safe';
import { dot, lengthOf } from '../../spatial/matrix3';
import { rotate, rotateBack, squaredNorm } from '../../spatial/quaternion';

const NONE = -1;

/** A shape on a body, or in the world. */
export interface PairedShape {
  /** of its body among those of contacts: −1 for what stands */
  readonly body: number;
  /** among all shapes of the model */
  readonly number: number;
  readonly shape: Shape;
  /** on the body, or in the world: x and Q */
  readonly placement: Float64Array;
}

/** A convex shape in the frame of its body. */
export interface Solid {
  readonly number: number;
  /** 3 each, m: corners, the ends of a capsule, the centres of a cylinder's ends */
  readonly points: Float64Array;
  /** around each of them, m: of a ball, or of a disc across the axis */
  readonly radius: number;
  /** of a cylinder */
  readonly axis: Float64Array | null;
  /** semi-axes of an ellipsoid around its point, 3 vectors, m */
  readonly semiAxes: Float64Array | null;
  /** outward normals and offsets, 4 each, of what its faces enclose */
  readonly faces: Float64Array;
  /** n and o of a plane: the half-space n·x ≤ o */
  readonly plane: Float64Array | null;
  readonly centre: Float64Array;
  /** around the centre, m */
  readonly size: number;
}

/** A shape where its body is: with directions and points brought into the frame of the body. */
export class Support {
  /** of the body, in the world */
  readonly origin = new Float64Array(3);
  solid: Solid | null = null;
  readonly #turn = new Float64Array(4);
  readonly #local = new Float64Array(3);
  readonly #arm = new Float64Array(3);

  place(solid: Solid, pose: Float64Array, at: number): void {
    this.solid = solid;
    const norm = Math.sqrt(squaredNorm(pose, at + 3));
    for (let i = 0; i < 3; i++) this.origin[i] = pose[at + i];
    for (let i = 0; i < 4; i++) this.#turn[i] = pose[at + 3 + i] / norm;
  }

  /** Entry of the normal of a plane in the world. */
  turned(plane: Float64Array, i: number): number {
    rotate(this.#turn, 0, plane, 0, this.#arm, 0);
    return this.#arm[i];
  }

  /** n·(x₂ − x₁) of the origins. */
  along({ origin }: Support, normal: Float64Array): number {
    let sum = 0;
    for (let i = 0; i < 3; i++) sum += normal[i] * (origin[i] - this.origin[i]);
    return sum;
  }

  /** Height of the origin of another body over this plane. @param normal of the plane in the world */
  heightOf(other: Support, normal: Float64Array): number {
    return this.along(other, normal) - (this.solid?.plane?.[3] ?? 0);
  }

  /** The largest sign n·p over the points p of the shape, counted from the origin of the body. */
  reach({ points, radius, axis, semiAxes }: Solid, normal: Float64Array, sign: number): number {
    const local = this.#local;
    rotateBack(this.#turn, 0, normal, 0, local, 0);
    let most = -Infinity;
    for (let i = 0; i < points.length; i += 3) {
      const along = sign * (local[0] * points[i] + local[1] * points[i + 1] + local[2] * points[i + 2]);
      if (along > most) most = along;
    }
    if (semiAxes !== null) return most + stretchOf(semiAxes, local);
    if (axis === null) return most + radius;
    const along = dot(local, 0, axis, 0);
    return most + radius * Math.sqrt(Math.max(0, 1 - along * along));
  }

  /** Adds sign · the point of the shape without its radius that is farthest along sign · n, in the world. */
  addFarthest(normal: Float64Array, sign: number, out: Float64Array, outAt: number): void {
    const { solid } = this;
    if (solid === null) return;
    const { points, radius, axis } = solid;
    const local = this.#local;
    rotateBack(this.#turn, 0, normal, 0, local, 0);
    let most = -Infinity;
    let at = 0;
    for (let i = 0; i < points.length; i += 3) {
      const along = sign * (local[0] * points[i] + local[1] * points[i + 1] + local[2] * points[i + 2]);
      if (along <= most) continue;
      most = along;
      at = i;
    }
    const arm = this.#arm;
    for (let i = 0; i < 3; i++) arm[i] = points[at + i];
    if (axis !== null) {
      const along = dot(local, 0, axis, 0);
      for (let i = 0; i < 3; i++) local[i] -= along * axis[i];
      const across = lengthOf(local, 0);
      if (across > 0) for (let i = 0; i < 3; i++) arm[i] += (sign * radius * local[i]) / across;
    }
    rotate(this.#turn, 0, arm, 0, arm, 0);
    for (let i = 0; i < 3; i++) out[outAt + i] += sign * (arm[i] + this.origin[i]);
  }

  /** How far a point is outside of the shape, m. @param point from the origin of the body, in the world */
  outside({ points, radius, axis, semiAxes, faces }: Solid, point: Float64Array): number {
    const local = this.#local;
    rotateBack(this.#turn, 0, point, 0, local, 0);
    if (semiAxes !== null) {
      for (let i = 0; i < 3; i++) local[i] -= points[i];
      return beyondEllipsoid(semiAxes, local);
    }
    let off = 0;
    for (let f = 0; f < faces.length; f += 4) off = larger(off, dot(faces, f, local, 0) - faces[f + 3]);
    if (faces.length > 0) return off;
    // A ball, or what is around a line.
    const end = points.length - 3;
    let length = 0;
    let along = 0;
    for (let i = 0; i < 3; i++) {
      this.#arm[i] = points[end + i] - points[i];
      length += this.#arm[i] ** 2;
      along += this.#arm[i] * (local[i] - points[i]);
    }
    const part = length > 0 ? along / length : 0;
    const held = axis === null ? Math.max(0, Math.min(1, part)) : part;
    let square = 0;
    for (let i = 0; i < 3; i++) square += (local[i] - points[i] - held * this.#arm[i]) ** 2;
    off = Math.sqrt(square) - radius;
    if (axis !== null) off = larger(off, Math.sqrt(length) * larger(-part, part - 1));
    return larger(off, 0);
  }
}

/** |A n| of an ellipsoid. */
function stretchOf(semiAxes: Float64Array, normal: Float64Array): number {
  let square = 0;
  for (let k = 0; k < 9; k += 3) square += dot(semiAxes, k, normal, 0) ** 2;
  return Math.sqrt(square);
}

/** How far a point is beyond an ellipsoid along the line to its centre, m. @param point from the centre */
function beyondEllipsoid(semiAxes: Float64Array, point: Float64Array): number {
  let square = 0;
  for (let k = 0; k < 9; k += 3) square += (dot(semiAxes, k, point, 0) / dot(semiAxes, k, semiAxes, k)) ** 2;
  return square > 1 ? lengthOf(point, 0) * (1 - 1 / Math.sqrt(square)) : 0;
}

const MOST_STEPS = 40;
/** Of distances: bounds of them that are this near are one. */
const CLOSE = 1e-9;

/** The distance of two convex sets, by the point of their difference that is nearest to the origin. */
export class NearestPoints {
  /** up to four points of the difference, and the nearest point of what they span */
  readonly #corners = new Float64Array(12);
  readonly #point = new Float64Array(3);
  readonly #weights = new Float64Array(4);
  readonly #best = new Float64Array(4);
  readonly #matrix = new Float64Array(9);
  readonly #right = new Float64Array(3);
  readonly #trial = new Float64Array(3);
  #count = 0;

  /**
   * @param enough a distance, m, beyond which any bound will do
   * @returns m; minus both radii where what these are around overlaps
   */
  distance(first: Support, second: Support, enough: number): number {
    const radii = radiusOf(first) + radiusOf(second);
    const point = this.#point;
    for (let i = 0; i < 3; i++) point[i] = second.origin[i] - first.origin[i];
    if (lengthOf(point, 0) === 0) point[0] = 1;
    this.#count = 0;
    for (let step = 0; step < MOST_STEPS; step++) {
      const length = lengthOf(point, 0);
      const corner = 3 * this.#count;
      this.#corners.fill(0, corner, corner + 3);
      second.addFarthest(point, -1, this.#corners, corner);
      first.addFarthest(point, 1, this.#corners, corner);
      for (let i = 0; i < 3; i++) this.#corners[corner + i] = -this.#corners[corner + i];
      const bound = dot(point, 0, this.#corners, corner) / length;
      if (bound - radii > enough) return bound - radii;
      if (this.#count > 0 && length - bound <= CLOSE * length) return length - radii;
      this.#count++;
      if (!this.#reduce()) return -radii;
      if (lengthOf(point, 0) === 0) return -radii;
    }
    return lengthOf(point, 0) - radii;
  }

  /** The point of the simplex nearest to the origin, with the corners it needs. @returns false inside */
  #reduce(): boolean {
    const count = this.#count;
    let least = Infinity;
    let chosen = 0;
    for (let mask = 1; mask < 1 << count; mask++) {
      if (!this.#project(mask)) continue;
      const square = dot(this.#trial, 0, this.#trial, 0);
      if (!(square < least)) continue;
      least = square;
      chosen = mask;
      this.#best.set(this.#weights);
      this.#point.set(this.#trial);
    }
    if (chosen === 15) return false;
    let kept = 0;
    for (let k = 0; k < count; k++) {
      if ((chosen & (1 << k)) === 0) continue;
      for (let i = 0; i < 3; i++) this.#corners[3 * kept + i] = this.#corners[3 * k + i];
      kept++;
    }
    this.#count = kept;
    return true;
  }

  /** The foot of the origin on what some corners span. @returns whether it is between them */
  #project(mask: number): boolean {
    const [corners, weights, matrix, right] = [this.#corners, this.#weights, this.#matrix, this.#right];
    weights.fill(0);
    let base = NONE;
    let size = 0;
    for (let k = 0; k < 4; k++) {
      if ((mask & (1 << k)) === 0) continue;
      if (base === NONE) {
        base = k;
        continue;
      }
      right[size] = 0;
      for (let i = 0; i < 3; i++)
        right[size] -= corners[3 * base + i] * (corners[3 * k + i] - corners[3 * base + i]);
      let column = 0;
      for (let l = 0; l < 4; l++) {
        if ((mask & (1 << l)) === 0 || l === base) continue;
        let sum = 0;
        for (let i = 0; i < 3; i++)
          sum += (corners[3 * k + i] - corners[3 * base + i]) * (corners[3 * l + i] - corners[3 * base + i]);
        matrix[3 * size + column++] = sum;
      }
      size++;
    }
    if (!solve(matrix, right, size)) return false;
    let rest = 1;
    let next = 0;
    for (let k = 0; k < 4; k++) {
      if ((mask & (1 << k)) === 0 || k === base) continue;
      weights[k] = right[next++];
      if (!(weights[k] >= 0)) return false;
      rest -= weights[k];
    }
    if (!(rest >= 0)) return false;
    weights[base] = rest;
    for (let i = 0; i < 3; i++) {
      this.#trial[i] = 0;
      for (let k = 0; k < 4; k++) if (weights[k] > 0) this.#trial[i] += weights[k] * corners[3 * k + i];
    }
    return true;
  }
}

/** Of a cylinder the radius belongs to its points. */
const radiusOf = ({ solid }: Support): number => (solid === null || solid.axis !== null ? 0 : solid.radius);

/** x ← A⁻¹ x, A symmetric with 3 numbers a row. @returns false where A has no inverse */
function solve(a: Float64Array, x: Float64Array, size: number): boolean {
  for (let k = 0; k < size; k++) {
    const pivot = a[4 * k];
    if (!(pivot > 0)) return false;
    for (let r = k + 1; r < size; r++) {
      const factor = a[3 * r + k] / pivot;
      for (let c = k; c < size; c++) a[3 * r + c] -= factor * a[3 * k + c];
      x[r] -= factor * x[k];
    }
  }
  for (let k = size - 1; k >= 0; k--) {
    for (let c = k + 1; c < size; c++) x[k] -= a[3 * k + c] * x[c];
    x[k] /= a[4 * k];
  }
  return true;
}

/** @returns null of a height field, which is not convex */
export function solidOf({ number, shape, placement }: PairedShape): Solid | null {
  if (shape.kind === 'heightField') return null;
  const none = new Float64Array(0);
  if (shape.kind === 'ellipsoid') {
    const semiAxes = new Float64Array(9);
    for (let k = 0; k < 3; k++) {
      semiAxes[4 * k] = shape.semiAxes[k];
      rotate(placement, 3, semiAxes, 3 * k, semiAxes, 3 * k);
    }
    const centre = placement.slice(0, 3);
    const round = { number, points: centre, radius: 0, axis: null, semiAxes, faces: none, plane: null };
    return { ...round, centre, size: Math.max(...shape.semiAxes) };
  }
  if (shape.kind === 'plane') {
    const plane = new Float64Array(4);
    rotate(placement, 3, shape.normal, 0, plane, 0);
    plane[3] = shape.offset + dot(plane, 0, placement, 0);
    const solid = { number, points: none, radius: 0, axis: null, semiAxes: null, faces: none, plane };
    return { ...solid, centre: placement.slice(0, 3), size: Infinity };
  }
  const { radius } = shape;
  const isCylinder = shape.kind === 'cylinder';
  const points = isCylinder
    ? Float64Array.of(0, 0, -shape.halfHeight, 0, 0, shape.halfHeight)
    : shape.core.vertices.slice();
  const axis = isCylinder ? Float64Array.of(0, 0, 1) : null;
  if (axis !== null) rotate(placement, 3, axis, 0, axis, 0);
  const centre = placement.slice(0, 3);
  let size = 0;
  for (let i = 0; i < points.length; i += 3) {
    size = Math.max(size, Math.hypot(points[i], points[i + 1], points[i + 2]) + radius);
    rotate(placement, 3, points, i, points, i);
    for (let k = 0; k < 3; k++) points[i + k] += placement[k];
  }
  const faces = !isCylinder && radius === 0 ? facesOf(shape.core, placement, points) : none;
  return { number, points, radius, axis, semiAxes: null, faces, plane: null, centre, size };
}

/** The surface of a height field in the frame of its body, as far as it tells which contacts may be its. */
export class FieldSurface {
  readonly #field: HeightFieldShape;
  /** √(1 + s²) of the largest slope s */
  readonly #steepness: number;
  readonly #local = new Float64Array(3);

  constructor(
    field: HeightFieldShape,
    private readonly placement: Float64Array,
  ) {
    this.#field = field;
    const { columns, rows, spacingX, spacingY, heights } = field;
    let square = 0;
    for (let j = 0; j + 1 < rows; j++)
      for (let i = 0; i + 1 < columns; i++) {
        const at = j * columns + i;
        const along = [heights[at + 1] - heights[at], heights[at + columns + 1] - heights[at + columns]];
        const across = [heights[at + columns + 1] - heights[at + 1], heights[at + columns] - heights[at]];
        for (let k = 0; k < 2; k++)
          square = Math.max(square, (along[k] / spacingX) ** 2 + (across[k] / spacingY) ** 2);
      }
    this.#steepness = Math.sqrt(1 + square);
  }

  /** Whether some point of the surface may be this near, m. @param point in the frame of the body */
  isNear(point: Float64Array, far: number): boolean {
    const { columns, rows, spacingX, spacingY, heights } = this.#field;
    const local = this.#local;
    for (let i = 0; i < 3; i++) local[i] = point[i] - this.placement[i];
    rotateBack(this.placement, 3, local, 0, local, 0);
    const x = Math.max(0, Math.min(columns - 1, local[0] / spacingX));
    const y = Math.max(0, Math.min(rows - 1, local[1] / spacingY));
    if (Math.hypot(local[0] - x * spacingX, local[1] - y * spacingY) > far) return false;
    const i = Math.min(Math.floor(x), columns - 2);
    const j = Math.min(Math.floor(y), rows - 2);
    const [u, v] = [x - i, y - j];
    const at = j * columns + i;
    const [first, last] = [heights[at], heights[at + columns + 1]];
    const corner = u >= v ? heights[at + 1] : heights[at + columns];
    const height = first + Math.max(u, v) * (corner - first) + Math.min(u, v) * (last - corner);
    return Math.abs(local[2] - height) <= far * this.#steepness;
  }
}

type Core = Extract<Shape, { core: unknown }>['core'];

function facesOf(core: Core, placement: Float64Array, points: Float64Array): Float64Array {
  const faces = new Float64Array(4 * core.faceCount);
  for (let f = 0; f < core.faceCount; f++) {
    rotate(placement, 3, core.normals, 3 * f, faces, 4 * f);
    faces[4 * f + 3] = dot(faces, 4 * f, points, 3 * core.faceVertices[core.faceStart[f]]);
  }
  return faces;
}
