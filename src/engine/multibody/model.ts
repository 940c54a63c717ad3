/** What a user says of bodies in the plane. */
import type { LoadDescription } from './load';
import type { ConstraintDescription } from './registry';

/** A rigid body. Its frame has its origin at the mass centre; at φ = 0 it is parallel to the world's. */
export interface BodyDescription {
  id: string;
  /** kg, positive */
  mass: number;
  /** about the mass centre, kg m², positive */
  inertia: number;
  /** x and y of the mass centre (m) and φ (rad) at the start */
  position: readonly [number, number, number];
  /** their rates at the start; at rest when left out */
  velocity?: readonly [number, number, number];
}

export interface MultibodyModel {
  bodies: readonly BodyDescription[];
  constraints: readonly ConstraintDescription[];
  loads: readonly LoadDescription[];
}
