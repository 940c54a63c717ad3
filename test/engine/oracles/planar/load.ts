/** Loads: forces and moments on bodies that are not joint forces. */
import type { Marker } from '@engine/multibody/marker';
import type { Attachment, MarkerFactory } from './system';

export interface Load {
  readonly id: string;
  /** Adds its generalised forces at time clock[0], positions q and velocities v. */
  addForce(clock: Float64Array, q: Float64Array, v: Float64Array, out: Float64Array): void;
  /** Potential energy, J; absent where the load has none */
  potential?(clock: Float64Array, q: Float64Array): number;
}

/** What a load is built with. */
export interface LoadContext {
  marker: MarkerFactory;
  /** mass of each body, in the order of the coordinates, kg */
  masses: readonly number[];
}

/** Weight of all bodies. */
interface GravityDescription {
  type: 'gravity';
  id: string;
  /** m/s² */
  acceleration: readonly [number, number];
}

/** A force at a point and a moment, as a function of time, positions and velocities. */
interface AppliedDescription {
  type: 'applied';
  id: string;
  on: Attachment;
  /** Fills force (N, world frame) and moment (N m) into out[0 … 2]. */
  law: (clock: Float64Array, q: Float64Array, v: Float64Array, out: Float64Array) => void;
}

/** Spring and damper in parallel between two points. */
interface SpringDescription {
  type: 'spring';
  id: string;
  first: Attachment;
  second: Attachment;
  /** N/m */
  stiffness: number;
  /** N s/m; 0 when left out */
  damping?: number;
  /** length without force, m */
  length: number;
}

/** Spring and damper that turn one body against another. */
interface TorsionSpringDescription {
  type: 'torsionSpring';
  id: string;
  /** ids of the bodies, or `GROUND` */
  first: string;
  second: string;
  /** N m/rad */
  stiffness: number;
  /** N m s/rad; 0 when left out */
  damping?: number;
  /** φ₂ − φ₁ without moment, rad; 0 when left out */
  angle?: number;
}

export type LoadDescription =
  GravityDescription | AppliedDescription | SpringDescription | TorsionSpringDescription;

/** @throws {EngineError} when it names a body that there is not */
export function buildLoad(description: LoadDescription, context: LoadContext): Load {
  switch (description.type) {
    case 'gravity':
      return gravity(description, context);
    case 'applied':
      return applied(description, context);
    case 'spring':
      return spring(description, context);
    case 'torsionSpring':
      return torsionSpring(description, context);
  }
}

function gravity({ id, acceleration: [x, y] }: GravityDescription, { masses }: LoadContext): Load {
  return {
    id,
    addForce(_, __, ___, out) {
      for (let body = 0; body < masses.length; body++) {
        out[3 * body] += masses[body] * x;
        out[3 * body + 1] += masses[body] * y;
      }
    },
    potential(_, q) {
      let energy = 0;
      for (let body = 0; body < masses.length; body++)
        energy -= masses[body] * (x * q[3 * body] + y * q[3 * body + 1]);
      return energy;
    },
  };
}

function applied({ id, on, law }: AppliedDescription, context: LoadContext): Load {
  const marker = context.marker(on);
  const effort = new Float64Array(3);
  return {
    id,
    addForce(clock, q, v, out) {
      marker.place(q);
      law(clock, q, v, effort);
      marker.addForce(effort[0], effort[1], effort[2], out);
    },
  };
}

function spring(
  { id, first, second, stiffness, damping = 0, length }: SpringDescription,
  { marker }: LoadContext,
): Load {
  const one: Marker = marker(first);
  const two: Marker = marker(second);
  return {
    id,
    addForce(_, q, v, out) {
      one.move(q, v);
      two.move(q, v);
      const x = two.point[0] - one.point[0];
      const y = two.point[1] - one.point[1];
      const distance = Math.sqrt(x * x + y * y);
      // Points in one place have no direction; what they lack is of measure zero.
      if (distance === 0) return;
      const rate =
        (x * (two.velocity[0] - one.velocity[0]) + y * (two.velocity[1] - one.velocity[1])) / distance;
      const tension = (stiffness * (distance - length) + damping * rate) / distance;
      one.addForce(tension * x, tension * y, 0, out);
      two.addForce(-tension * x, -tension * y, 0, out);
    },
    potential(_, q) {
      one.place(q);
      two.place(q);
      const x = two.point[0] - one.point[0];
      const y = two.point[1] - one.point[1];
      return 0.5 * stiffness * (Math.sqrt(x * x + y * y) - length) ** 2;
    },
  };
}

function torsionSpring(
  { id, first, second, stiffness, damping = 0, angle = 0 }: TorsionSpringDescription,
  { marker }: LoadContext,
): Load {
  const one = marker({ body: first });
  const two = marker({ body: second });
  return {
    id,
    addForce(_, q, v, out) {
      const moment =
        stiffness * (two.angle(q) - one.angle(q) - angle) + damping * (two.rate(v) - one.rate(v));
      one.addForce(0, 0, moment, out);
      two.addForce(0, 0, -moment, out);
    },
    potential: (_, q) => 0.5 * stiffness * (two.angle(q) - one.angle(q) - angle) ** 2,
  };
}
