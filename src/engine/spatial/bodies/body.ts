/**
 * A 3D body as systems of bodies see it: its own numbers of positions q and velocities v, a
 * constant mass matrix M, and points that move as q and v say. Of every body the first three positions are
 * the mass centre, m, and the first three velocities its velocity, m/s, both in the world's frame; what
 * follows is the body's own: a quaternion and an angular velocity of a rigid body, the deformation gradient
 * and its rate of a pseudo-rigid one.
 *
 * Numbers of a body stand in those of all bodies from `qAt` and `vAt` on. A local frame is a point P and
 * three unit vectors a in the world, twelve numbers; a force is ᵗH of what acts at P, by velocities, so that
 * its product with v is the power.
 */
export interface SpatialBody {
  readonly id: string;
  /** m, kg */
  readonly mass: number;
  /** how many positions and velocities it has */
  readonly positions: number;
  readonly velocities: number;
  /** diagonal of M⁻¹ by velocities */
  readonly inverseMassDiagonal: Float64Array;
  /** angular velocity that a unit moment gives, the mean over all axes of the undeformed body, 1/(kg m²) */
  readonly turnMobility: number;

  /** ½ v·M v, J */
  kineticEnergy(v: Float64Array, vAt: number): number;
  /** out ← moment of momentum about the mass centre, world's frame, N m s */
  angularMomentum(q: Float64Array, qAt: number, v: Float64Array, vAt: number, out: Float64Array): void;
  /** x ← M⁻¹ x for the entries of the body */
  applyInverseMass(x: Float64Array, at: number): void;
  /** Writes M into the diagonal block from row and column `at` on of an n × n matrix of zeros, row-major. */
  writeMass(out: Float64Array, n: number, at: number): void;
  /**
   * Adds the rows of a local frame, sign · a·Ṗ by the velocities of the body.
   * @param frame P and the axes, 12 numbers from `frameAt` on
   * @param at first entry of the first row @param width entries from one row to the next
   */
  addFrameRows(
    q: Float64Array,
    qAt: number,
    frame: Float64Array,
    frameAt: number,
    sign: number,
    out: Float64Array,
    at: number,
    width: number,
  ): void;
  /** Adds sign · Ṗ of the point P that stands in the world at `pointAt`, without forming rows. */
  addPointVelocity(
    q: Float64Array,
    qAt: number,
    v: Float64Array,
    vAt: number,
    point: Float64Array,
    pointAt: number,
    sign: number,
    out: Float64Array,
  ): void;
  /** Adds the row of an angular velocity about an axis of the world, factor · a·ω, from `at` on. */
  addTurnRow(
    q: Float64Array,
    qAt: number,
    axis: Float64Array,
    axisAt: number,
    factor: number,
    out: Float64Array,
    at: number,
  ): void;
  /**
   * out ← force and moment about the mass centre in the world's frame, 6 numbers, of a force by velocities at
   * `at`.
   */
  wrench(q: Float64Array, qAt: number, force: Float64Array, at: number, out: Float64Array): void;
  /**
   * q ← q ⊕ part · x, x a displacement by velocities.
   * @returns whether a norm has been touched that `normalise` restores
   */
  displace(q: Float64Array, qAt: number, x: Float64Array, xAt: number, part: number): boolean;
  /** Restores the norm of what has one. @returns false when it is zero or not finite */
  normalise(q: Float64Array, qAt: number): boolean;
}

/* Bodies of a system, and where their numbers stand among those of all: one after the other, in q as in v. */
export interface BodyPlaces {
  readonly bodies: readonly SpatialBody[];
  /** where the positions and the velocities of each body begin */
  readonly positionsAt: Int32Array;
  readonly velocitiesAt: Int32Array;
  /** numbers of all positions and of all velocities */
  readonly positions: number;
  readonly velocities: number;
}

export function placeBodies(bodies: readonly SpatialBody[]): BodyPlaces {
  const positionsAt = new Int32Array(bodies.length);
  const velocitiesAt = new Int32Array(bodies.length);
  let positions = 0;
  let velocities = 0;
  bodies.forEach((body, k) => {
    positionsAt[k] = positions;
    velocitiesAt[k] = velocities;
    positions += body.positions;
    velocities += body.velocities;
  });
  return { bodies, positionsAt, velocitiesAt, positions, velocities };
}

/* Forces and moments on 3D bodies: what a load is. */

export interface SpatialLoad {
  readonly id: string;
  /** Adds (F, M) of all bodies. @param clock [0] the time, s */
  addForce(clock: Float64Array, q: Float64Array, v: Float64Array, out: Float64Array): void;
  /** J; absent where there is none */
  potential?(clock: Float64Array, q: Float64Array): number;
}
