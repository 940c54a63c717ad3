/**
 * Newton's law of impact with Coulomb friction: K_μ ∋ R ⊥ Û ∈ K*_μ with Û that of U⁺ + e U⁻. The contact is
 * rigid.
 */
import type { ImpactMaterial } from '../contacts/contact-list';
import { type ContactLaw, CheckedContact } from './contact-law';
import { coneDistance, impactDistance } from './natural-map';

export class ImpactLaw implements ContactLaw {
  readonly friction: number;
  readonly restitution: number;
  readonly tangentialRestitution: number;
  readonly relativeStiffness: number;
  readonly pull = 0;
  readonly range = 0;
  readonly breaks = false;
  readonly isRigid = true;
  readonly anticipates = false;

  constructor({ friction, restitution, tangentialRestitution, relativeStiffness = 1 }: ImpactMaterial) {
    this.relativeStiffness = relativeStiffness;
    this.friction = friction;
    this.restitution = restitution;
    this.tangentialRestitution = tangentialRestitution;
  }

  softness(): number {
    return 0;
  }

  approach(): number {
    return 0;
  }

  judge(contact: CheckedContact): void {
    const { friction, restitution, tangentialRestitution } = this;
    const mass = contact.numbers[CheckedContact.MASS];
    contact.defects[0] = coneDistance(contact, friction, 0);
    contact.defects[1] = impactDistance(contact, mass, friction, restitution, tangentialRestitution, 0);
  }
}
