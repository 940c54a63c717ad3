/**
 * From a structurally valid document to the non-smooth dynamical system. The simulation section is in
 * `settings.ts`.
 */
import { buildBlock, type ControlBlock } from '../model/control/block';
import { blockTypes } from '../model/control/registry';
import type { ElementDefinition } from '../model/definition';
import type { FieldReader } from '../model/field-reader';
import type { LawTarget } from '../model/laws/common';
import { definition as equality } from '../model/laws/equality';
import {
  type DynamicalSystem,
  type Interaction,
  type NonSmoothDynamicalSystem,
  type NonSmoothLaw,
  type Relation,
  isFree,
  jointedSystems,
  linkedSize,
} from '../model/nsds';
import { buildReset, definition as resetDefinition, type Reset } from '../model/resets/reset';
import { isOfInteractions, readPresence } from '../model/settings/presences';
import { definitionsByKey, lawTypes, relationTypes, systemTypes } from '../model/registry';
import {
  bodyTypes,
  contactTypes,
  generalTypes,
  spatialJointTypes,
  spatialLawTypes,
} from '../model/space/registry';
import type { ContactMaterial } from '../model/contact-laws/registry';
import type { JointSide, SpaceBody, SpaceInteraction, SpaceModel } from '../model/space/space';
import { plural } from '../plural';
import { type EvaluationContext, FieldValues, MAX_DENSE, defectsIn } from './field-values';
import { type IntegratedSystem, ORDER_WORDS } from './integrator-assignment';
import type { InteractionDocument, SystemDocument, TypedElement } from './types';

/*
 * Interactions between 3D bodies: joints and contacts. What all interactions must obey has been checked
 * in `build.ts`.
 */

interface SpaceInteractionParts {
  readonly document: InteractionDocument;
  /** positions of the linked bodies, and the bodies */
  readonly linked: readonly number[];
  readonly bodies: readonly SpaceBody[];
  readonly relation: FieldReader;
  readonly law: FieldReader;
  reject(place: string, code: string, message: string, remedy: string): void;
}

/** @returns null after a reported defect */
function buildSpaceInteraction(parts: SpaceInteractionParts): SpaceInteraction | null {
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
  const lawType = spatialLawTypes.get(document.law.type);
  if (lawType === undefined) {
    parts.reject(
      'law/type',
      'law-of-contact',
      `The law ${document.law.type} is no law of contact in space.`,
      `Choose ${[...spatialLawTypes.keys()].join(', ')}.`,
    );
    return null;
  }
  const surface = lawType.build(law);
  const relation = type.build(parts.relation);
  if (relation === null) return null;
  const bare = relation.geometry === null ? bodies.filter(({ listsShapes }) => !listsShapes) : [];
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
  return { id: document.id, bodies: linked, relation, law: surface };
}

type GeneralType = NonNullable<ReturnType<typeof generalTypes.get>>;

/**
 * Equations with the law of equality; stops with an impact law, whose friction nothing would be the direction
 * of.
 */
function buildGeneral(parts: SpaceInteractionParts, type: GeneralType): SpaceInteraction | null {
  const { document, linked, bodies } = parts;
  const isEquality = document.law.type === equality.type;
  const surface = spatialLawTypes.get(document.law.type)?.build(parts.law) ?? null;
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

const isFrictionless = ({ friction, rolling = 0, spinning = 0 }: ContactMaterial): boolean =>
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

/** What a document says of its physics. */
export interface BuiltModel {
  readonly nsds: NonSmoothDynamicalSystem;
  /** 3D bodies; null where there are none */
  readonly space: SpaceModel | null;
  /** all systems that an integrator advances, in the order of the document */
  readonly systems: readonly IntegratedSystem[];
}

/** A system of the document with what was built of it. */
type BuiltSystem = IntegratedSystem &
  (
    | { readonly system: DynamicalSystem }
    | { readonly body: SpaceBody; readonly order: 'body' }
    | { readonly block: ControlBlock | null; readonly order: 'signal' }
    | { readonly reset: Reset | null; readonly order: 'signal' }
  );

function buildSystem(document: SystemDocument, pointer: string, context: EvaluationContext): BuiltSystem {
  const { id, type } = document;
  const bodyType = bodyTypes.get(type);
  const blockType = blockTypes.get(type);
  const systemType = systemTypes.get(type);
  const read = (definition: ElementDefinition): FieldValues =>
    new FieldValues(id, definition, document, pointer, context);
  if (bodyType !== undefined)
    return { id, type, order: 'body', isLinear: false, body: bodyType.build(read(bodyType.definition)) };
  if (blockType !== undefined) {
    const block = buildBlock(blockType, read(blockType.definition));
    return { id, type, order: 'signal', isLinear: false, block };
  }
  if (type === resetDefinition.type)
    return { id, type, order: 'signal', isLinear: false, reset: buildReset(read(resetDefinition)) };
  if (systemType === undefined) throw new Error(`type ${type} passed the schema without a definition`);
  const system = systemType.build(read(systemType.definition));
  const { form } = system;
  return {
    id,
    type,
    order: form.order,
    isLinear: form.order === 1 && form.rateKind !== 'nonlinear',
    system,
  };
}

/** Builds one interaction: systems → relation → law, each checked against what stands before it. */
class InteractionBuilder {
  constructor(
    private readonly document: InteractionDocument,
    private readonly position: number,
    private readonly built: readonly BuiltSystem[],
    private readonly index: ReadonlyMap<string, number>,
    private readonly context: EvaluationContext,
  ) {}

  /** @returns what was built, on positions in the document; null after a reported defect */
  build(): Interaction | SpaceInteraction | null {
    const { document } = this;
    const relation = definitionOf('relation', document.relation.type);
    return relation.order === 'body' ? this.#buildSpace(relation) : this.#buildForms();
  }

  #buildSpace(relation: ElementDefinition): SpaceInteraction | null {
    const { document } = this;
    const law = definitionOf('law', document.law.type);
    if (document.while !== undefined)
      this.#reject(
        'while',
        'presence-of-bodies',
        `Interaction “${document.id}” is one between 3D bodies, which cannot come and go by a condition.`,
        'Remove its condition; contacts of 3D bodies come and go with their distance.',
      );
    const linked = this.#linkedSystems();
    const isOrdered = this.#checkLawOrder(law, relation);
    const isLinkable =
      linked !== null && this.#checkOrder(linked, relation) && this.#checkLinks(linked, relation);
    if (!isLinkable || !isOrdered) return null;
    const bodies = linked.flatMap((position) => {
      const system = this.built[position];
      return 'body' in system ? [system.body] : [];
    });
    return buildSpaceInteraction({
      document,
      linked,
      bodies,
      relation: this.#fields(relation, document.relation, 'relation'),
      law: this.#fields(law, document.law, 'law'),
      reject: (place, code, message, remedy) => {
        this.#reject(place, code, message, remedy);
      },
    });
  }

  #buildForms(): Interaction | null {
    const { document, context } = this;
    const relationType = relationTypes.get(document.relation.type);
    const lawType = lawTypes.get(document.law.type);
    if (relationType === undefined) throw new Error('type passed the schema without a definition');
    if (lawType === undefined) {
      this.#checkLawOrder(definitionOf('law', document.law.type), relationType.definition);
      return null;
    }
    const { order } = relationType.definition;
    if (order === 'body' || order === 'signal') throw new Error(`${relationType.definition.type} has forms`);
    const linked = this.#linkedSystems();
    const lawFields = this.#fields(lawType.definition, document.law, 'law');
    const isOrdered = this.#checkLawOrder(lawType.definition, relationType.definition);
    const isLinkable =
      linked !== null &&
      this.#checkOrder(linked, relationType.definition) &&
      this.#checkLinks(linked, relationType.definition);
    if (!isLinkable) {
      // The defects of the law are reported all the same.
      if (isOrdered) lawType.build(lawFields, { order: order ?? 2, size: 1, hasFeedthrough: false });
      return null;
    }
    const reported = defectsIn(context.issues);
    const relation = relationType.build(
      this.#fields(relationType.definition, document.relation, 'relation'),
      this.#linkedSize(linked),
    );
    if (!isOrdered || (defectsIn(context.issues) === reported && !this.#checkMemory(relation))) return null;
    const target: LawTarget = {
      order: order ?? 2,
      size: relation.size,
      hasFeedthrough: relation.hasFeedthrough,
    };
    const law = lawType.build(lawFields, target);
    if (relation.isVector === true && !law.rows.every(isFree))
      this.#reject(
        'law',
        'law-of-vector',
        `The relation ${document.relation.type} has a row for each component of a vector here, which the law ${document.law.type} cannot be on.`,
        'Give the spring a free length above 0, or choose the law Equality.',
      );
    // Sizes of defective elements mean nothing.
    if (defectsIn(context.issues) === reported) this.#checkSizes(relation.size, law);
    const presence = this.#presence();
    if (presence === null) return null;
    return { id: document.id, systems: linked, relation, law, ...presence };
  }

  /** When it is there; null after a reported defect. */
  #presence(): Pick<Interaction, 'presence'> | null {
    const given = this.document.while;
    if (given === undefined) return {};
    if (!isOfInteractions(given.type)) {
      this.#reject(
        'while/type',
        'presence-of-part',
        `${given.type} is for parts of a law; an interaction comes and goes by a Condition.`,
        'Use Condition, or the law PerRow with a part that has it.',
      );
      return null;
    }
    const fields = this.#fields(definitionOf('while', given.type), given, 'while');
    const presence = readPresence({ type: given.type, fields });
    return presence === null ? null : { presence };
  }

  #fields(definition: ElementDefinition, element: TypedElement, part: string): FieldValues {
    const pointer = `/interactions/${this.position}/${part}`;
    return new FieldValues(this.document.id, definition, element, pointer, this.context);
  }

  #reject(place: string, code: string, message: string, remedy: string): void {
    const pointer = `/interactions/${this.position}/${place}`;
    this.context.issues.push({
      severity: 'error',
      code,
      pointer,
      element: this.document.id,
      message,
      remedy,
    });
  }

  #linkedSize(linked: readonly number[]): number {
    const systems = linked.flatMap((position) => {
      const built = this.built[position];
      return 'system' in built ? [built.system] : [];
    });
    return linkedSize(systems, [...systems.keys()]);
  }

  /** Positions of the linked systems; null after a reported defect. */
  #linkedSystems(): number[] | null {
    const { document, index } = this;
    const linked: number[] = [];
    document.systems.forEach((id, k) => {
      const position = index.get(id);
      if (position === undefined) {
        const known = [...index.keys()].slice(0, 12).join(', ');
        this.#reject(
          `systems/${k}`,
          'unknown-system',
          `Interaction “${document.id}” links the system “${id}”, which does not exist.`,
          known === '' ? 'Add the system first.' : `Systems of this model: ${known}.`,
        );
      } else if (linked.includes(position)) {
        this.#reject(
          `systems/${k}`,
          'system-twice',
          `Interaction “${document.id}” links “${id}” twice.`,
          'Name each system once.',
        );
      } else {
        linked.push(position);
      }
    });
    return linked.length === document.systems.length ? linked : null;
  }

  #checkOrder(linked: readonly number[], relation: ElementDefinition): boolean {
    const { order } = relation;
    const block = linked.findIndex((position) => this.built[position].order === 'signal');
    if (block >= 0) {
      const { id, type } = this.built[linked[block]];
      this.#reject(
        `systems/${block}`,
        'block-linked',
        `Interaction “${this.document.id}” links “${id}” (${type}), ${'reset' in this.built[linked[block]] ? 'a reset' : 'a control block'}, which has no coordinates.`,
        'Link the system that it drives or sets; it reads signals by its expressions.',
      );
      return false;
    }
    if (order === undefined) return true;
    const wrong = linked.filter((position) => this.built[position].order !== order);
    for (const position of wrong) {
      const { id, type, order: found } = this.built[position];
      const suited = (definitionsByKey.get('relation') ?? []).filter((r) => r.order === found);
      this.#reject(
        `systems/${linked.indexOf(position)}`,
        'relation-order',
        `The relation ${relation.type} links ${ORDER_WORDS[order]} systems; “${id}” (${type}) is ${ORDER_WORDS[found]}.`,
        `Link another system, or choose one of ${suited.map((r) => r.type).join(', ')}.`,
      );
    }
    return wrong.length === 0;
  }

  /** Joints link bodies, and no more than two. */
  #checkLinks(linked: readonly number[], { type, links }: ElementDefinition): boolean {
    if (links === undefined) return true;
    const wrong = linked.findIndex((position) => !links.types.includes(this.built[position].type));
    if (wrong >= 0) {
      const { id, type: found } = this.built[linked[wrong]];
      this.#reject(
        `systems/${wrong}`,
        'relation-links',
        `The relation ${type} links systems of type ${links.types.join(', ')}; “${id}” is of type ${found}.`,
        'Link another system, or choose another relation.',
      );
      return false;
    }
    if (linked.length >= links.least && linked.length <= links.most) return true;
    const count = links.least === links.most ? `${links.most}` : `${links.least} to ${links.most}`;
    this.#reject(
      'systems',
      'relation-links',
      `The relation ${type} links ${count} systems; interaction “${this.document.id}” names ${linked.length}.`,
      links.least === links.most
        ? `Name ${links.most} systems.`
        : 'Name one body, which is then linked to the ground, or two.',
    );
    return false;
  }

  #checkLawOrder(law: ElementDefinition, relation: ElementDefinition): boolean {
    if (law.order === undefined || law.order === relation.order) return true;
    this.#reject(
      'law/type',
      'law-order',
      `The law ${law.type} acts on ${ORDER_WORDS[law.order]} relations; ${relation.type} is ${ORDER_WORDS[relation.order ?? 1]}.`,
      relation.order === 'body'
        ? 'Choose a law of 3D bodies: Equality for a joint, NewtonImpact3D for a stop or a contact.'
        : 'Choose another law, such as Complementarity.',
    );
    return false;
  }

  /** Jacobians of a relation are dense while a run computes with them. */
  #checkMemory({ size, columns, hasStateInput, entries }: Relation): boolean {
    if (entries !== undefined || Math.max(size * columns, hasStateInput ? columns * columns : 0) <= MAX_DENSE)
      return true;
    this.#reject(
      'relation',
      'relation-too-large',
      `The relation has ${plural(size, 'row')} on ${plural(columns, 'coordinate')}: its Jacobians do not fit into memory.`,
      'Divide the interaction into several that link fewer systems.',
    );
    return false;
  }

  /**
   * interactionSize = numberOfRelations · nsLawSize with an integer number of relations. Siconos developer's
   * notes §4.
   */
  #checkSizes(relationSize: number, { size: lawSize, parts }: NonSmoothLaw): void {
    const { document } = this;
    if (parts !== undefined && relationSize !== lawSize)
      this.#reject(
        'law/laws',
        'law-size',
        `The laws have ${plural(lawSize, 'row')} together; the relation ${document.relation.type} has ${relationSize}.`,
        'Add or remove laws, or rows of the relation: each row has one law.',
      );
    if (lawSize < 1 || parts !== undefined || relationSize % lawSize === 0) return;
    this.#reject(
      'law',
      'law-size',
      `The law ${document.law.type} takes ${lawSize} rows at once; the relation ${document.relation.type} has ${relationSize}, which is no multiple of that.`,
      `Give the relation ${lawSize} rows or a multiple, or change the size of the law.`,
    );
  }
}

function reportDuplicates(ids: readonly { id: string; pointer: string }[], context: EvaluationContext): void {
  const seen = new Set<string>();
  for (const { id, pointer } of ids) {
    if (seen.has(id)) {
      context.issues.push({
        severity: 'error',
        code: 'duplicate-id',
        pointer: `${pointer}/id`,
        element: id,
        message: `The id “${id}” is used twice.`,
        remedy: 'Rename one of the two: signals and links go by id.',
      });
    }
    seen.add(id);
  }
}

function definitionOf(key: string, type: string): ElementDefinition {
  const definition = definitionsByKey.get(key)?.find((candidate) => candidate.type === type);
  if (definition === undefined) throw new Error(`type ${type} passed the schema without a definition`);
  return definition;
}

/** Builds the model. Defects go to `context.issues`; the result is usable only when none is an error. */
export function buildModel(
  document: { systems: readonly SystemDocument[]; interactions: readonly InteractionDocument[] },
  context: EvaluationContext,
): BuiltModel {
  reportDuplicates(
    [
      ...document.systems.map(({ id }, i) => ({ id, pointer: `/systems/${i}` })),
      ...document.interactions.map(({ id }, i) => ({ id, pointer: `/interactions/${i}` })),
    ],
    context,
  );
  const built = document.systems.map((system, i) => buildSystem(system, `/systems/${i}`, context));
  const index = new Map(document.systems.map(({ id }, i) => [id, i]));
  const interactions = document.interactions
    .map((interaction, i) => new InteractionBuilder(interaction, i, built, index, context).build())
    .filter((interaction) => interaction !== null);
  const systems = built.flatMap((one) => ('system' in one ? [one.system] : []));
  const bodies = built.flatMap((one) => ('body' in one ? [one.body] : []));
  const blocks = built.flatMap((one) => ('block' in one && one.block !== null ? [one.block] : []));
  const resets = built.flatMap((one) => ('reset' in one && one.reset !== null ? [one.reset] : []));
  reportMixture(built, context);
  const broken = built.flatMap((one) => ('block' in one && one.block === null ? [one.id] : []));
  context.held.finish(blocks, new Set(broken), context);
  // Without the blocks, positions are those among the systems or among the bodies, because the two do not
  // mix.
  const integrated = built.filter((one) => !('block' in one || 'reset' in one));
  const positionOf = new Map(integrated.map((one, position) => [built.indexOf(one), position]));
  const among = (linked: readonly number[]): number[] => linked.map((at) => positionOf.get(at) ?? -1);
  const nsds = {
    systems,
    interactions: interactions.flatMap((one) =>
      'systems' in one ? [{ ...one, systems: among(one.systems) }] : [],
    ),
    ...(blocks.length === 0 ? {} : { blocks }),
    ...(resets.length === 0 ? {} : { resets }),
  };
  const jointed = bodies.length === 0 ? jointedSystems(nsds) : new Set<number>();
  return {
    nsds,
    space:
      bodies.length === 0
        ? null
        : {
            bodies,
            interactions: interactions.flatMap((one) =>
              'bodies' in one ? [{ ...one, bodies: among(one.bodies) }] : [],
            ),
            ...(blocks.length === 0 ? {} : { blocks }),
          },
    systems: integrated.map((one, position) => (jointed.has(position) ? { ...one, isJointed: true } : one)),
  };
}

/** 3D bodies are advanced together with their contacts, by a scheme of their own. */
function reportMixture(built: readonly BuiltSystem[], context: EvaluationContext): void {
  const body = built.find(({ order }) => order === 'body');
  const other = built.findIndex(({ order }) => order !== 'body' && order !== 'signal');
  if (body === undefined || other < 0) return;
  const { id, type } = built[other];
  context.issues.push({
    severity: 'error',
    code: 'mixed-space',
    pointer: `/systems/${other}/type`,
    element: id,
    message: `The model has 3D bodies, such as “${body.id}”, beside “${id}” (${type}): they cannot be simulated together.`,
    remedy: 'Make one of them a rigid 3D body, or divide the model into two documents.',
  });
}
