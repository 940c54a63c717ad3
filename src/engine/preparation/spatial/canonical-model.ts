/**
 * 3D bodies, their joints, loads and contacts in the canonical forms of a model (`model/forms.ts`), which is
 * what the event-driven scheme simulates:
 *
 *     a body               M v̇ = f(t, q, v) − Ω×I Ω + p,  q̇ = T(q) v one Lagrangian system
 *     a joint              h(q) = 0                                    one relation with a free multiplier
 *     its stops            h(q) ≥ 0, Newton's law                      one relation
 *     dry friction         −ẏ ∈ N_[−b, b](λ), y its coordinate         one relation
 *     a motor              −(ẏ − s) ∈ N_[−b, b](λ)                     one relation; a joint where b = ∞
 *     shapes that may meet the gaps of `contact-gaps.ts`               one relation for each pair
 *
 * z of a relation has the positions of the bodies it links one after the other; rows are by their velocities.
 * All derivatives are those that `spatial` has written out.
 */
import { sparseFromDense } from '../../linalg/sparse';
import type { Kinematics, LagrangianForm, LawRow } from '../../model/forms';
import { EQUALITY, INEQUALITY } from '../../model/laws/common';
import {
  type DynamicalSystem,
  type Interaction,
  type NonSmoothDynamicalSystem,
  type NonSmoothLaw,
  type Relation,
  linkedPlaces,
  offsetsOf,
} from '../../model/nsds';
import type { ImpactMaterial } from '../../model/contact-laws/newton-impact-friction';
import { EngineError } from '../../errors';
import { type BodyPlaces, placeBodies } from '../../spatial/bodies/body';
import { type SpatialModel, buildParts } from '../../spatial/compile';
import type { SpatialJoint } from '../../spatial/joints/joint';
import { normaliseQuaternion, quaternionRate, squaredNorm, turn } from '../../spatial/quaternion';
import { POSITIONS, RigidBody } from '../../spatial/bodies/rigid-body';
import { RowSet, type SpatialRows } from '../../spatial/rows';
import { type InitialBodyState, SpatialSystem } from '../../spatial/system';
import type { CompiledSpace } from './compile';
import { type Directions, gapsOf } from './contact-gaps';

/** Numbers of the mass centre, which come first. */
const CENTRE = 3;

/** Of a rigid body, q = (x, Q), v = (V, Ω). Its workspace is its own. */
function rigidKinematics(): Kinematics {
  const work = new Float64Array(4);
  return {
    positions: POSITIONS,
    position: Int32Array.of(0, 1, 2, -1, -1, -1),
    rate(q, v, out) {
      for (let i = 0; i < CENTRE; i++) out[i] = v[i];
      quaternionRate(q, CENTRE, v, CENTRE, out, CENTRE);
    },
    displace(q, qAt, x, xAt) {
      for (let i = 0; i < CENTRE; i++) q[qAt + i] += x[xAt + i];
      turn(q, qAt + CENTRE, x, xAt + CENTRE, 1, work);
      normaliseQuaternion(q, qAt + CENTRE);
    },
    offManifold: (q, qAt) => Math.abs(Math.sqrt(squaredNorm(q, qAt + CENTRE)) - 1),
  };
}

/** A relation of 3D bodies: rows, and how fast each is to grow by itself. */
interface RowDescription {
  readonly rows: readonly SpatialRows[];
  /** speed that counts as none, m/s or rad/s */
  readonly speed?: number;
  readonly isJoint?: boolean;
}

/**
 * Flows of bodies with an orientation are differentiated as a whole, by displacements (`flow-jacobian.ts`).
 */
function refuseJacobians(): never {
  throw new Error('forces on 3D bodies have no Jacobian by their positions');
}

function refuseInput(): never {
  throw new Error('a relation of bodies has no input');
}

/** @param places of the linked bodies */
function relationOf(
  type: string,
  { rows: kinds, speed = 0, isJoint = false }: RowDescription,
  places: BodyPlaces,
): Relation {
  const rows = new RowSet(kinds);
  const { positions, velocities } = places;
  return {
    type,
    order: 2,
    size: rows.count,
    columns: positions,
    velocities,
    C: null,
    D: null,
    B: null,
    hasFeedthrough: false,
    hasStateInput: false,
    isAffine: false,
    isTimeDependent: speed !== 0,
    isJoint,
    rows: rows.labels.map(({ row, unit, isSlip = false }) => ({ name: row, unit, isSlip })),
    output(clock, z, _, out) {
      rows.position(z, out);
      if (speed !== 0) for (let r = 0; r < rows.count; r++) out[r] -= speed * clock[0];
    },
    outputJacobians(_, z, __, outC) {
      rows.jacobian(z, outC, velocities, 'velocity');
    },
    timeDerivative(_, __, out) {
      out.fill(-speed);
    },
    curvature(_, z, v, out) {
      rows.gamma(z, v, out);
      for (let r = 0; r < rows.count; r++) out[r] = -out[r];
    },
    input: refuseInput,
    inputJacobians: refuseInput,
  };
}

const JOINT: NonSmoothLaw = {
  type: 'Equality',
  size: 1,
  rows: [EQUALITY],
  level: 'velocity',
  multiplier: 'impulse',
  restitution: null,
};

/** Newton's law. @param restitution e */
const impact = (restitution: number): NonSmoothLaw => ({
  type: 'NewtonImpact',
  size: 1,
  rows: [INEQUALITY],
  level: 'velocity',
  multiplier: 'impulse',
  restitution,
});

/** The same with Coulomb's law of friction in as many directions of the tangent plane. */
const contactLaw = (
  { restitution, friction, tangentialRestitution, relativeStiffness = 1 }: ImpactMaterial,
  directions: Directions,
): NonSmoothLaw => ({
  ...impact(restitution),
  stiffness: relativeStiffness,
  size: 1 + directions,
  rows: [
    INEQUALITY,
    ...Array.from({ length: directions }, (): LawRow => {
      return { kind: 'friction', coefficient: friction, restitution: tangentialRestitution };
    }),
  ],
});

/** A force up to a bound against a speed. @param bound N or N m */
const bounded = (bound: number): NonSmoothLaw => ({
  type: 'Relay',
  size: 1,
  rows: [{ kind: 'box', lower: -bound, upper: bound }],
  level: 'velocity',
  multiplier: 'force',
  restitution: null,
});

/** @throws {EngineError} for an inertia that is a function of time */
function systemOf({ loads }: SpatialModel, places: BodyPlaces, initial: InitialBodyState): DynamicalSystem {
  const [body] = places.bodies;
  const { id, velocities: n } = body;
  const isRigid = body instanceof RigidBody;
  if (isRigid && body.law !== null)
    throw new EngineError({
      code: 'event-driven-inertia',
      where: id,
      message: `The inertia of “${id}” is a function of time, which the event-driven scheme does not know.`,
      remedy: 'Simulate it by time-stepping, or give a constant inertia.',
    });
  const own = loads.filter(
    (load) => ('on' in load && typeof load.on === 'object' ? load.on.body : load.on) === id,
  );
  const { loads: acting } = buildParts({ joints: [], loads: own }, places);
  const system = new SpatialSystem(places, [initial], [], acting);
  const dense = new Float64Array(n * n);
  system.mass(dense);
  const form: LagrangianForm = {
    order: 2,
    size: n,
    ...(isRigid ? { kinematics: rigidKinematics() } : {}),
    q0: Float64Array.from(initial.positions),
    v0: Float64Array.from(initial.velocities),
    constantMass: sparseFromDense(dense, n, n),
    linear: null,
    mass(_, out) {
      out.set(dense);
    },
    force(clock, q, v, out) {
      system.force(clock, q, v, out);
      system.addGyroscopic(v, out);
    },
    forceJacobians: refuseJacobians,
  };
  return { type: isRigid ? 'RigidBody' : 'PseudoRigidBody', id, form, unit: '1' };
}

/** The relations of a joint, or of one that a script gives. @param linked numbers of its bodies */
function jointInteractions(
  { id, type, rows, limits, restitution, frictions, motors }: SpatialJoint,
  linked: readonly number[],
  places: BodyPlaces,
): { readonly interaction: Interaction; readonly work: RowOwner['work']; readonly speed: number }[] {
  const add = (work: RowOwner['work'], description: RowDescription, law: NonSmoothLaw) => ({
    interaction: { id, systems: linked, relation: relationOf(type, description, places), law },
    work,
    speed: description.speed ?? 0,
  });
  return [
    ...(rows.length > 0 ? [add(null, { rows, isJoint: true }, JOINT)] : []),
    ...limits.map((limit) => add('stops', { rows: [limit] }, impact(restitution))),
    ...frictions.map(({ coordinate, bound }) => add('jointFriction', { rows: [coordinate] }, bounded(bound))),
    ...motors.map(({ coordinate, speed, limit }) =>
      add('motors', { rows: [coordinate], speed }, limit === Infinity ? JOINT : bounded(limit)),
    ),
  ];
}

/** What belongs to a joint, or to a contact. */
interface RowOwner {
  /** number of the joint, scripted relations counted behind the joints; −1 of contacts */
  readonly joint: number;
  /** number of the interaction of contact; −1 of joints */
  readonly contact: number;
  /** what its multipliers do to the energy; null where they do nothing */
  readonly work: 'contact' | 'stops' | 'jointFriction' | 'motors' | null;
  /** speed of the coordinate of a motor that counts as none, m/s or rad/s */
  readonly speed: number;
}

/** A model in the canonical forms, and whose its interactions are. */
export interface CanonicalModel extends NonSmoothDynamicalSystem {
  /** by interaction */
  readonly owners: readonly RowOwner[];
  /** Takes the positions of all bodies for those from which whole turns are counted on. */
  follow(q: Float64Array): void;
}

/** Rows of all pairs of shapes that may meet: problems at events have as many squared. */
const MOST_ROWS = 1500;

const tooManyPairs = (where: string): EngineError =>
  new EngineError({
    code: 'event-driven-size',
    where,
    message: `More than ${MOST_ROWS} corners of shapes may meet others, which are too many for the event-driven scheme.`,
    remedy: 'Simulate the model by time-stepping, or let fewer bodies meet.',
  });

/** Coordinates of a joint that count whole turns. */
class TurnCounter {
  readonly #coordinates: RowSet;
  readonly #values: Float64Array;
  readonly #q: Float64Array;

  constructor(
    coordinates: readonly SpatialRows[],
    private readonly positions: Int32Array,
  ) {
    this.#coordinates = new RowSet(coordinates);
    this.#values = new Float64Array(this.#coordinates.count);
    this.#q = new Float64Array(positions.length);
  }

  follow(q: Float64Array): void {
    for (let k = 0; k < this.#q.length; k++) this.#q[k] = q[this.positions[k]];
    this.#coordinates.position(this.#q, this.#values);
    this.#coordinates.follow(this.#values);
  }
}

/**
 * The model as the event-driven scheme knows it. It has joints and loads of its own, so that what they are
 * asked leaves nothing behind in the space that it is made from.
 * @throws {EngineError} for what the scheme does not know
 */
export function canonicalModel(space: CompiledSpace): CanonicalModel {
  const { description, system } = space;
  const { joints, relations = [] } = description;
  const number = new Map(system.bodies.map(({ id }, k) => [id, k]));
  const placesOf = (linked: readonly number[]): BodyPlaces =>
    placeBodies(linked.map((k) => system.bodies[k]));
  const systems = system.bodies.map((_, k) => systemOf(description, placesOf([k]), system.initial[k]));
  const offsets = offsetsOf({ systems });
  const interactions: Interaction[] = [];
  const owners: RowOwner[] = [];
  const counters: TurnCounter[] = [];
  [
    ...joints.map((joint) => ({ ids: [joint.first.body, joint.second.body], parts: { joints: [joint] } })),
    ...relations.map((relation) => ({ ids: relation.bodies, parts: { joints: [], relations: [relation] } })),
  ].forEach(({ ids, parts }, joint) => {
    const linked = [...new Set(ids)].flatMap((id) => number.get(id) ?? []);
    const places = placesOf(linked);
    const [built] = buildParts({ ...parts, loads: [] }, places).joints;
    const own = jointInteractions(built, linked, places);
    interactions.push(...own.map(({ interaction }) => interaction));
    owners.push(...own.map(({ work, speed }) => ({ joint, contact: -1, work, speed })));
    if (built.coordinates.some((rows) => rows.follow !== undefined))
      counters.push(new TurnCounter(built.coordinates, linkedPlaces(offsets.positions, linked)));
  });
  let rowCount = 0;
  for (const { contact, linked, rows, surface, directions } of gapsOf(space)) {
    const places = placesOf(linked);
    const { id } = space.contacts[contact];
    const relation = relationOf('Gap', { rows: rows(places) }, places);
    interactions.push({ id, systems: linked, relation, law: contactLaw(surface, directions) });
    rowCount += relation.size;
    if (rowCount > MOST_ROWS) throw tooManyPairs(id);
    owners.push({ joint: -1, contact, work: 'contact', speed: 0 });
  }
  return {
    systems,
    interactions,
    owners,
    follow(q) {
      for (const counter of counters) counter.follow(q);
    },
  };
}
