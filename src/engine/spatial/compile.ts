/** From what the user says of 3D bodies to the system that is computed with, rule by rule. */
import { EngineError } from '../errors';
import { AffineMarker, ON_GROUND, SpatialMarker } from './marker';
import { type BodyPlaces, type SpatialBody, type SpatialLoad, placeBodies } from './bodies/body';
import { buildGeneralRelation, type GeneralRelationDescription } from './general-relation';
import { SPATIAL_GROUND, type SpatialAttachment, type SpatialJoint } from './joints/joint';
import { buildJoint, type JointDescription, takesPoints } from './joints/registry';
import { buildLoad, type LoadDescription } from './loads';
import { determinant } from './matrix3';
import { PseudoRigidBody, type PseudoRigidDescription } from './bodies/pseudo-rigid';
import { normaliseQuaternion, rotationMatrix } from './quaternion';
import { type InertiaLaw, RigidBody } from './bodies/rigid-body';
import { type InitialBodyState, SpatialSystem } from './system';

/** A rigid body. Its frame has its origin at the mass centre. */
export interface SpatialBodyDescription {
  id: string;
  /** kg, positive */
  mass: number;
  /** about the mass centre, in the body's frame, kg m²: three principal moments, or the matrix row by row */
  inertia: readonly number[];
  /** I as a function of time, which counts in place of `inertia`; constant when left out or null */
  inertiaLaw?: InertiaLaw | null;
  /** of the mass centre at the start, m */
  position: readonly number[];
  /** quaternion from the body's frame to the world's, of any length; parallel to the world when left out */
  orientation?: readonly number[];
  /** V at the start, m/s, world's frame; at rest when left out */
  velocity?: readonly number[];
  /** Ω at the start, rad/s, body's frame */
  spin?: readonly number[];
}

/** A pseudo-rigid body. Its reference configuration has its origin at the mass centre. */
export interface PseudoRigidBodyDescription extends PseudoRigidDescription {
  kind: 'pseudoRigid';
  /** of the mass centre at the start, m */
  position: readonly number[];
  /** F at the start, row by row; the unit matrix when left out */
  deformation?: readonly number[];
  /** of the mass centre at the start, m/s; at rest when left out */
  velocity?: readonly number[];
  /** Ḟ at the start, row by row, 1/s; zero when left out */
  rate?: readonly number[];
}

export type BodyDescription = SpatialBodyDescription | PseudoRigidBodyDescription;

export interface SpatialModel {
  bodies: readonly BodyDescription[];
  joints: readonly JointDescription[];
  loads: readonly LoadDescription[];
  /** relations given by functions; the system has them behind its joints */
  relations?: readonly GeneralRelationDescription[];
  /**
   * whether all bodies move in one plane z = const, as their start, their rows and their loads say
   * (`plane-of-motion.ts`)
   */
  isPlanar?: boolean;
}

function fail(code: string, where: string, message: string, remedy: string): never {
  throw new EngineError({ code, where, message, remedy });
}

/** @throws {EngineError} naming the first body, joint or load that breaks a rule */
export function compileSpatial(model: SpatialModel): SpatialSystem {
  checkIds([...model.bodies, ...model.joints, ...model.loads, ...(model.relations ?? [])]);
  const places = placeBodies(model.bodies.map(buildBody));
  const soft =
    model.isPlanar === true ? places.bodies.find((body) => body instanceof PseudoRigidBody) : undefined;
  if (soft !== undefined)
    fail(
      'pseudo-rigid-in-plane',
      soft.id,
      `“${soft.id}” is pseudo-rigid, and the bodies of this model move in a plane.`,
      'Make it rigid, or give all bodies shapes in space.',
    );
  const initial = model.bodies.map((body) =>
    'kind' in body ? initialDeformation(body) : initialState(body),
  );
  const { joints, loads } = buildParts(model, places);
  return new SpatialSystem(places, initial, joints, loads, model.isPlanar);
}

/** What acts on bodies and holds them together, with scripted relations behind the joints. */
export interface SpatialParts {
  readonly joints: readonly SpatialJoint[];
  readonly loads: readonly SpatialLoad[];
}

/**
 * Builds joints, relations and loads on bodies that have their places.
 * @throws {EngineError} naming the first that breaks a rule
 */
export function buildParts(
  { joints: descriptions, relations = [], loads: loadDescriptions }: Omit<SpatialModel, 'bodies'>,
  places: BodyPlaces,
): SpatialParts {
  const numbers = new Map(places.bodies.map(({ id }, k) => [id, k]));
  const markerFor = markersOf(places);
  const joints = descriptions.map((description) => {
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
    const [first, second] = [marker(description.first), marker(description.second)];
    if (!takesPoints(description)) for (const side of [first, second]) requireAxes(side, id, places);
    return buildJoint(description, first, second);
  });
  const general = relations.map((description) => {
    const { id, bodies: linked } = description;
    const [first, last] = [linked.length > 1 ? linked[0] : SPATIAL_GROUND, linked[linked.length - 1]];
    const marker = markerFor(id);
    const markers = linked.map((body) => marker({ body }));
    for (const side of markers) requireAxes(side, id, places);
    return buildGeneralRelation(description, markers, marker({ body: first }), marker({ body: last }));
  });
  const loads = loadDescriptions.map((load) =>
    buildLoad(load, {
      marker: (attachment) => {
        const marker = markerFor(load.id)(attachment);
        requireAxes(marker, load.id, places);
        return marker;
      },
      numberOf: (body) => numberOf(load.id, body, numbers),
      places,
    }),
  );
  return { joints: [...joints, ...general], loads };
}

/** Markers on bodies that have their places; each user is named where it takes hold of what there is not. */
export function markersOf(
  places: BodyPlaces,
): (user: string) => (attachment: SpatialAttachment) => SpatialMarker {
  const numbers = new Map(places.bodies.map(({ id }, k) => [id, k]));
  return (user) => (attachment) => placeMarker(user, attachment, numbers, places);
}

function buildBody(description: BodyDescription): SpatialBody {
  if ('kind' in description) return new PseudoRigidBody(description);
  const { id, mass, inertia, inertiaLaw = null } = description;
  return new RigidBody(id, mass, inertia, inertiaLaw);
}

/** Refuses a pseudo-rigid body where something needs an orientation. */
function requireAxes({ body }: SpatialMarker, user: string, { bodies }: BodyPlaces): void {
  if (body < 0 || !(bodies[body] instanceof PseudoRigidBody)) return;
  fail(
    'pseudo-rigid-without-axes',
    user,
    `“${user}” needs an orientation of “${bodies[body].id}”, which is pseudo-rigid: its axes shear and stretch.`,
    'Take a ball joint, a rod or a rope, which hold points; as loads weight and forces by state; or make the body rigid.',
  );
}

function checkIds(elements: readonly { id: string }[]): void {
  const seen = new Set<string>([SPATIAL_GROUND]);
  for (const { id } of elements) {
    if (seen.has(id))
      fail(
        'id-taken',
        id,
        id === SPATIAL_GROUND
          ? `“${SPATIAL_GROUND}” is the name of the ground.`
          : `Two elements are called “${id}”.`,
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
  return { positions: [...position, ...unit], velocities: [...velocity, ...spin] };
}

function initialDeformation({
  id,
  position,
  deformation = [1, 0, 0, 0, 1, 0, 0, 0, 1],
  velocity = [0, 0, 0],
  rate = [0, 0, 0, 0, 0, 0, 0, 0, 0],
}: PseudoRigidBodyDescription): InitialBodyState {
  if (![...position, ...deformation, ...velocity, ...rate].every(Number.isFinite))
    fail(
      'state-not-finite',
      id,
      `The start of “${id}” is not finite.`,
      'Give position and velocity, three numbers each, and deformation gradient and its rate, nine each.',
    );
  const ratio = determinant(Float64Array.from(deformation), 0);
  if (!(ratio > 0))
    fail(
      'deformation-not-positive',
      id,
      `The deformation gradient of “${id}” has the determinant ${ratio}: the body is ${ratio === 0 ? 'flat' : 'inside out'}.`,
      'Give a matrix with a positive determinant; the unit matrix is the body as it was made.',
    );
  return { positions: [...position, ...deformation], velocities: [...velocity, ...rate] };
}

/** @throws {EngineError} `body-unknown` */
function numberOf(user: string, body: string, numbers: ReadonlyMap<string, number>): number {
  const number = numbers.get(body);
  if (number !== undefined) return number;
  return fail(
    'body-unknown',
    user,
    `“${user}” takes hold of “${body}”, but there is no such body.`,
    `Name a body of the model; joints may take hold of “${SPATIAL_GROUND}” too.`,
  );
}

function placeMarker(
  user: string,
  { body, point = [0, 0, 0], frame = [1, 0, 0, 0] }: SpatialAttachment,
  numbers: ReadonlyMap<string, number>,
  { bodies, positionsAt, velocitiesAt }: BodyPlaces,
): SpatialMarker {
  const number = body === SPATIAL_GROUND ? ON_GROUND : numberOf(user, body, numbers);
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
  if (number === ON_GROUND) return new SpatialMarker(number, 0, 0, point, axes);
  const Marker = bodies[number] instanceof PseudoRigidBody ? AffineMarker : SpatialMarker;
  return new Marker(number, positionsAt[number], velocitiesAt[number], point, axes);
}
