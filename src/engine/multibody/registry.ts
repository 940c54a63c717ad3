/** What constraints there are, one line of each list for each type. */
import type { Constraint, ConstraintDefinition, MarkerFactory } from './constraint';
import * as distance from './constraints/distance';
import * as driver from './constraints/driver';
import * as fixed from './constraints/fixed';
import * as gear from './constraints/gear';
import * as pointOnLine from './constraints/point-on-line';
import * as prismatic from './constraints/prismatic';
import * as revolute from './constraints/revolute';

const types = { revolute, prismatic, pointOnLine, distance, fixed, gear, driver } as const;

type Types = typeof types;
/** Description of a constraint of type T, as its `build` takes it. */
type DescriptionOf<T extends keyof Types> = Parameters<Types[T]['build']>[0];

export type ConstraintDescription = { [T in keyof Types]: DescriptionOf<T> }[keyof Types];

export const constraintDefinitions: readonly ConstraintDefinition[] = Object.values(types).map(
  ({ definition }) => definition,
);

/** @throws {EngineError} when it names a body that there is not */
export function buildConstraint(description: ConstraintDescription, marker: MarkerFactory): Constraint {
  // Each description goes to the builder of its own type, which the compiler cannot follow through the union.
  const { build } = types[description.type] as {
    build: (description: ConstraintDescription, marker: MarkerFactory) => Constraint;
  };
  return build(description, marker);
}
