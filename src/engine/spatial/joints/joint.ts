/**
 * Joints between two 3D bodies, or between a body and the ground: what one is, and how its frames are
 * given.
 */
import { multiplyQuaternions, rotateBack } from '../quaternion';
import type { SpatialMarker } from '../marker';
import type { SpatialRows } from '../rows';

export interface SpatialJoint {
  readonly id: string;
  readonly type: string;
  /** equations, h = 0 */
  readonly rows: readonly SpatialRows[];
  /** what the joint leaves free, each one row, for limits, motors, friction and plots; its rate is H v */
  readonly coordinates: readonly SpatialRows[];
  /** stops, h ≥ 0 */
  readonly limits: readonly SpatialRows[];
  /** of the stops, Newton's law, 0 … 1 */
  readonly restitution: number;
  readonly frictions: readonly JointFriction[];
  readonly motors: readonly JointMotor[];
  /** where it takes hold of the first and of the second body */
  readonly first: SpatialMarker;
  readonly second: SpatialMarker;
  /** numbers of further bodies that it links */
  readonly others?: readonly number[];
}

/** Dry friction that opposes the rate of a coordinate. */
export interface JointFriction {
  readonly coordinate: SpatialRows;
  /** largest force, N, or moment, N m */
  readonly bound: number;
}

/** What drives a coordinate at a speed as far as its force suffices. */
export interface JointMotor {
  readonly coordinate: SpatialRows;
  /** m/s or rad/s */
  readonly speed: number;
  /** largest force, N, or moment, N m; infinite where the speed is prescribed */
  readonly limit: number;
}

/** What the builder of a type gives; limits, friction and motors are added to every type in the same way. */
export type JointEquations = Pick<SpatialJoint, 'rows' | 'coordinates'>;

/** A frame on a body, or on the ground: a point and three axes. */
export interface SpatialAttachment {
  /** id of the body, or `SPATIAL_GROUND` */
  body: string;
  /** in the body's frame, whose origin is the mass centre, m; the origin when left out */
  point?: readonly number[];
  /** quaternion that maps the joint's frame to the body's; that of the body when left out */
  frame?: readonly number[];
}

export const SPATIAL_GROUND = 'ground';

export interface SpatialJointDescription {
  type: string;
  id: string;
  first: SpatialAttachment;
  second: SpatialAttachment;
  /** bounds [lower, upper] by the name of a coordinate, m or rad; ∓∞ where there is none */
  limits?: Readonly<Record<string, readonly [number, number]>>;
  /** largest force or moment of dry friction by coordinate, N or N m */
  friction?: Readonly<Record<string, number>>;
  /** speed that a motor drives a coordinate to, m/s or rad/s, and its largest force or moment, N or N m */
  motors?: Readonly<Record<string, { readonly speed: number; readonly limit: number }>>;
  /** ratio of the velocities after and before a stop is hit, 0 … 1; 0 when left out */
  restitution?: number;
}

/** What a type of joint is, for forms, palette and reference. */
export interface SpatialJointDefinition {
  type: string;
  title: string;
  summary: string;
  /** number of its equations: degrees of freedom it takes away */
  rows: number;
  /** whether it takes hold of points only, and of no axes; not when left out */
  takesPoints?: boolean;
  /** names of what it leaves free and can measure */
  coordinates: readonly string[];
  /** LaTeX; a, b, c and a′, b′, c′ are the axes of the first and of the second frame */
  equations: readonly string[];
}

/** Quaternion of a frame whose third axis has the given direction: the shortest turn of (0, 0, 1). */
export function frameAlong(direction: readonly number[]): [number, number, number, number] {
  const [x, y, z] = direction;
  const length = Math.hypot(x, y, z);
  // (1 + cos θ, sin θ n) without a normalisation, n = e_z×direction
  const w = length + z;
  // The opposite direction: half a turn about x.
  if (!(w > 1e-14 * length)) return [0, 1, 0, 0];
  const norm = Math.hypot(w, x, y);
  return [w / norm, -y / norm, x / norm, 0];
}

/**
 * The attachment to a body of what is given in the world's frame, so that both sides of a joint agree in the
 * state at hand.
 * @param q the body's x and Q, 7 numbers @param point m @param frame quaternion from the joint's frame to the
 *   world's
 */
export function attachmentAt(
  body: string,
  q: Float64Array,
  point: readonly number[],
  frame: readonly number[],
): Required<SpatialAttachment> {
  const arm = Float64Array.from(point, (x, i) => x - q[i]);
  rotateBack(q, 3, arm, 0, arm, 0);
  const inverse = Float64Array.of(q[3], -q[4], -q[5], -q[6]);
  const relative = Float64Array.from(frame);
  multiplyQuaternions(inverse, 0, relative, 0, relative, 0);
  return { body, point: [...arm], frame: [...relative] };
}
