/** From 3D bodies as they are modelled to what is computed with: equations, shapes, laws. */
import { ContactDetection, GROUND as STANDING, overlaps } from '../../collision/contact-detection';
import { FRAME, identityFrame } from '../../collision/frame';
import type { ContactMaterial } from '../../model/contact-laws/registry';
import type { PairMaterials } from '../../contact-dynamics/contacts/detected-contacts';
import { numberOfKinematicBody } from '../../contact-dynamics/contacts/kinematic-bodies';
import {
  type ContactSide,
  STANDS,
  type ScriptedContact,
} from '../../contact-dynamics/contacts/scripted-contacts';
import type { DocumentIssue, ModelDocument } from '../../document/types';
import { EngineError } from '../../errors';
import { composePoses } from '../../model/space/pose';
import type {
  BodyDynamics,
  BodyShape,
  PrescribedMotion,
  SpaceBody,
  SpaceInteraction,
  SpaceModel,
} from '../../model/space/space';
import { type BodyDescription, type SpatialModel, compileSpatial } from '../../spatial/compile';
import { Limit } from '../../spatial/coordinates';
import { PseudoRigidBody } from '../../spatial/bodies/pseudo-rigid';
import { POSITIONS } from '../../spatial/bodies/rigid-body';
import type { SpatialSystem } from '../../spatial/system';
import { type GeneralInteraction, type JointInteraction, contactsOf, generalOf, jointsOf } from './layout';
import { type Report, checkPlane, checkRows, inPlane, isPlanar, motionInPlane } from './planar-models';

/*
 * Which interaction holds where two shapes meet: of those that link both bodies the one that links the
 * fewest. Bodies that belong to the same interactions are one class, so that a pile of thousands under one
 * law is one entry.
 */

/** Two interactions that link the same two bodies and are equally large. */
export interface AmbiguousPair {
  readonly first: SpaceInteraction;
  readonly second: SpaceInteraction;
  /** positions of the bodies */
  readonly bodies: readonly [number, number];
}

const isOfShapes = ({ relation }: SpaceInteraction): boolean =>
  relation.kind === 'contact' && relation.geometry === null;

export class ContactPairs implements PairMaterials {
  /** pairs of bodies that two interactions claim alike */
  readonly ambiguous: readonly AmbiguousPair[];
  readonly #classOf: Int32Array;
  readonly #classes: number;
  /** number of the interaction of contact by pair of classes */
  readonly #laws = new Map<number, number>();
  /** body of each shape, in the order of the shapes */
  readonly #bodyOf: Int32Array;

  /**
   * @param contacts interactions of contact, whose order numbers them
   * @param bodyOf position of the body of each shape
   */
  constructor(contacts: readonly SpaceInteraction[], bodies: number, bodyOf: readonly number[]) {
    this.#bodyOf = Int32Array.from(bodyOf);
    const memberships: string[] = Array.from({ length: bodies }, () => '');
    contacts.forEach((interaction, k) => {
      if (isOfShapes(interaction)) for (const body of interaction.bodies) memberships[body] += `${k} `;
    });
    const names = new Map<string, number>();
    this.#classOf = Int32Array.from(memberships, (name) => {
      const known = names.get(name) ?? names.size;
      names.set(name, known);
      return known;
    });
    this.#classes = names.size;
    this.ambiguous = this.#enter(contacts);
  }

  materialOf(firstShape: number, secondShape: number): number {
    const first = this.#classOf[this.#bodyOf[firstShape]];
    const second = this.#classOf[this.#bodyOf[secondShape]];
    return this.#laws.get(this.#key(first, second)) ?? -1;
  }

  #key(first: number, second: number): number {
    return first < second ? first * this.#classes + second : second * this.#classes + first;
  }

  #enter(contacts: readonly SpaceInteraction[]): AmbiguousPair[] {
    const clashes = new Map<number, AmbiguousPair>();
    contacts.forEach((interaction, k) => {
      if (!isOfShapes(interaction)) return;
      const members = new Map<number, number[]>();
      for (const body of interaction.bodies) {
        const list = members.get(this.#classOf[body]) ?? [];
        if (list.length < 2) list.push(body);
        members.set(this.#classOf[body], list);
      }
      const classes = [...members.keys()];
      classes.forEach((one, i) => {
        for (const other of classes.slice(i)) {
          const pair = members.get(one) ?? [];
          if (one === other && pair.length < 2) continue;
          const key = this.#key(one, other);
          const rival = this.#laws.get(key);
          const size = interaction.bodies.length;
          const theirs = rival === undefined ? Infinity : contacts[rival].bodies.length;
          if (size < theirs) {
            this.#laws.set(key, k);
            clashes.delete(key);
          } else if (size === theirs && rival !== undefined) {
            const bodies: [number, number] = [
              pair[0],
              one === other ? pair[1] : (members.get(other)?.[0] ?? 0),
            ];
            clashes.set(key, { first: contacts[rival], second: interaction, bodies });
          }
        }
      });
    });
    return [...clashes.values()];
  }
}

/** Contacts that scripts give, and where the poses of their bodies stand. */
function scriptedContacts(
  { bodies }: SpaceModel,
  contacts: readonly SpaceInteraction[],
  moving: readonly number[],
  system: SpatialSystem,
  kinematicBodies: readonly number[],
): ScriptedContact[] {
  const sideOf = (place: number): ContactSide => {
    const number = moving.indexOf(place);
    if (number >= 0) return { body: number, at: system.positionsAt[number], pose: null };
    const kinematic = kinematicBodies.indexOf(place);
    if (kinematic >= 0)
      return { body: numberOfKinematicBody(kinematic), at: POSITIONS * kinematic, pose: null };
    return { body: STANDS, at: 0, pose: bodies[place].pose };
  };
  return contacts.flatMap(({ id, bodies: linked, relation }, material) =>
    relation.kind === 'contact' && relation.geometry !== null
      ? [{ id, material, sides: linked.map(sideOf), ...relation.geometry }]
      : [],
  );
}

export interface CompiledSpace {
  readonly model: SpaceModel;
  /** what moves, what holds it and what acts on it, as the system is built from it */
  readonly description: SpatialModel;
  /** moving bodies in the order of the model */
  readonly system: SpatialSystem;
  /** position in the model of each of them */
  readonly moving: readonly number[];
  /**
   * the same of the kinematic bodies whose motion is prescribed, which detection numbers behind the bodies
   */
  readonly kinematicBodies: readonly number[];
  readonly motions: readonly PrescribedMotion[];
  readonly joints: readonly JointInteraction[];
  /** relations that scripts give; the system has them behind the joints */
  readonly general: readonly GeneralInteraction[];
  readonly contacts: readonly SpaceInteraction[];
  /** by interaction of contact */
  readonly materials: readonly ContactMaterial[];
  readonly pairs: ContactPairs;
  /** contacts that scripts give */
  readonly scripted: readonly ScriptedContact[];
  /** whether two shapes, by their numbers in the detection, meet at all */
  readonly touches: (first: number, second: number) => boolean;
  /** a new detection, with the shapes of all bodies */
  detection(): ContactDetection;
  /** position in the model of the body of a shape */
  bodyOfShape(shape: number): number;
}

/** Where elements stand in the document, as pointers by id. */
export const placesOf = ({
  systems,
  interactions,
}: Pick<ModelDocument, 'systems' | 'interactions'>): ReadonlyMap<string, string> =>
  new Map([
    ...systems.map(({ id }, i) => [id, `/systems/${i}`] as const),
    ...interactions.map(({ id }, i) => [id, `/interactions/${i}`] as const),
  ]);

/** of a contact without a law */
const FRICTIONLESS: ContactMaterial = {
  kind: 'impact',
  friction: 0,
  restitution: 0,
  tangentialRestitution: 0,
};
/** m: what is meant to touch overlaps by rounding. */
const OVERLAP = 1e-9;
/** Parts of the smallest extent of a shape: contacts are found this far before they close. */
const DETECTION_MARGIN_OF_EXTENT = 0.02;
/** Gap that a joint may have at the start, relative to the lengths at hand. */
const JOINT_OPEN = 1e-6;

/**
 * @param places pointers by id; defects go to `issues`
 * @param awaitsMore whether a script will add bodies, so that nothing is missing yet
 * @returns null after a defect, and while nothing moves
 */
export function compileSpace(
  model: SpaceModel,
  places: ReadonlyMap<string, string>,
  issues: DocumentIssue[],
  awaitsMore: boolean,
): CompiledSpace | null {
  if (issues.some(({ severity }) => severity === 'error')) return null;
  const report = reportTo(places, issues);
  const moving = [...model.bodies.keys()].filter((k) => model.bodies[k].dynamics !== null);
  if (moving.length === 0) {
    if (awaitsMore) return null;
    report(
      model.bodies[0].id,
      'nothing-moves',
      'The model has fixed bodies only: there is nothing to simulate.',
      'Add a rigid 3D body.',
    );
    return null;
  }
  const planar = isPlanar(model);
  if (planar) {
    checkPlane(model, report);
    if (issues.some(({ severity }) => severity === 'error')) return null;
  }
  try {
    const description = describeBodies(model, moving, planar);
    const system = compileSpatial(description);
    if (planar) checkRows(system, report);
    const joints = jointsOf(model);
    const contacts = contactsOf(model);
    const shapes = model.bodies.flatMap((body, k) => body.shapes.map((shape) => ({ body: k, shape })));
    const pairs = new ContactPairs(
      contacts,
      model.bodies.length,
      shapes.map(({ body }) => body),
    );
    for (const { first, second, bodies } of pairs.ambiguous.slice(0, 1)) {
      const [one, two] = bodies.map((body) => model.bodies[body].id);
      report(
        second.id,
        'contact-ambiguous',
        `“${first.id}” and “${second.id}” both say how “${one}” and “${two}” meet, and link equally many bodies.`,
        'Take the pair out of one of them, or let one name these two bodies only.',
      );
    }
    const held = new Set(
      joints.filter(({ relation }) => !relation.collides).map(({ bodies }) => bodies.join(' ')),
    );
    const numbers = new Int32Array(model.bodies.length).fill(STANDING);
    moving.forEach((body, k) => (numbers[body] = k));
    const kinematicBodies = [...model.bodies.keys()].filter((k) => model.bodies[k].motion !== null);
    kinematicBodies.forEach((body, k) => (numbers[body] = moving.length + k));
    const touches: CompiledSpace['touches'] = (first, second) => {
      if (pairs.materialOf(first, second) < 0) return false;
      if (held.size === 0) return true;
      const [a, b] = [shapes[first].body, shapes[second].body];
      return !held.has(`${a} ${b}`) && !held.has(`${b} ${a}`);
    };
    if (!checkEllipsoids(model, shapes, touches, report)) return null;
    const compiled: CompiledSpace = {
      model,
      description,
      system,
      moving,
      kinematicBodies,
      motions: kinematicBodies.flatMap((k) => motionOf(model.bodies[k], planar)),
      joints,
      general: generalOf(model),
      contacts,
      materials: contacts.map(({ law }) => law ?? FRICTIONLESS),
      pairs,
      scripted: scriptedContacts(model, contacts, moving, system, kinematicBodies),
      touches,
      bodyOfShape: (shape) => shapes[shape].body,
      detection: () => {
        const detection = new ContactDetection({
          dimension: planar ? 2 : 3,
          poses: 'spatial',
          margin: marginOf(model, planar),
          kinematicBodies: moving.length,
          skipsInternalEdges: true,
          bodies: {
            positionsAt: [
              ...system.positionsAt,
              ...kinematicBodies.map((_, k) => system.positions + POSITIONS * k),
            ],
            deforms: (body) => system.bodies[body] instanceof PseudoRigidBody,
          },
          touches,
        });
        for (const { body, shape } of shapes)
          detection.add(
            numbers[body],
            shape.shape,
            numbers[body] < 0 ? composePoses(model.bodies[body].pose, shape.pose) : shape.pose,
          );
        return detection;
      },
    };
    return compiled;
  } catch (error) {
    reportThrown(error, model, report);
    return null;
  }
}

/** Ellipsoids touch planes; of a contact with another shape no place is known. @returns whether that holds */
function checkEllipsoids(
  { bodies }: SpaceModel,
  shapes: readonly { readonly body: number; readonly shape: BodyShape }[],
  touches: CompiledSpace['touches'],
  report: Report,
): boolean {
  const kindOf = (number: number): string => shapes[number].shape.shape.kind;
  for (let first = 0; first < shapes.length; first++) {
    if (kindOf(first) !== 'ellipsoid') continue;
    for (let second = 0; second < shapes.length; second++) {
      const [one, other] = [shapes[first].body, shapes[second].body];
      if (one === other || kindOf(second) === 'plane') continue;
      if (!touches(Math.min(first, second), Math.max(first, second))) continue;
      report(
        bodies[one].id,
        'shapes-without-contact',
        `The ellipsoid of “${bodies[one].id}” may meet the ${kindOf(second)} of “${bodies[other].id}”, and ellipsoids touch planes only.`,
        'Take one of the two bodies out of the contact, or describe the body by a polyhedron.',
      );
      return false;
    }
  }
  return true;
}

const reportTo =
  (places: ReadonlyMap<string, string>, issues: DocumentIssue[]): Report =>
  (element, code, message, remedy, place = '') => {
    const pointer = `${places.get(element) ?? '/systems'}${place}`;
    issues.push({ severity: 'error', code, pointer, element, message, remedy });
  };

function reportThrown(error: unknown, { bodies }: SpaceModel, report: Report): void {
  if (!(error instanceof EngineError)) throw error;
  const { where, code, message, remedy } = error.details;
  report(where ?? bodies[0].id, code, message, remedy ?? 'Correct the element.');
}

/**
 * What is wrong with where a model starts: joints that are apart, stops that joints are beyond. Relations may
 * be script functions: then it is to be asked once these have been loaded, too.
 */
export function checkStart(
  space: CompiledSpace,
  places: ReadonlyMap<string, string>,
  issues: DocumentIssue[],
): void {
  const report = reportTo(places, issues);
  try {
    checkJoints(space, report);
    checkStops(space, report);
  } catch (error) {
    reportThrown(error, space.model, report);
  }
}

function describeBodies(model: SpaceModel, moving: readonly number[], planar: boolean): SpatialModel {
  const bodies = moving.map((k) => model.bodies[k]);
  return {
    isPlanar: planar,
    bodies: bodies.flatMap(({ id, pose, dynamics }) =>
      dynamics === null ? [] : describe(id, pose, dynamics),
    ),
    joints: jointsOf(model).map(({ relation }) => relation.description),
    relations: generalOf(model).map(({ id, bodies: linked, relation, law }) => ({
      id,
      bodies: linked.map((body) => model.bodies[body].id),
      size: relation.size,
      h: relation.h,
      jacobian: relation.jacobian,
      restitution: law?.kind === 'impact' ? law.restitution : null,
    })),
    loads: bodies.flatMap(({ id, dynamics }) => {
      if (dynamics === null) return [];
      const { gravity, force } = dynamics;
      return [
        ...(gravity.some((g) => g !== 0)
          ? [{ type: 'gravity', id: `${id}.weight`, acceleration: gravity, on: id } as const]
          : []),
        ...(force === null
          ? []
          : [
              {
                type: 'bodyForce',
                id: `${id}.force`,
                on: id,
                value: planar ? inPlane(id, force) : force,
              } as const,
            ]),
      ];
    }),
  };
}

function motionOf(body: SpaceBody, planar: boolean): PrescribedMotion[] {
  const { motion, shapes } = body;
  if (motion === null) return [];
  // A frame without shapes may stand anywhere.
  return [planar && shapes.length > 0 ? motionInPlane(body, motion) : motion];
}

function describe(id: string, pose: Float64Array, dynamics: BodyDynamics): BodyDescription {
  const position = [...pose.subarray(0, 3)];
  if (dynamics.kind === 'pseudoRigid') {
    const { mass, euler, volume, lambda, mu, relaxation, deformation, velocity, rate } = dynamics;
    const kind = 'pseudoRigid';
    return { kind, id, mass, euler, volume, lambda, mu, relaxation, position, deformation, velocity, rate };
  }
  return {
    id,
    mass: dynamics.mass,
    inertia: dynamics.inertia,
    inertiaLaw: dynamics.inertiaLaw,
    position,
    orientation: [...pose.subarray(3)],
    velocity: [...dynamics.velocity.subarray(0, 3)],
    spin: [...dynamics.velocity.subarray(3)],
  };
}

/** A part of the smallest body, so that contacts are known before they close and few are known in vain. */
function marginOf({ bodies }: SpaceModel, planar: boolean): number {
  const frame = new Float64Array(FRAME);
  identityFrame(frame, 0);
  const box = new Float64Array(6);
  let smallest = Infinity;
  for (const { dynamics, shapes } of bodies) {
    if (dynamics === null) continue;
    for (const { shape } of shapes) {
      shape.bounds(frame, 0, box, 0);
      for (let i = 0; i < (planar ? 2 : 3); i++) smallest = Math.min(smallest, box[3 + i] - box[i]);
    }
  }
  return Number.isFinite(smallest) ? DETECTION_MARGIN_OF_EXTENT * smallest : 0;
}

/** Joints whose sides are apart where the run starts. */
function checkJoints({ system, joints, general }: CompiledSpace, report: Report): void {
  const q = system.initialPositions();
  let row = 0;
  const values = new Float64Array(system.equations.count);
  system.equations.position(q, values);
  const size = q.reduce((most, value) => Math.max(most, Math.abs(value)), 1);
  const equations = [
    ...joints.map(({ id, relation }) => ({ id, rows: relation.rows })),
    ...general.filter(({ law }) => law === null).map(({ id, relation }) => ({ id, rows: relation.size })),
  ];
  for (const { id, rows } of equations) {
    let worst = 0;
    for (let k = 0; k < rows; k++) worst = Math.max(worst, Math.abs(values[row++]));
    if (worst <= JOINT_OPEN * size) continue;
    report(
      id,
      'joint-open',
      `“${id}” does not fit at the start: its equations are off by ${worst.toPrecision(3)} (m, or rad for axes).`,
      'Move the bodies to where it holds; points and axes of a joint can be given in the world at the start.',
    );
  }
}

/** Stops that joints are beyond where the run starts. */
function checkStops({ system, joints }: CompiledSpace, report: Report): void {
  const q = system.initialPositions();
  const size = q.reduce((most, value) => Math.max(most, Math.abs(value)), 1);
  const value = new Float64Array(1);
  for (let j = 0; j < joints.length; j++)
    for (const limit of system.joints[j].limits) {
      if (!(limit instanceof Limit)) continue;
      limit.position(q, value, 0);
      if (value[0] >= -JOINT_OPEN * size) continue;
      const { labels } = limit.coordinate;
      const [{ row, unit }] = labels;
      limit.coordinate.position(q, value, 0);
      const isLower = limit.side === 'lower';
      report(
        joints[j].id,
        'starts-beyond-limit',
        `“${joints[j].id}” starts with ${row} ${value[0].toPrecision(4)} ${unit}, ${isLower ? 'below its lower' : 'above its upper'} stop ${limit.bound} ${unit}.`,
        'Move the bodies to where the stop is open, or the stop behind them; angles count from the position in which the frames of the joint agree.',
        `/relation/${row}${isLower ? 'Min' : 'Max'}`,
      );
    }
}

/** Overlaps of the shapes at the start, in words, the deepest first. */
export function overlapWarnings(compiled: CompiledSpace, detection: ContactDetection): string[] {
  const found = overlaps(detection, OVERLAP);
  if (found.length === 0) return [];
  const name = (shape: number): string => compiled.model.bodies[compiled.bodyOfShape(shape)].id;
  const { first, second, depth } = found[0];
  const more = found.length > 1 ? ` (the deepest of ${found.length} pairs)` : '';
  return [
    `“${name(first)}” and “${name(second)}” overlap by ${depth.toPrecision(3)} m at the start${more}: the overlap stays until they part.`,
  ];
}
