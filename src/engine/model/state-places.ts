/**
 * Where everything stands in the state vector of a simulation: one Float64Array with all that can be recorded
 * or named in an expression,
 *
 *     t | q | v | y | ẏ | λ | P | joint forces | kinetic, potential | held | presence | resets |
 *     observables | parameters
 *
 * P, the impulse of an event by row, and the forces of joints between bodies are there in the event-driven
 * scheme only. In the time-stepping scheme the multiplier of an impact law is the impulse over the step.
 *
 * Held are the outputs of control blocks, as they are from the time of the row on. Presence says of each
 * interaction with a condition whether it was there in the step, 1 or 0.
 *
 * First-order states x stand among the positions; their velocity slots stay zero and are no signals.
 */
import type { SchemeName } from '../document/types';
import { positionsOf } from './forms';
import { conditionedRows, type NonSmoothDynamicalSystem } from './nsds';

/** Places in the state vector. */
export interface StatePlaces {
  /** length of the state vector */
  readonly size: number;
  /** number of velocities and first-order states */
  readonly ndof: number;
  /** number of positions and first-order states: more than `ndof` where an orientation is among them */
  readonly positions: number;
  readonly rows: number;
  readonly q: number;
  readonly v: number;
  readonly y: number;
  readonly yDot: number;
  readonly lambda: number;
  /** impulses at an event by row; −1 where the scheme has none */
  readonly impulse: number;
  /**
   * F_x, F_y and moment of each interaction whose relation gives them; −1 where the scheme has no forces of
   * joints
   */
  readonly jointForces: number;
  /** −1 when no system has a kinetic energy */
  readonly kinetic: number;
  /** −1 when some system has forces that are not linear, or none has an energy */
  readonly potential: number;
  /** outputs of control blocks */
  readonly held: number;
  /** of each interaction with a condition, in the order of the model */
  readonly presence: number;
  /** numbers of resets so far, in the order of the model */
  readonly resets: number;
  readonly observables: number;
  readonly parameters: number;
}

/** F_x, F_y and moment, of each interaction whose relation gives the force of a joint. */
const JOINT_FORCE_PARTS = 3;

/** Places of everything, in the order of the model. @param observables, parameterCount how many there are */
export function placeState(
  { systems, interactions, blocks = [], resets: jumps = [] }: NonSmoothDynamicalSystem,
  observables = 0,
  parameterCount = 0,
  scheme: SchemeName = 'time-stepping',
): StatePlaces {
  const ndof = systems.reduce((sum, { form }) => sum + form.size, 0);
  const positions = systems.reduce((sum, { form }) => sum + positionsOf(form), 0);
  const rows = interactions.reduce((sum, { relation }) => sum + relation.size, 0);
  const q = 1;
  const v = q + positions;
  const y = v + ndof;
  const yDot = y + rows;
  const lambda = yDot + rows;
  const impulse = scheme === 'event-driven' ? lambda + rows : -1;
  const afterMultipliers = lambda + rows + (impulse >= 0 ? rows : 0);
  const jointForces = scheme === 'event-driven' ? afterMultipliers : -1;
  const joints = interactions.filter(({ relation }) => relation.jointForce !== undefined).length;
  const energies = afterMultipliers + (jointForces >= 0 ? JOINT_FORCE_PARTS * joints : 0);
  const hasKinetic = systems.some(({ form }) => form.order === 2);
  const hasPotential = hasKinetic && systems.every(({ form }) => form.order === 1 || form.linear !== null);
  const kinetic = hasKinetic ? energies : -1;
  const potential = hasPotential ? energies + 1 : -1;
  const held = energies + (hasKinetic ? 1 : 0) + (hasPotential ? 1 : 0);
  const presence = held + blocks.reduce((sum, { outputSize }) => sum + outputSize, 0);
  const conditions = conditionedRows({ interactions }).length;
  const resets = presence + conditions;
  const firstObservable = resets + jumps.length;
  const parameters = firstObservable + observables;
  return {
    size: parameters + parameterCount,
    ndof,
    positions,
    rows,
    q,
    v,
    y,
    yDot,
    lambda,
    impulse,
    jointForces,
    kinetic,
    potential,
    held,
    presence,
    resets,
    observables: firstObservable,
    parameters,
  };
}
