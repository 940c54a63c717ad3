/**
 * Frames of joints as quaternions, from the directions that a document gives; and where points of bodies are
 * in the world.
 */
import { frameAlong } from '../../spatial/joint';
import { solveMatrix } from '../../spatial/matrix3';
import { multiplyQuaternions, rotate } from '../../spatial/quaternion';

type Vector = readonly [number, number, number];
export type Quaternion = readonly number[];

/** Sine of the angle between two directions below which they count as one. */
const PARALLEL = 1e-8;

export type FrameDefect = 'axis-zero' | 'directions-parallel';

const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** The vector with length 1; null of zero. */
function unit(v: Vector): Vector | null {
  const length = Math.hypot(v[0], v[1], v[2]);
  return length > 0 ? [v[0] / length, v[1] / length, v[2] / length] : null;
}

/**
 * Quaternion of the frame whose third axis is `axis` and whose first one is `direction` without its share
 * along the axis, or any where no direction is given.
 */
export function frameOf(axis: Vector, direction: Vector | null): Quaternion | FrameDefect {
  const third = unit(axis);
  if (third === null) return 'axis-zero';
  if (direction === null) return frameAlong(third);
  const given = unit(direction);
  if (given === null) return 'axis-zero';
  const across = cross(third, given);
  if (Math.hypot(...across) < PARALLEL) return 'directions-parallel';
  const second = unit(across) ?? across;
  return quaternionOf(cross(second, third), second, third);
}

/** The same with `axis` for the first axis and `direction` for the second. */
export function crossFrame(axis: Vector, direction: Vector): Quaternion | FrameDefect {
  const first = unit(axis);
  const given = unit(direction);
  if (first === null || given === null) return 'axis-zero';
  const across = cross(first, given);
  if (Math.hypot(...across) < PARALLEL) return 'directions-parallel';
  const third = unit(across) ?? across;
  return quaternionOf(first, cross(third, first), third);
}

/**
 * Quaternion of the rotation with these columns, by the largest of its four numbers: Shepperd 1978.
 */
function quaternionOf(a: Vector, b: Vector, c: Vector): Quaternion {
  const trace = a[0] + b[1] + c[2];
  const squares = [trace, a[0], b[1], c[2]];
  const largest = squares.indexOf(Math.max(...squares));
  const numbers = [
    [1 + trace, b[2] - c[1], c[0] - a[2], a[1] - b[0]],
    [b[2] - c[1], 1 + a[0] - b[1] - c[2], a[1] + b[0], c[0] + a[2]],
    [c[0] - a[2], a[1] + b[0], 1 + b[1] - a[0] - c[2], b[2] + c[1]],
    [a[1] - b[0], c[0] + a[2], b[2] + c[1], 1 + c[2] - a[0] - b[1]],
  ][largest];
  const length = Math.hypot(...numbers);
  return numbers.map((number) => number / length);
}

/** A point and a frame of a body, in the world. */
export function placedFrame(
  pose: Float64Array,
  point: readonly number[],
  frame: Quaternion,
): { point: number[]; frame: number[] } {
  const place = Float64Array.from(point);
  rotate(pose, 3, place, 0, place, 0);
  const turned = Float64Array.from(frame);
  multiplyQuaternions(pose, 3, turned, 0, turned, 0);
  return { point: Array.from(place, (value, i) => value + pose[i]), frame: [...turned] };
}

/** The point ξ of a body that deforms, in the world: x̄ + F ξ. @param f F row by row */
export function placedPoint(
  pose: Float64Array,
  f: readonly number[],
  [x, y, z]: readonly number[],
): number[] {
  return [0, 1, 2].map((i) => pose[i] + f[3 * i] * x + f[3 * i + 1] * y + f[3 * i + 2] * z);
}

/** The point ξ that stands at P in the world: F⁻¹ (P − x̄); not finite where F is singular. */
export function materialPoint(pose: Float64Array, f: readonly number[], point: readonly number[]): number[] {
  const place = Float64Array.from(point, (value, i) => value - pose[i]);
  solveMatrix(Float64Array.from(f), 0, place);
  return [...place];
}
