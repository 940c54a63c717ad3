/** What joints there are between 3D bodies, one line of each list for each type. */
import { EngineError } from '../../errors';
import { Limit } from '../coordinates';
import type {
  JointFriction,
  JointMotor,
  JointEquations,
  SpatialJoint,
  SpatialJointDefinition,
  SpatialJointDescription,
} from './joint';
import * as ball from './ball';
import * as cylindrical from './cylindrical';
import * as distance from './distance';
import * as fixed from './fixed';
import * as knee from './knee';
import * as planar from './planar';
import * as pointPlane from './point-plane';
import * as prismatic from './prismatic';
import * as revolute from './revolute';
import * as rope from './rope';
import * as universal from './universal';
import type { SpatialMarker } from '../marker';
import type { SpatialRows } from '../rows';

/* What every type of joint may have in addition: limits, friction and motors of its coordinates. */

function fail(code: string, where: string, message: string, remedy: string): never {
  throw new EngineError({ code, where, message, remedy });
}

/** @throws {EngineError} for one of a coordinate that there is not, or that leaves no value */
function buildLimits(
  description: SpatialJointDescription,
  coordinates: readonly SpatialRows[],
): SpatialRows[] {
  const { id, limits = {} } = description;
  return Object.entries(limits).flatMap(([name, [lower, upper]]) => {
    const coordinate = coordinateOf(description, coordinates, name, 'a limit');
    if (!(lower <= upper))
      fail(
        'joint-limits-crossed',
        id,
        `The limits of “${name}” of “${id}”, ${lower} and ${upper}, leave no room.`,
        'Give the lower limit first.',
      );
    const found: SpatialRows[] = [];
    if (lower > Number.NEGATIVE_INFINITY) found.push(new Limit(coordinate, 'lower', lower));
    if (upper < Number.POSITIVE_INFINITY) found.push(new Limit(coordinate, 'upper', upper));
    return found;
  });
}

/** @throws {EngineError} for one outside 0 … 1 */
function checkRestitution({ id, restitution = 0 }: SpatialJointDescription): number {
  if (!(restitution >= 0 && restitution <= 1))
    fail(
      'joint-restitution-range',
      id,
      `The restitution of the limits of “${id}” is ${restitution}.`,
      'Give a number from 0, for stops that do not spring back, to 1.',
    );
  return restitution;
}

/**
 * @throws {EngineError} for one of a coordinate that there is not, or with a bound that is negative or not
 *   finite
 */
function buildFrictions(
  description: SpatialJointDescription,
  coordinates: readonly SpatialRows[],
): JointFriction[] {
  const { id, friction = {} } = description;
  return Object.entries(friction).map(([name, bound]) => {
    const coordinate = coordinateOf(description, coordinates, name, 'friction');
    if (!(bound >= 0 && bound < Number.POSITIVE_INFINITY))
      fail(
        'joint-friction-bound',
        id,
        `The friction of “${name}” of “${id}” is ${bound} ${unitOfForce(coordinate)}.`,
        'Give a bound that is finite and not negative; a motor of speed 0 without a limit locks the joint.',
      );
    return { coordinate, bound };
  });
}

/**
 * @throws {EngineError} for one of a coordinate that there is not, a speed that is not finite or a limit that
 *   is negative or none
 */
function buildMotors(
  description: SpatialJointDescription,
  coordinates: readonly SpatialRows[],
): JointMotor[] {
  const { id, motors = {} } = description;
  return Object.entries(motors).map(([name, { speed, limit }]) => {
    const coordinate = coordinateOf(description, coordinates, name, 'a motor');
    if (!Number.isFinite(speed))
      fail(
        'joint-motor-speed',
        id,
        `The motor of “${name}” of “${id}” has the speed ${speed}.`,
        'Give a finite speed.',
      );
    if (!(limit >= 0))
      fail(
        'joint-motor-limit',
        id,
        `The motor of “${name}” of “${id}” has the limit ${limit} ${unitOfForce(coordinate)}.`,
        'Give a limit that is not negative; without one the speed is prescribed.',
      );
    return { coordinate, speed, limit };
  });
}

function coordinateOf(
  { id, type }: SpatialJointDescription,
  coordinates: readonly SpatialRows[],
  name: string,
  what: string,
): SpatialRows {
  const names = coordinates.map(({ labels }) => labels[0].row);
  const found = coordinates.find(({ labels }) => labels[0].row === name);
  if (found !== undefined) return found;
  return fail(
    'joint-coordinate-unknown',
    id,
    `“${id}” has ${what} of “${name}”, which a joint of type ${type} does not have.`,
    names.length === 0 ? `Remove ${what === 'friction' ? 'it' : what}.` : `Name one of ${names.join(', ')}.`,
  );
}

function unitOfForce({ labels }: SpatialRows): string {
  return labels[0].unit === 'rad' ? 'N m' : 'N';
}

const types = {
  ball,
  knee,
  revolute,
  prismatic,
  cylindrical,
  fixed,
  distance,
  rope,
  pointPlane,
  planar,
  universal,
} as const;

type Types = typeof types;
/** Description of a joint of type T, as its `build` takes it. */
type DescriptionOf<T extends keyof Types> = Parameters<Types[T]['build']>[0];

export type JointDescription = { [T in keyof Types]: DescriptionOf<T> }[keyof Types];

export const jointDefinitions: readonly SpatialJointDefinition[] = Object.values(types).map(
  ({ definition }) => definition,
);

/** Whether a joint takes hold of points only, and of no axes. */
export const takesPoints = ({ type }: JointDescription): boolean =>
  types[type].definition.takesPoints === true;

/** @throws {EngineError} for limits, friction and motors that break a rule (below) */
export function buildJoint(
  description: JointDescription,
  first: SpatialMarker,
  second: SpatialMarker,
): SpatialJoint {
  // Each description goes to the builder of its own type, which the compiler cannot follow through the union.
  const { build } = types[description.type] as {
    build: (description: JointDescription, first: SpatialMarker, second: SpatialMarker) => JointEquations;
  };
  const { rows, coordinates } = build(description, first, second);
  const { id, type } = description;
  return {
    id,
    type,
    rows,
    coordinates,
    limits: buildLimits(description, coordinates),
    restitution: checkRestitution(description),
    frictions: buildFrictions(description, coordinates),
    motors: buildMotors(description, coordinates),
    first,
    second,
  };
}
