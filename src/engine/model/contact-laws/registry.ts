/**
 * Laws of contact between 3D bodies, one line each. A law is a file: its definition, the material that
 * its fields make, and what it does to the problem of a step and is judged by.
 */
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import * as adhesive from './adhesive';
import * as cohesive from './cohesive';
import * as compliant from './compliant';
import type { ContactLaw } from './contact-law';
import * as fremondImpact from './fremond-impact';
import * as hertz from './hertz';
import * as newtonImpact from './newton-impact';
import * as newtonImpactFriction from './newton-impact-friction';

const LAWS = [
  newtonImpactFriction,
  newtonImpact,
  compliant,
  cohesive,
  fremondImpact,
  adhesive,
  hertz,
] as const;

/** How two materials meet, as plain data. */
export type ContactMaterial = ReturnType<(typeof LAWS)[number]['build']>;

export interface ContactLawType {
  readonly definition: ElementDefinition;
  readonly kind: ContactMaterial['kind'];
  build(fields: FieldReader): ContactMaterial;
  /** @param material of this kind */
  createLaw(material: ContactMaterial): ContactLaw;
}

export const contactLawTypes: readonly ContactLawType[] = LAWS;

const byKind = new Map(contactLawTypes.map((type) => [type.kind, type]));

export function createContactLaw(material: ContactMaterial): ContactLaw {
  const type = byKind.get(material.kind);
  if (type === undefined) throw new Error(`there is no law of contact of the kind ${material.kind}`);
  return type.createLaw(material);
}
