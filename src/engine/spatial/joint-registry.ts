/** What joints there are between bodies in space, one line of each list for each type. */
import type { JointRows, SpatialJoint, SpatialJointDefinition } from './joint';
import { buildFrictions, buildLimits, buildMotors, checkRestitution } from './joint-additions';
import type { SpatialMarker } from './marker';
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

/** Whether a joint takes hold of points only, and of no axes. */
export const takesPoints = ({ type }: JointDescription): boolean =>
  types[type].definition.takesPoints === true;

/** @throws {EngineError} for limits, friction and motors that break a rule (`joint-additions.ts`) */
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
