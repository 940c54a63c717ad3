/** From what the user says of bodies in space to the system that is computed with, rule by rule. */
import { EngineError } from '../errors';
import { buildGeneralRelation, type GeneralRelationDescription } from './general-relation';
import { GROUND, type SpatialAttachment } from './joint';
import { buildJoint, type JointDescription } from './joint-registry';
import { buildLoad, type LoadDescription } from './load-registry';
import { ON_GROUND, SpatialMarker } from './marker';
import { normaliseQuaternion, rotationMatrix } from './quaternion';
import { RigidBody } from './rigid-body';
import { type InitialBodyState, SpatialSystem } from './system';

/** A rigid body. Its frame has its origin at the mass centre. */
export interface SpatialBodyDescription {
  id: string;
  /** kg, positive */
  mass: number;
  /** about the mass centre, in the body's frame, kg m²: three principal moments, or the matrix row by row */
  inertia: readonly number[];
  /** of the mass centre at the start, m */
  position: readonly number[];
  /** quaternion from the body's frame to the world's, of any length; parallel to the world when left out */
  orientation?: readonly number[];
  /** V at the start, m/s, world's frame; at rest when left out */
  velocity?: readonly number[];
  /** Ω at the start, rad/s, body's frame */
  spin?: readonly number[];
}

export interface SpatialModel {
  bodies: readonly SpatialBodyDescription[];
  joints: readonly JointDescription[];
  loads: readonly LoadDescription[];
  /** relations given by functions; the system has them behind its joints */
  relations?: readonly GeneralRelationDescription[];
  /** whether all bodies move in one plane z = const, as their start, their rows and their loads say (`plane-of-motion.ts`) */
  isPlanar?: boolean;
}

function fail(code: string, where: string, message: string, remedy: string): never {
  throw new EngineError({ code, where, message, remedy });
}

/** @throws {EngineError} naming the first body, joint or load that breaks a rule */
export function compileSpatial(model: SpatialModel): SpatialSystem {
  const { relations = [] } = model;
  checkIds([...model.bodies, ...model.joints, ...model.loads, ...relations]);
  const bodies = model.bodies.map(({ id, mass, inertia }) => new RigidBody(id, mass, inertia));
  const initial = model.bodies.map(initialState);
  const numbers = new Map(bodies.map(({ id }, k) => [id, k]));
  const markerFor =
    (user: string) =>
    (attachment: SpatialAttachment): SpatialMarker =>
      placeMarker(user, attachment, numbers);
  const joints = model.joints.map((description) => {
    const { id } = description;
    if (description.first.body === description.second.body)
      fail(
        'joint-on-one-body',
        id,
        `“${id}” links a body, or the ground, to itself.`,
        'Choose two different bodies, or a body and the ground.',
      );
    if (description.type === 'distance' && !(description.length > 0 && Number.isFinite(description.length)))
      fail(
        'length-not-positive',
        id,
        `The length of “${id}” is ${description.length} m.`,
        'Give a positive length; two points in one place are a ball joint.',
      );
    const marker = markerFor(id);
    return buildJoint(description, marker(description.first), marker(description.second));
  });
  const general = relations.map((description) => {
    const { id, bodies: linked } = description;
    const [first, last] = [linked.length > 1 ? linked[0] : GROUND, linked[linked.length - 1]];
    const marker = markerFor(id);
    const places = linked.map((body) => marker({ body }).body);
    return buildGeneralRelation(description, places, marker({ body: first }), marker({ body: last }));
  });
  const loads = model.loads.map((load) => buildLoad(load, { marker: markerFor(load.id), bodies }));
  return new SpatialSystem(bodies, initial, [...joints, ...general], loads, model.isPlanar);
}

function checkIds(elements: readonly { id: string }[]): void {
  const seen = new Set<string>([GROUND]);
  for (const { id } of elements) {
    if (seen.has(id))
      fail(
        'id-taken',
        id,
        id === GROUND ? `“${GROUND}” is the name of the ground.` : `Two elements are called “${id}”.`,
        'Give each body, joint and load a name of its own.',
      );
    seen.add(id);
  }
}

function initialState({
  id,
  position,
  orientation = [1, 0, 0, 0],
  velocity = [0, 0, 0],
  spin = [0, 0, 0],
}: SpatialBodyDescription): InitialBodyState {
  if (![...position, ...velocity, ...spin].every(Number.isFinite))
    fail(
      'state-not-finite',
      id,
      `The start of “${id}” is not finite.`,
      'Give position, velocity and angular velocity, three numbers each.',
    );
  const unit = Float64Array.from(orientation);
  if (!normaliseQuaternion(unit, 0))
    fail(
      'orientation-zero',
      id,
      `The orientation of “${id}” is not that of a rotation.`,
      'Give four numbers that are not all zero; (1, 0, 0, 0) is parallel to the world.',
    );
  return { position, orientation: [...unit], velocity, spin };
}

function placeMarker(
  user: string,
  { body, point = [0, 0, 0], frame = [1, 0, 0, 0] }: SpatialAttachment,
  numbers: ReadonlyMap<string, number>,
): SpatialMarker {
  const number = body === GROUND ? ON_GROUND : numbers.get(body);
  if (number === undefined)
    fail(
      'body-unknown',
      user,
      `“${user}” takes hold of “${body}”, but there is no such body.`,
      `Name a body of the model, or “${GROUND}”.`,
    );
  if (!point.every(Number.isFinite))
    fail(
      'point-not-finite',
      user,
      `A point of “${user}” is not finite.`,
      'Give three coordinates in metres.',
    );
  const unit = Float64Array.from(frame);
  if (!normaliseQuaternion(unit, 0))
    fail(
      'frame-zero',
      user,
      `A frame of “${user}” is not a rotation.`,
      'Give four numbers that are not all zero.',
    );
  const columns = new Float64Array(9);
  rotationMatrix(unit, 0, columns, 0);
  // The axes are the columns.
  const axes = Float64Array.from(columns, (_, k) => columns[3 * (k % 3) + Math.floor(k / 3)]);
  return new SpatialMarker(number, point, axes);
}
