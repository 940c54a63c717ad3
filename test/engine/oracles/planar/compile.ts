/** From what the user says to the system that is computed with, rule by rule. */
import { EngineError } from '@engine/errors';
import {
  type Attachment,
  type Constraint,
  type ConstraintDefinition,
  PLANAR_GROUND,
  type MarkerFactory,
} from '@engine/multibody/constraint';
import * as distance from '@engine/multibody/constraints/distance';
import * as driver from '@engine/multibody/constraints/driver';
import * as fixed from '@engine/multibody/constraints/fixed';
import * as gear from '@engine/multibody/constraints/gear';
import * as pointOnLine from '@engine/multibody/constraints/point-on-line';
import * as prismatic from '@engine/multibody/constraints/prismatic';
import * as revolute from '@engine/multibody/constraints/revolute';
import { Marker, PLANAR_ON_GROUND } from '@engine/multibody/marker';
import { buildLoad } from './load';
import { type BodyDescription, type MultibodyModel, MultibodySystem } from './system';

/* What constraints there are, one line of each list for each type. */

const types = { revolute, prismatic, pointOnLine, distance, fixed, gear, driver } as const;

type Types = typeof types;
/** Description of a constraint of type T, as its `build` takes it. */
type DescriptionOf<T extends keyof Types> = Parameters<Types[T]['build']>[0];

export type ConstraintDescription = { [T in keyof Types]: DescriptionOf<T> }[keyof Types];

export const constraintDefinitions: readonly ConstraintDefinition[] = Object.values(types).map(
  ({ definition }) => definition,
);

/** @throws {EngineError} when it names a body that there is not */
function buildConstraint(description: ConstraintDescription, marker: MarkerFactory): Constraint {
  // Each description goes to the builder of its own type, which the compiler cannot follow through the union.
  const { build } = types[description.type] as {
    build: (description: ConstraintDescription, marker: MarkerFactory) => Constraint;
  };
  return build(description, marker);
}

function fail(code: string, where: string, message: string, remedy: string): never {
  throw new EngineError({ code, where, message, remedy });
}

/** @throws {EngineError} naming the first body, constraint or load that breaks a rule */
export function compileMultibody(model: MultibodyModel): MultibodySystem {
  checkIds([...model.bodies, ...model.constraints, ...model.loads]);
  for (const body of model.bodies) checkBody(body);
  const offsets = new Map(model.bodies.map(({ id }, k) => [id, 3 * k]));
  const markerFor =
    (user: string) =>
    ({ body, point = [0, 0] }: Attachment): Marker => {
      const offset = body === PLANAR_GROUND ? PLANAR_ON_GROUND : offsets.get(body);
      if (offset === undefined)
        fail(
          'body-unknown',
          user,
          `“${user}” takes hold of “${body}”, but there is no such body.`,
          `Name a body of the model, or “${PLANAR_GROUND}”.`,
        );
      if (!point.every(Number.isFinite))
        fail(
          'point-not-finite',
          user,
          `A point of “${user}” is not finite.`,
          'Give both coordinates in metres.',
        );
      return new Marker(offset, point[0], point[1]);
    };
  const constraints = model.constraints.map((description) => {
    checkConstraint(description);
    const constraint = buildConstraint(description, markerFor(description.id));
    if (constraint.first.offset === constraint.second.offset)
      fail(
        'constraint-on-one-body',
        description.id,
        `“${description.id}” links a body, or the ground, to itself.`,
        'Choose two different bodies, or a body and the ground.',
      );
    return constraint;
  });
  const masses = model.bodies.map(({ mass }) => mass);
  const loads = model.loads.map((load) => buildLoad(load, { marker: markerFor(load.id), masses }));
  return new MultibodySystem(model.bodies, constraints, loads);
}

function checkIds(elements: readonly { id: string }[]): void {
  const seen = new Set<string>([PLANAR_GROUND]);
  for (const { id } of elements) {
    if (seen.has(id))
      fail(
        'id-taken',
        id,
        id === PLANAR_GROUND
          ? `“${PLANAR_GROUND}” is the name of the ground.`
          : `Two elements are called “${id}”.`,
        'Give each body, constraint and load a name of its own.',
      );
    seen.add(id);
  }
}

function checkBody({ id, mass, inertia, position, velocity = [0, 0, 0] }: BodyDescription): void {
  if (!(mass > 0 && Number.isFinite(mass)))
    fail('mass-not-positive', id, `The mass of “${id}” is ${mass} kg.`, 'Give a positive mass.');
  if (!(inertia > 0 && Number.isFinite(inertia)))
    fail(
      'inertia-not-positive',
      id,
      `The moment of inertia of “${id}” is ${inertia} kg m².`,
      'Give a positive moment of inertia about the mass centre; of a point mass any positive one will do.',
    );
  if (![...position, ...velocity].every(Number.isFinite))
    fail('state-not-finite', id, `The start of “${id}” is not finite.`, 'Give x, y, φ and their rates.');
}

function checkConstraint(description: ConstraintDescription): void {
  const { id } = description;
  const numbers = Object.values(description).filter((value) => typeof value === 'number');
  if (!numbers.every(Number.isFinite))
    fail(
      'constraint-not-finite',
      id,
      `A number of “${id}” is not finite.`,
      'Give lengths in metres, angles in radians.',
    );
  if (description.type === 'distance' && typeof description.length === 'number' && !(description.length > 0))
    fail(
      'length-not-positive',
      id,
      `The length of “${id}” is ${description.length} m.`,
      'Give a positive length; two points in one place are a revolute joint.',
    );
}
