/** Interactions between bodies in space: joints and contacts. What all interactions must obey has been checked in `build.ts`. */
import type { FieldReader } from '../model/field-reader';
import { definition as equality } from '../model/laws/equality';
import { contactTypes, generalTypes, spatialJointTypes, surfaceLawTypes } from '../model/space/registry';
import type { JointSide, SpaceBody, SpaceInteraction, SurfaceLaw } from '../model/space/space';
import type { InteractionDocument } from './types';

export interface SpaceInteractionParts {
  readonly document: InteractionDocument;
  /** positions of the linked bodies, and the bodies */
  readonly linked: readonly number[];
  readonly bodies: readonly SpaceBody[];
  readonly relation: FieldReader;
  readonly law: FieldReader;
  reject(place: string, code: string, message: string, remedy: string): void;
}

/** @returns null after a reported defect */
export function buildSpaceInteraction(parts: SpaceInteractionParts): SpaceInteraction | null {
  const { type } = parts.document.relation;
  const contact = contactTypes.get(type);
  if (contact !== undefined) return buildContact(parts, contact);
  const general = generalTypes.get(type);
  if (general !== undefined) return buildGeneral(parts, general);
  const joint = spatialJointTypes.get(type);
  if (joint === undefined) throw new Error(`${type} is neither a joint nor a contact in space`);
  return buildJoint(parts, joint);
}

type ContactType = NonNullable<ReturnType<typeof contactTypes.get>>;
type JointType = NonNullable<ReturnType<typeof spatialJointTypes.get>>;

function buildContact(parts: SpaceInteractionParts, type: ContactType): SpaceInteraction | null {
  const { document, linked, bodies, law } = parts;
  const lawType = surfaceLawTypes.get(document.law.type);
  if (lawType === undefined) {
    parts.reject(
      'law/type',
      'law-of-contact',
      `The law ${document.law.type} is no law of contact in space.`,
      `Choose ${[...surfaceLawTypes.keys()].join(', ')}.`,
    );
    return null;
  }
  const surface = lawType.build(law);
  const bare = bodies.filter(({ listsShapes }) => !listsShapes);
  for (const { id } of bare)
    parts.reject(
      `systems/${bodies.findIndex((body) => body.id === id)}`,
      'contact-without-shape',
      `“${document.id}” finds contacts of “${id}”, which has no shape.`,
      'Give the body a shape, or take it out of the interaction.',
    );
  if (bodies.every(({ dynamics }) => dynamics === null)) {
    parts.reject(
      'systems',
      'nothing-moves',
      `None of the bodies that “${document.id}” links can move.`,
      'Link one that can.',
    );
    return null;
  }
  if (bare.length > 0) return null;
  return { id: document.id, bodies: linked, relation: type.build(), law: surface };
}

type GeneralType = NonNullable<ReturnType<typeof generalTypes.get>>;

/** Equations with the law of equality; stops with an impact law, whose friction nothing would be the direction of. */
function buildGeneral(parts: SpaceInteractionParts, type: GeneralType): SpaceInteraction | null {
  const { document, linked, bodies } = parts;
  const isEquality = document.law.type === equality.type;
  const surface = surfaceLawTypes.get(document.law.type)?.build(parts.law) ?? null;
  if (!isEquality && (surface?.kind !== 'impact' || !isFrictionless(surface))) {
    parts.reject(
      'law/type',
      'law-of-relation',
      `The law ${document.law.type} cannot stand on ${document.relation.type}, which has rows and no tangent plane.`,
      `Choose ${equality.type}, or an impact law without friction.`,
    );
    return null;
  }
  const relation = type.build(parts.relation, bodies.length);
  return relation === null ? null : { id: document.id, bodies: linked, relation, law: surface };
}

const isFrictionless = ({ friction, rolling = 0, spinning = 0 }: SurfaceLaw): boolean =>
  friction === 0 && rolling === 0 && spinning === 0;

const WORLD: JointSide = { id: null, pose: Float64Array.of(0, 0, 0, 1, 0, 0, 0) };

const sideOf = ({ id, pose, dynamics }: SpaceBody): JointSide => ({
  id: dynamics === null ? null : id,
  pose,
  ...(dynamics?.kind === 'pseudoRigid' ? { deformation: dynamics.deformation } : {}),
});

function buildJoint(parts: SpaceInteractionParts, type: JointType): SpaceInteraction | null {
  const { document, linked, bodies } = parts;
  if (document.law.type !== equality.type) {
    parts.reject(
      'law/type',
      'law-of-joint',
      `${document.relation.type} is a joint; the law ${document.law.type} cannot stand on it.`,
      `Choose ${equality.type}.`,
    );
    return null;
  }
  if (bodies.every(({ dynamics }) => dynamics === null)) {
    parts.reject(
      'systems',
      'nothing-moves',
      `None of the bodies that “${document.id}” links can move.`,
      'Link one that can.',
    );
    return null;
  }
  const moving = bodies.find(({ motion }) => motion?.moves === true);
  if (moving !== undefined) {
    parts.reject(
      'systems',
      'joint-on-motion',
      `“${document.id}” takes hold of “${moving.id}”, whose motion is prescribed; joints know only what stands still or what they move.`,
      'Link a body that stands still, and let a motor of the joint prescribe a speed.',
    );
    return null;
  }
  const [first, second] = bodies.length === 1 ? [WORLD, sideOf(bodies[0])] : bodies.map(sideOf);
  const relation = type.build(parts.relation, [first, second]);
  return relation === null ? null : { id: document.id, bodies: linked, relation, law: null };
}
