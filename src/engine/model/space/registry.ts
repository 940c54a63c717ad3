/**
 * 3D bodies and what stands between them, one line for each type; shapes and types of joints have lists
 * of their own.
 */
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import { contactLawTypes } from '../contact-laws/registry';
import * as contact from './contact';
import * as fixedBody from './fixed-body';
import * as generalRelation from './general-relation';
import { jointTypes } from './joints';
import * as pseudoRigidBody from './pseudo-rigid-body';
import * as rigidBody from './rigid-body';
import * as scriptedContact from './scripted-contact';
import { shapeTypes } from '../shapes/registry';
import type { SpaceBody, SpaceContact, SpaceGeneral } from './space';

interface BodyType {
  definition: ElementDefinition;
  build(fields: FieldReader): SpaceBody;
}
interface ContactType {
  definition: ElementDefinition;
  /** @returns null after a reported defect */
  build(fields: FieldReader): SpaceContact | null;
}
interface GeneralType {
  definition: ElementDefinition;
  /** @param bodies how many are linked */
  build(fields: FieldReader, bodies: number): SpaceGeneral | null;
}

const byType = <T extends { definition: ElementDefinition }>(types: readonly T[]): ReadonlyMap<string, T> =>
  new Map(types.map((type) => [type.definition.type, type]));

export const bodyTypes = byType<BodyType>([rigidBody, pseudoRigidBody, fixedBody]);
export const spatialJointTypes = byType(jointTypes);
export const contactTypes = byType<ContactType>([contact, scriptedContact]);
export const generalTypes = byType<GeneralType>([generalRelation]);
export const spatialLawTypes = byType(contactLawTypes);
export { shapeTypes };
