/**
 * 3D bodies as the user models them: what a document says, evaluated and checked, before anything is
 * computed.
 */
import type { ControlBlock } from '../control/block';
import type { ContactMaterial } from '../contact-laws/registry';
import type { Shape } from '../../collision/shapes/shape';
import type { SceneShape } from '../../scene/scene';
import type { JointDescription } from '../../spatial/joints/registry';
import type { InertiaLaw } from '../../spatial/bodies/rigid-body';
import type { CoordinateFunction } from '../../spatial/general-relation';

/** A shape on a body. */
export interface BodyShape {
  readonly shape: Shape;
  /** position and quaternion of the shape in the frame of the body, 7 numbers */
  readonly pose: Float64Array;
  /** the same as it is drawn */
  readonly scene: SceneShape;
}

/**
 * Fills the force by velocities: of a rigid body (F, M), 6 numbers, force in the world's frame, N, and moment
 * about the mass centre in the body's, N m; of a pseudo-rigid one 12, the force and the sum of f⊗ξ.
 */
export type BodyForce = (clock: Float64Array, q: Float64Array, v: Float64Array, out: Float64Array) => void;

/** What moves and what does not. */
export interface SpaceBody {
  readonly type: string;
  readonly id: string;
  /** x and Q at the start, or for good, 7 numbers; Q has the length 1 */
  readonly pose: Float64Array;
  readonly shapes: readonly BodyShape[];
  /** whether the document lists any, be they sound or not */
  readonly listsShapes: boolean;
  /** null of what contacts and joints do not move */
  readonly dynamics: BodyDynamics | null;
  /** how that moves all the same, as prescribed; null where it stays */
  readonly motion: PrescribedMotion | null;
}

/** A prescribed motion. */
export interface PrescribedMotion {
  /** whether the body moves, and not only its surface */
  readonly moves: boolean;
  /**
   * Position and unit quaternion, 7 numbers from `at` on.
   * @param clock [0] the time, s
   * @throws {EngineError} when a function of it fails
   */
  pose(clock: Float64Array, out: Float64Array, at: number): void;
  /** V and ω, both in the world’s frame, 6 numbers from `at` on. */
  velocity(clock: Float64Array, out: Float64Array, at: number): void;
  /** Velocity of its surface in the frame of the body, m/s, 3 numbers from `at` on. */
  slide(clock: Float64Array, out: Float64Array, at: number): void;
  /** Calls each of its functions once, for the conditions in them. */
  consult(clock: Float64Array): void;
}

export type BodyDynamics = RigidDynamics | PseudoRigidDynamics;

interface CommonDynamics {
  /** kg */
  readonly mass: number;
  /** m/s² */
  readonly gravity: readonly [number, number, number];
  /** other forces; null where there are none */
  readonly force: BodyForce | null;
}

export interface PseudoRigidDynamics extends CommonDynamics {
  readonly kind: 'pseudoRigid';
  /** E, 3 × 3 row by row, kg m² */
  readonly euler: readonly number[];
  /** m³ */
  readonly volume: number;
  /** λ and μ of Lamé, Pa, and τ, s */
  readonly lambda: number;
  readonly mu: number;
  readonly relaxation: number;
  /** F at the start, row by row; Ḟ, 1/s; and x̄˙, m/s */
  readonly deformation: readonly number[];
  readonly rate: readonly number[];
  readonly velocity: readonly number[];
}

export interface RigidDynamics extends CommonDynamics {
  readonly kind: 'rigid';
  /** about the mass centre in the body's frame, 3 × 3 row by row, kg m² */
  readonly inertia: readonly number[];
  /** function of time in its place; null where it is constant */
  readonly inertiaLaw: InertiaLaw | null;
  /** V in the world's frame, m/s, and Ω in the body's, rad/s, at the start */
  readonly velocity: Float64Array;
  /** what of force and moment is constant, (F, M), each in its frame */
  readonly constantForce: Float64Array;
  /** where the force acts, in the body's frame, m */
  readonly forcePoint: Float64Array;
}

/** A joint between two bodies, or between a body and the ground. */
export interface SpaceJoint {
  readonly kind: 'joint';
  readonly type: string;
  /** sides are the ids of the linked bodies, or `GROUND` */
  readonly description: JointDescription;
  /** number of its equations */
  readonly rows: number;
  /** what it leaves free and measures */
  readonly coordinates: readonly JointCoordinate[];
  /** its axis in the frame of the first side, for the scene; null where it has none */
  readonly axis: readonly [number, number, number] | null;
  /** whether shapes of the two bodies meet each other */
  readonly collides: boolean;
}

export interface JointCoordinate {
  readonly name: string;
  readonly label: string;
  readonly unit: 'm' | 'rad';
}

/** Numbers of a contact that a script fills: two points and a normal. */
export const SCRIPTED_CONTACT = 9;

/** Contacts between the shapes of any two of the linked bodies, or those that a script gives. */
export interface SpaceContact {
  readonly kind: 'contact';
  readonly type: string;
  /** null of contacts between shapes */
  readonly geometry: ContactGeometry | null;
}

export interface ContactGeometry {
  /** contacts */
  readonly size: number;
  /**
   * Fills `SCRIPTED_CONTACT` numbers for each, in the world: a point on the first body, one on the second,
   * and a normal from the first to the second, of any length, from the poses of the linked bodies, 7 each.
   * With one body linked, that is the second.
   */
  readonly evaluate: CoordinateFunction;
}

/** A relation that a script gives. */
export interface SpaceGeneral {
  readonly kind: 'general';
  readonly type: string;
  /** rows */
  readonly size: number;
  /** y = h(q) of the coordinates of the linked bodies, 7 each, and its Jacobian, row by row */
  readonly h: CoordinateFunction;
  readonly jacobian: CoordinateFunction;
}

export type SpaceRelation = SpaceJoint | SpaceContact | SpaceGeneral;

export interface SpaceInteraction {
  readonly id: string;
  /** places of the linked bodies in `SpaceModel.bodies`, in the order of the document */
  readonly bodies: readonly number[];
  readonly relation: SpaceRelation;
  /** null of a joint and of equations */
  readonly law: ContactMaterial | null;
}

export interface SpaceModel {
  readonly bodies: readonly SpaceBody[];
  readonly interactions: readonly SpaceInteraction[];
  /** control blocks; absent where there are none */
  readonly blocks?: readonly ControlBlock[];
}

/** A body as a joint sees it while a document is read: the ground has no id. */
export interface JointSide {
  readonly id: string | null;
  readonly pose: Float64Array;
  /** F at the start row by row, of a body that deforms, in place of the orientation */
  readonly deformation?: readonly number[];
}
