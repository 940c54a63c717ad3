/** Laws of contact by the kind of their material, one line each. */
import type { ContactMaterial } from '../contacts/contact-list';
import { AdhesiveLaw } from './adhesive';
import { CohesiveLaw } from './cohesive';
import { CompliantLaw } from './compliant';
import type { ContactLaw } from './contact-law';
import { ImpactLaw } from './impact';
import { PercussionLaw } from './percussion';

export function createContactLaw(material: ContactMaterial): ContactLaw {
  switch (material.kind) {
    case 'impact':
      return new ImpactLaw(material);
    case 'compliant':
      return new CompliantLaw(material);
    case 'cohesive':
      return new CohesiveLaw(material);
    case 'percussion':
      return new PercussionLaw(material);
    case 'adhesive':
      return new AdhesiveLaw(material);
  }
}
