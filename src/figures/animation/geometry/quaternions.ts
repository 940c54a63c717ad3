/**
 * Rotations as unit quaternions (w, x, y, z), on plain arrays: what the picture is made of can be checked
 * without a picture.
 */
import type { Quaternion4, Vector3 } from '@engine/scene/scene';

export type Numbers = ArrayLike<number>;
type Writable = Float64Array | number[];

/**
 * Shortest arc that is still interpolated along the sphere; below it, along the chord, as sin θ would vanish.
 */
const SMALL_ANGLE = 1e-6;

/** Writes the product of two rotations, first that of `b`, to `out[at …]`. */
export function multiplyTo(
  out: Writable,
  at: number,
  a: Numbers,
  atA: number,
  b: Numbers,
  atB: number,
): void {
  const [aw, ax, ay, az] = [a[atA], a[atA + 1], a[atA + 2], a[atA + 3]];
  const [bw, bx, by, bz] = [b[atB], b[atB + 1], b[atB + 2], b[atB + 3]];
  out[at] = aw * bw - ax * bx - ay * by - az * bz;
  out[at + 1] = aw * bx + ax * bw + ay * bz - az * by;
  out[at + 2] = aw * by - ax * bz + ay * bw + az * bx;
  out[at + 3] = aw * bz + ax * by - ay * bx + az * bw;
}

/**
 * Writes the rotated vector to `out[at …]`. With u the vector part of Q, v' = v + 2w (u × v) + 2 u × (u × v);
 * written with c = 2 u × v it is v + w c + u × c.
 */
export function rotateTo(
  out: Writable | Float32Array,
  at: number,
  q: Numbers,
  atQ: number,
  x: number,
  y: number,
  z: number,
): void {
  const [w, ux, uy, uz] = [q[atQ], q[atQ + 1], q[atQ + 2], q[atQ + 3]];
  const cx = 2 * (uy * z - uz * y);
  const cy = 2 * (uz * x - ux * z);
  const cz = 2 * (ux * y - uy * x);
  out[at] = x + w * cx + uy * cz - uz * cy;
  out[at + 1] = y + w * cy + uz * cx - ux * cz;
  out[at + 2] = z + w * cz + ux * cy - uy * cx;
}

export function rotated(q: Numbers, v: Vector3): [number, number, number] {
  const out = [0, 0, 0];
  rotateTo(out, 0, q, 0, v[0], v[1], v[2]);
  return [out[0], out[1], out[2]];
}

/**
 * Writes the rotation that lies the fraction `s` of the way from `a` to `b`, along the great circle and the
 * shorter way round: Q and −Q are one rotation. Shoemake 1985.
 */
export function slerpTo(
  out: Writable,
  at: number,
  a: Numbers,
  atA: number,
  b: Numbers,
  atB: number,
  s: number,
): void {
  let dot = 0;
  for (let i = 0; i < 4; i++) dot += a[atA + i] * b[atB + i];
  const sign = dot < 0 ? -1 : 1;
  const angle = Math.acos(Math.min(1, sign * dot));
  let fromA = 1 - s;
  let fromB = s;
  if (angle > SMALL_ANGLE) {
    const sine = Math.sin(angle);
    fromA = Math.sin((1 - s) * angle) / sine;
    fromB = Math.sin(s * angle) / sine;
  }
  let square = 0;
  for (let i = 0; i < 4; i++) {
    const value = fromA * a[atA + i] + sign * fromB * b[atB + i];
    out[at + i] = value;
    square += value * value;
  }
  // Recorded quaternions have unit length to the accuracy of the integration only.
  const scale = square > 0 ? 1 / Math.sqrt(square) : 0;
  for (let i = 0; i < 4; i++) out[at + i] *= scale;
}

/** Lengths whose components may be subnormal numbers, of which a direction does not follow. */
const NO_DIRECTION = 1e-150;

/**
 * A rotation that turns (0, 0, 1) into the unit vector n, about the axis e_z × n: half-way vectors give (1 +
 * n_z, e_z × n), normalised.
 * Below the horizon 1 + n_z cancels; there it is r²/(1 − n_z) with r = |e_z × n|, and all is divided by r. Of
 * the opposite direction, half a turn about x.
 */
export function fromZ(n: Vector3): Quaternion4 {
  if (n[2] >= 0) {
    const w = 1 + n[2];
    const length = Math.hypot(w, n[0], n[1]);
    return [w / length, -n[1] / length, n[0] / length, 0];
  }
  const r = Math.hypot(n[0], n[1]);
  if (r < NO_DIRECTION) return [0, 1, 0, 0];
  const w = r / (1 - n[2]);
  const length = Math.hypot(w, 1);
  return [w / length, -n[1] / (r * length), n[0] / (r * length), 0];
}
