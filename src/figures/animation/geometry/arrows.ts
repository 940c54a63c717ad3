/**
 * Matrices of arrows and cones, made of forms of unit size about z: a shaft and a head from 0 to 1, a cone
 * whose tip is the origin.
 */
import { writeInstanceMatrix } from './instancing';
import { fromZ } from './quaternions';

/** Length of the head, in widths of the shaft; a short arrow is all head. */
const HEAD_LENGTH = 5;
const HEAD_WIDTH = 2.4;
/** Part of an arrow that its head takes, at most. */
const MOST_HEAD = 0.5;

/** Matrices of one kind of mark, 16 numbers each. */
export interface ArrowMatrices {
  readonly shafts: Float32Array;
  readonly heads: Float32Array;
}

const place = new Float64Array(3);

/** Nothing to be seen: all corners in one point. */
function hide(out: Float32Array, index: number): void {
  out.fill(0, 16 * index, 16 * index + 16);
  out[16 * index + 15] = 1;
}

/**
 * Writes the arrow from a point along a vector: the shaft is that long less its head.
 * @param points coordinates, `at` the first of this point
 * @param vectors as long as the arrow is to be, m
 * @param width radius of the shaft, m
 */
export function writeArrow(
  out: ArrowMatrices,
  index: number,
  points: ArrayLike<number>,
  vectors: ArrayLike<number>,
  at: number,
  scale: number,
  width: number,
): void {
  const [x, y, z] = [vectors[at] * scale, vectors[at + 1] * scale, vectors[at + 2] * scale];
  const length = Math.hypot(x, y, z);
  if (!(length > 0) || !Number.isFinite(length)) {
    hide(out.shafts, index);
    hide(out.heads, index);
    return;
  }
  const direction = [x / length, y / length, z / length] as const;
  const rotation = fromZ(direction);
  const head = Math.min(HEAD_LENGTH * width, MOST_HEAD * length);
  const headWidth = (HEAD_WIDTH * head) / HEAD_LENGTH;
  for (let i = 0; i < 3; i++) place[i] = points[at + i];
  writeInstanceMatrix(out.shafts, index, place, rotation, 0, width, width, length - head);
  for (let i = 0; i < 3; i++) place[i] += direction[i] * (length - head);
  writeInstanceMatrix(out.heads, index, place, rotation, 0, headWidth, headWidth, head);
}

/**
 * Writes a cone of friction: forces up to the angle atan μ from the normal. Its radius at the height h is μ
 * h.
 * @param mu coefficient of friction @param height m
 */
export function writeCone(
  out: Float32Array,
  index: number,
  points: ArrayLike<number>,
  normals: ArrayLike<number>,
  at: number,
  mu: number,
  height: number,
): void {
  if (!(mu > 0) || !Number.isFinite(mu)) return hide(out, index);
  for (let i = 0; i < 3; i++) place[i] = points[at + i];
  const rotation = fromZ([normals[at], normals[at + 1], normals[at + 2]]);
  writeInstanceMatrix(out, index, place, rotation, 0, mu * height, mu * height, height);
}

/** Writes a ball, or another form of the same size in all directions, not turned. */
export function writeBall(
  out: Float32Array,
  index: number,
  points: ArrayLike<number>,
  at: number,
  radius: number,
): void {
  for (let i = 0; i < 3; i++) place[i] = points[at + i];
  writeInstanceMatrix(out, index, place, IDENTITY, 0, radius, radius, radius);
}

const IDENTITY = [1, 0, 0, 0] as const;

/** Largest length of vectors of three, of the first `count`. */
export function longest(vectors: ArrayLike<number>, count: number): number {
  let most = 0;
  for (let i = 0; i < count; i++) {
    const length = Math.hypot(vectors[3 * i], vectors[3 * i + 1], vectors[3 * i + 2]);
    if (Number.isFinite(length)) most = Math.max(most, length);
  }
  return most;
}
