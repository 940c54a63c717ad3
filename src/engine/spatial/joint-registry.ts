/** What joints there are between bodies in space, one line of each list for each type. */
import { EngineError } from '../errors';
import { Limit } from './coordinates/limit';
import type { JointRows, SpatialJoint, SpatialJointDefinition, SpatialJointDescription } from './joint';
import type { SpatialMarker } from './marker';
import type { SpatialRows } from './rows/rows';
import * as ball from './joints/ball';
import * as cylindrical from './joints/cylindrical';
import * as distance from './joints/distance';
import * as fixed from './joints/fixed';
import * as knee from './joints/knee';
import * as planar from './joints/planar';
import * as pointPlane from './joints/point-plane';
import * as prismatic from './joints/prismatic';
import * as revolute from './joints/revolute';
import * as rope from './joints/rope';
import * as universal from './joints/universal';

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

/** @throws {EngineError} for a limit of a coordinate that the joint does not have, or of which no value is left */
export function buildJoint(
  description: JointDescription,
  first: SpatialMarker,
  second: SpatialMarker,
): SpatialJoint {
  // Each description goes to the builder of its own type, which the compiler cannot follow through the union.
  const { build } = types[description.type] as {
    build: (description: JointDescription, first: SpatialMarker, second: SpatialMarker) => JointRows;
  };
  const { rows, coordinates } = build(description, first, second);
  const { id, type } = description;
  return { id, type, rows, coordinates, limits: buildLimits(description, coordinates), first, second };
}

function buildLimits(
  { id, type, limits = {} }: SpatialJointDescription,
  coordinates: readonly SpatialRows[],
): SpatialRows[] {
  return Object.entries(limits).flatMap(([name, [lower, upper]]) => {
    const coordinate = coordinates.find(({ labels }) => labels[0].row === name);
    if (coordinate === undefined)
      throw new EngineError({
        code: 'joint-coordinate-unknown',
        where: id,
        message: `“${id}” has a limit of “${name}”, which a joint of type ${type} does not have.`,
        remedy:
          coordinates.length === 0
            ? 'Remove the limit.'
            : `Limit one of ${coordinates.map(({ labels }) => labels[0].row).join(', ')}.`,
      });
    if (!(lower <= upper))
      throw new EngineError({
        code: 'joint-limits-crossed',
        where: id,
        message: `The limits of “${name}” of “${id}”, ${lower} and ${upper}, leave no room.`,
        remedy: 'Give the lower limit first.',
      });
    const found: SpatialRows[] = [];
    if (lower > Number.NEGATIVE_INFINITY) found.push(new Limit(coordinate, 'lower', lower));
    if (upper < Number.POSITIVE_INFINITY) found.push(new Limit(coordinate, 'upper', upper));
    return found;
  });
}
