/**
 * Motion of all bodies in a plane z = const: the frames of the bodies are turned about z alone, V_z = 0 and
 * Ω_x = Ω_y = 0. With moments of inertia I_xz = I_yz = 0, M couples nothing in the plane with anything out of
 * it; where rows and loads do not either, the motion stays there. Rows of joints do so up to rounding of
 * their axes, which would add up: what leaves the plane is set to zero.
 */
import { POSITIONS, VELOCITIES } from './bodies/rigid-body';

/** Velocities of a body that lead out of the plane: V_z, Ω_x, Ω_y. */
export const OUT_OF_PLANE: readonly number[] = [2, 3, 4];

/** Velocities, or displacements, of all bodies ← their part in the plane. */
export function holdVelocities(u: Float64Array): void {
  for (let at = 0; at < u.length; at += VELOCITIES)
    for (let k = 0; k < OUT_OF_PLANE.length; k++) u[at + OUT_OF_PLANE[k]] = 0;
}

/** Positions of all bodies ← the nearest ones in the plane. @param former positions in it */
export function holdPositions(q: Float64Array, former: Float64Array): void {
  for (let at = 0; at < q.length; at += POSITIONS) {
    q[at + 2] = former[at + 2];
    q[at + 4] = 0;
    q[at + 5] = 0;
  }
}
