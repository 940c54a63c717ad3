/** 3D bodies that the tests share. */
import { type BodyDescription, compileSpatial } from '@engine/spatial/compile';
import type { JointDescription } from '@engine/spatial/joints/registry';
import type { LoadDescription } from '@engine/spatial/loads';
import type { SpatialSystem } from '@engine/spatial/system';
import type { Random } from '../../support/random';

export const compile = (
  bodies: readonly BodyDescription[],
  joints: readonly JointDescription[] = [],
  loads: readonly LoadDescription[] = [],
): SpatialSystem => compileSpatial({ bodies, joints, loads });

/** A body with principal moments in the origin, turning freely. */
export const freeBody = (
  inertia: readonly number[],
  spin: readonly number[],
  orientation: readonly number[] = [1, 0, 0, 0],
): SpatialSystem => compile([{ id: 'body', mass: 1, inertia, position: [0, 0, 0], orientation, spin }]);

/** Quaternion of a turn by an angle about an axis that need not be normalised. */
export function turnAbout(axis: readonly number[], angle: number): number[] {
  const length = Math.hypot(...axis);
  return [Math.cos(angle / 2), ...axis.map((x) => (Math.sin(angle / 2) * x) / length)];
}

/**
 * A hinged body that swings in the x–z plane: the hinge, along y, is `arm` above the mass centre when it
 * hangs.
 */
export function pendulum(options: {
  mass: number;
  /** moment of inertia about the axis of the hinge through the mass centre */
  inertia: number;
  arm: number;
  /** from hanging, rad */
  angle: number;
  gravity: number;
}): SpatialSystem {
  const { mass, inertia, arm, angle, gravity } = options;
  // A turn about y by −angle takes the mass centre from (0, 0, −arm) to (arm sin, 0, −arm cos).
  const hinge = turnAbout([1, 0, 0], -Math.PI / 2);
  return compile(
    [
      {
        id: 'bob',
        mass,
        inertia: [0.5, inertia, 0.7],
        position: [arm * Math.sin(angle), 0, -arm * Math.cos(angle)],
        orientation: turnAbout([0, 1, 0], -angle),
      },
    ],
    [
      {
        type: 'revolute',
        id: 'hinge',
        first: { body: 'ground', frame: hinge },
        second: { body: 'bob', point: [0, 0, arm], frame: hinge },
      },
    ],
    [{ type: 'gravity', id: 'weight', acceleration: [0, 0, -gravity] }],
  );
}

export const vector = (random: Random, size: number, scale = 1): Float64Array =>
  Float64Array.from({ length: size }, () => random.uniform(-scale, scale));

/** A quaternion of any orientation, with |Q| = 1. */
export function unitQuaternion(random: Random): Float64Array {
  for (;;) {
    const q = vector(random, 4);
    const norm = Math.hypot(...q);
    if (norm > 0.3 && norm < 1) return q.map((x) => x / norm);
  }
}

/** Positions of `bodies` bodies, with unit quaternions. */
export const pose = (random: Random, bodies: number): Float64Array =>
  Float64Array.from(
    Array.from({ length: bodies }, () => [...vector(random, 3, 1.5), ...unitQuaternion(random)]).flat(),
  );
