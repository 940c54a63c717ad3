/**
 * Orientations as people give them, and as quaternions (w, x, y, z). A turn by φ about the unit vector n is
 * (cos φ/2, n sin φ/2); the angles of Euler here are those of ships and aircraft: about z by yaw, then about
 * the new y by pitch, then about the new x by roll, which is the product of the three turns from left to
 * right. Diebel 2006 §6.
 */

export type Triple = [number, number, number];
export type OrientationQuaternion = [number, number, number, number];

export interface Turn {
  /** rad, from 0 to π */
  readonly angle: number;
  /** unit vector; z where there is no turn */
  readonly axis: Triple;
}

/** Yaw, pitch and roll, rad. */
export type EulerAngles = Triple;

/** What is left of a zero by rounding of sines and cosines. */
const ROUNDING = 1e-15;
const tidy = (value: number): number => (Math.abs(value) < ROUNDING ? 0 : value);

/** The quaternion with length 1; null of zero and of what is no number. */
function unit([w, x, y, z]: OrientationQuaternion): OrientationQuaternion | null {
  const length = Math.hypot(w, x, y, z);
  return length > 0 && Number.isFinite(length) ? [w / length, x / length, y / length, z / length] : null;
}

/** The turn of a quaternion of any length; null of one that is none. */
export function turnOf(quaternion: OrientationQuaternion): Turn | null {
  const given = unit(quaternion);
  if (given === null) return null;
  const [w, x, y, z] = given;
  const sine = Math.hypot(x, y, z);
  if (sine < ROUNDING) return { angle: 0, axis: [0, 0, 1] };
  // Q and −Q are the same orientation: the shorter turn is the one that is read easily.
  const sign = w < 0 ? -1 : 1;
  const along = (value: number): number => tidy((sign * value) / sine);
  return { angle: 2 * Math.atan2(sine, Math.abs(w)), axis: [along(x), along(y), along(z)] };
}

/** @param angle rad @param axis of any length; null where it has none */
export function quaternionOfTurn(angle: number, axis: Triple): OrientationQuaternion | null {
  const length = Math.hypot(...axis);
  if (!(length > 0) || !Number.isFinite(length) || !Number.isFinite(angle)) return null;
  const sine = Math.sin(0.5 * angle) / length;
  return [tidy(Math.cos(0.5 * angle)), tidy(axis[0] * sine), tidy(axis[1] * sine), tidy(axis[2] * sine)];
}

/** @param angles rad; null where one is no number */
export function quaternionOfEuler(angles: EulerAngles): OrientationQuaternion | null {
  if (!angles.every(Number.isFinite)) return null;
  const [cz, cy, cx] = angles.map((angle) => Math.cos(0.5 * angle)) as Triple;
  const [sz, sy, sx] = angles.map((angle) => Math.sin(0.5 * angle)) as Triple;
  return [
    tidy(cz * cy * cx + sz * sy * sx),
    tidy(cz * cy * sx - sz * sy * cx),
    tidy(cz * sy * cx + sz * cy * sx),
    tidy(sz * cy * cx - cz * sy * sx),
  ];
}

/**
 * Sine of the pitch from which on yaw and roll turn about one axis and only their sum or difference is known.
 */
const GIMBAL = 1 - 1e-12;

/** Angles of a quaternion of any length; null of one that is none. With a pitch of ±90° the roll is zero. */
export function eulerOf(quaternion: OrientationQuaternion): EulerAngles | null {
  const given = unit(quaternion);
  if (given === null) return null;
  const [w, x, y, z] = given;
  const sine = 2 * (w * y - x * z);
  if (Math.abs(sine) >= GIMBAL) return [tidy(2 * Math.atan2(z, w)), Math.sign(sine) * 0.5 * Math.PI, 0];
  return [
    tidy(Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))),
    tidy(Math.asin(sine)),
    tidy(Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))),
  ];
}
