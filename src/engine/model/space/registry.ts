/**
 * Bodies in space and what stands between them, one line for each type; shapes and types of joints have lists
 * of their own.
 */
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import * as adhesiveFriction3D from '../laws/adhesive-friction-3d';
import * as cohesiveFriction3D from '../laws/cohesive-friction-3d';
import * as compliantFriction3D from '../laws/compliant-friction-3d';
import * as fremondImpactFriction3D from '../laws/fremond-impact-friction-3d';
import * as newtonImpactFriction3D from '../laws/newton-impact-friction-3d';
import * as newtonImpact3D from '../laws/newton-impact-3d';
import * as contact from './contact';
import * as fixedBody from './fixed-body';
import * as generalRelation from './general-relation';
import { jointTypes } from './joints';
import * as pseudoRigidBody from './pseudo-rigid-body';
import * as rigidBody from './rigid-body';
import { shapeTypes } from './shape-registry';
import type { SpaceBody, SpaceContact, SpaceGeneral, SurfaceLaw } from './space';

interface BodyType {
  definition: ElementDefinition;
  build(fields: FieldReader): SpaceBody;
}
interface ContactType {
  definition: ElementDefinition;
  build(): SpaceContact;
}
interface GeneralType {
  definition: ElementDefinition;
  /** @param bodies how many are linked */
  build(fields: FieldReader, bodies: number): SpaceGeneral | null;
}
interface SurfaceLawType {
  definition: ElementDefinition;
  build(fields: FieldReader): SurfaceLaw;
}

const byType = <T extends { definition: ElementDefinition }>(types: readonly T[]): ReadonlyMap<string, T> =>
  new Map(types.map((type) => [type.definition.type, type]));

export const bodyTypes = byType<BodyType>([rigidBody, pseudoRigidBody, fixedBody]);
export const spatialJointTypes = byType(jointTypes);
export const contactTypes = byType<ContactType>([contact]);
export const generalTypes = byType<GeneralType>([generalRelation]);
export const surfaceLawTypes = byType<SurfaceLawType>([
  newtonImpactFriction3D,
  newtonImpact3D,
  compliantFriction3D,
  cohesiveFriction3D,
  fremondImpactFriction3D,
  adhesiveFriction3D,
]);
export { shapeTypes };
