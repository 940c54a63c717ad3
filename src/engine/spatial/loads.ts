/** What loads there are on 3D bodies, one line of each list for each type. */
import type { BodyPlaces, SpatialLoad } from './bodies/body';
import type { SpatialAttachment } from './joints/joint';
import type { SpatialMarker } from './marker';

/*
 * A load that is a function of time and of the state of its body: of a rigid one force in the world's frame
 * and moment in the body's; of a pseudo-rigid one the force, and Σ f⊗ξ row by row of the forces f at points
 * ξ.
 */

/** Fills the force by velocities, as many numbers as the body has velocities, from its q and v. */
type BodyForceFunction = (clock: Float64Array, q: Float64Array, v: Float64Array, out: Float64Array) => void;

interface BodyForceDescription {
  type: 'bodyForce';
  id: string;
  /** id of the body */
  on: string;
  value: BodyForceFunction;
}

/** @param body its number */
function buildBodyForce(
  { id, value }: BodyForceDescription,
  body: number,
  { bodies, positionsAt, velocitiesAt }: BodyPlaces,
): SpatialLoad {
  const { positions, velocities } = bodies[body];
  const position = positionsAt[body];
  const velocity = velocitiesAt[body];
  // Copies: a function of the user's must not write into the state.
  const own = new Float64Array(positions);
  const rate = new Float64Array(velocities);
  const load = new Float64Array(velocities);
  return {
    id,
    addForce(clock, q, v, out) {
      for (let i = 0; i < positions; i++) own[i] = q[position + i];
      for (let i = 0; i < velocities; i++) rate[i] = v[velocity + i];
      value(clock, own, rate, load);
      for (let i = 0; i < velocities; i++) out[velocity + i] += load[i];
    },
  };
}

/* Linear drag: a force −c Ṗ at a point of a body, and a moment −κ Ω about its mass centre. */

interface DragDescription {
  type: 'drag';
  id: string;
  on: SpatialAttachment;
  /** c, N s/m */
  translational: number;
  /** κ, N m s; 0 when left out */
  rotational?: number;
}

function buildDrag(
  { id, on, translational, rotational = 0 }: DragDescription,
  markerOf: (attachment: SpatialAttachment) => SpatialMarker,
): SpatialLoad {
  const marker = markerOf(on);
  const { velocities: at } = marker;
  const force = new Float64Array(3);
  return {
    id,
    addForce(_, q, v, out) {
      if (marker.body < 0) return;
      marker.move(q, v);
      for (let i = 0; i < 3; i++) force[i] = -translational * marker.velocity[i];
      marker.addForce(force, 0, out);
      for (let i = 3; i < 6; i++) out[at + i] -= rotational * v[at + i];
    },
  };
}

/* Weight of all bodies, or of one: F = m g, potential −m g·x. */

interface GravityDescription {
  type: 'gravity';
  id: string;
  /** g, m/s², world's frame */
  acceleration: readonly [number, number, number];
  /** id of the body; all bodies when left out */
  on?: string;
}

function buildGravity(
  { id, acceleration, on }: GravityDescription,
  { bodies, positionsAt, velocitiesAt }: BodyPlaces,
): SpatialLoad {
  const g = Float64Array.from(acceleration);
  const only = bodies.findIndex((body) => body.id === on);
  const first = only < 0 ? 0 : only;
  const end = only < 0 ? bodies.length : only + 1;
  return {
    id,
    addForce(_, __, ___, out) {
      for (let k = first; k < end; k++)
        for (let i = 0; i < 3; i++) out[velocitiesAt[k] + i] += bodies[k].mass * g[i];
    },
    potential(_, q) {
      let sum = 0;
      for (let k = first; k < end; k++)
        for (let i = 0; i < 3; i++) sum -= bodies[k].mass * g[i] * q[positionsAt[k] + i];
      return sum;
    },
  };
}

/*
 * A force at a point of a body and a moment, both in the world's frame or both in that of the body. Constant,
 * or functions of time. In the generalised forces a force f at the arm s′ is (f, s′×ᵗR f), with f in the
 * world's frame.
 */

/** Fills force (N) and moment (N m), 6 numbers, at clock[0]. */
type WrenchFunction = (clock: Float64Array, out: Float64Array) => void;

interface WrenchDescription {
  type: 'wrench';
  id: string;
  /** point that the force acts at; with `frame: 'body'` directions are those of the attachment's frame */
  on: SpatialAttachment;
  frame: 'world' | 'body';
  /** (F, M), 6 numbers */
  value: readonly number[] | WrenchFunction;
}

function buildWrench(
  { id, on, frame, value }: WrenchDescription,
  markerOf: (attachment: SpatialAttachment) => SpatialMarker,
): SpatialLoad {
  const marker = markerOf(on);
  const given = new Float64Array(6);
  const world = new Float64Array(6);
  if (typeof value !== 'function') given.set(value);
  return {
    id,
    addForce(clock, q, _, out) {
      if (typeof value === 'function') value(clock, given);
      marker.place(q);
      if (frame === 'world') world.set(given);
      else {
        const { axes } = marker;
        for (let part = 0; part < 6; part += 3) {
          for (let i = 0; i < 3; i++)
            world[part + i] =
              axes[i] * given[part] + axes[3 + i] * given[part + 1] + axes[6 + i] * given[part + 2];
        }
      }
      marker.addForce(world, 0, out);
      marker.addMoment(world, 3, out);
    },
  };
}

export type LoadDescription = GravityDescription | WrenchDescription | DragDescription | BodyForceDescription;

export interface LoadContext {
  /** on a rigid body */
  readonly marker: (attachment: SpatialAttachment) => SpatialMarker;
  /** number of a body */
  readonly numberOf: (id: string) => number;
  readonly places: BodyPlaces;
}

/** @throws {EngineError} when it names a body that there is not */
export function buildLoad(description: LoadDescription, context: LoadContext): SpatialLoad {
  switch (description.type) {
    case 'gravity':
      return buildGravity(description, context.places);
    case 'wrench':
      return buildWrench(description, context.marker);
    case 'drag':
      return buildDrag(description, context.marker);
    case 'bodyForce':
      return buildBodyForce(description, context.numberOf(description.on), context.places);
  }
}
