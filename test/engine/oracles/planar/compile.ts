/** From what the user says to the system that is computed with, rule by rule. */
import { EngineError } from '@engine/errors';
import * as distance from '@engine/model/relations/distance';
import * as driver from '@engine/model/relations/driver';
import * as gear from '@engine/model/relations/gear';
import * as pinInSlot from '@engine/model/relations/pin-in-slot';
import * as prismatic from '@engine/model/relations/prismatic';
import * as revolute from '@engine/model/relations/revolute';
import * as rigid from '@engine/model/relations/rigid';
import { type ConstraintRows, constantMotion, type PrescribedCoordinate } from '@engine/multibody/rows';
import { Marker, PLANAR_ON_GROUND } from '@engine/multibody/marker';
import { buildLoad } from './load';
import {
  type Attachment,
  type BodyDescription,
  type Constraint,
  type MarkerFactory,
  type MultibodyModel,
  MultibodySystem,
  PLANAR_GROUND,
} from './system';

/** Of the relations that the constraints are made of, in the order of their types. */
export const constraintDefinitions = {
  revolute: revolute.definition,
  prismatic: prismatic.definition,
  pointOnLine: pinInSlot.definition,
  distance: distance.definition,
  fixed: rigid.definition,
  gear: gear.definition,
  driver: driver.definition,
} as const;

interface Pair {
  id: string;
  first: Attachment;
  second: Attachment;
}

/** What is 0 where it is left out: directions of lines and angles between bodies, rad. */
export type ConstraintDescription =
  | (Pair & { type: 'revolute' })
  | (Pair & { type: 'prismatic'; axis?: number; angle?: number })
  | (Pair & { type: 'pointOnLine'; axis?: number })
  | (Pair & { type: 'distance'; length: number | PrescribedCoordinate })
  | (Pair & { type: 'fixed'; angle?: number })
  | { type: 'gear'; id: string; first: string; second: string; ratio: number; angle?: number }
  | {
      type: 'driver';
      id: string;
      driven: Attachment;
      coordinate: 'x' | 'y' | 'angle';
      /** body that an angle is measured from; the ground when left out */
      relativeTo?: string;
      motion: PrescribedCoordinate;
    };

/** Where a constraint takes hold of the two bodies. */
function sidesOf(description: ConstraintDescription, marker: MarkerFactory): [Marker, Marker] {
  switch (description.type) {
    case 'gear':
      return [marker({ body: description.first }), marker({ body: description.second })];
    case 'driver':
      return [marker({ body: description.relativeTo ?? PLANAR_GROUND }), marker(description.driven)];
    default:
      return [marker(description.first), marker(description.second)];
  }
}

function rowsOf(description: ConstraintDescription, first: Marker, second: Marker): ConstraintRows[] {
  switch (description.type) {
    case 'revolute':
      return revolute.revoluteRows(first, second);
    case 'prismatic':
      return prismatic.prismaticRows(first, second, description.axis ?? 0, description.angle ?? 0);
    case 'pointOnLine':
      return pinInSlot.pinInSlotRows(first, second, description.axis ?? 0);
    case 'distance': {
      const { length } = description;
      return distance.distanceRows(
        first,
        second,
        typeof length === 'number' ? constantMotion(length) : length,
      );
    }
    case 'fixed':
      return rigid.rigidRows(first, second, description.angle ?? 0);
    case 'gear':
      return gear.gearRows(first, second, description.ratio, description.angle ?? 0);
    case 'driver':
      return driver.driverRows(first, second, description.coordinate, description.motion);
  }
}

/** @throws {EngineError} when it names a body that there is not */
function buildConstraint(description: ConstraintDescription, marker: MarkerFactory): Constraint {
  const [first, second] = sidesOf(description, marker);
  const { id, type } = description;
  return { id, type, rows: rowsOf(description, first, second), first, second };
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
