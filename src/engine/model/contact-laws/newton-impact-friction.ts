/**
 * Unilateral contact in space with an impact law and Coulomb friction, the cone as it is:
 *
 *     K_μ ∋ R ⊥ U + e U⁻ + μ |U_T + e_T U_T⁻| n ∈ K*_μ,   K_μ = {R: |R_T| ≤ μ R_N},
 *
 * which is 0 ≤ U_N + e U_N⁻ ⊥ R_N ≥ 0 with sticking inside the cone and R_T = −μ R_N U_T/|U_T| while sliding.
 * De Saxcé and Feng 1991.
 *
 * In a step Û is that of U⁺ + e U⁻. The contact is rigid.
 */
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import { restitutionField, stiffnessField } from '../laws/common';
import {
  type ContactLaw,
  CheckedContact,
  type MomentFriction,
  coulombField,
  momentFields,
  readMoments,
} from './contact-law';
import { coneDistance, impactDistance } from './natural-map';

export const definition: ElementDefinition = {
  category: 'law',
  type: 'NewtonImpactFriction3D',
  title: 'Impact with Coulomb friction in space',
  summary: 'Unilateral contact of 3D bodies with restitution and Coulomb friction in the tangent plane.',
  order: 'body',
  rows: 3,
  equations: [
    '0 \\le U_N + e\\, U_N^- \\perp R_N \\ge 0, \\quad |R_T| \\le \\mu R_N',
    'U_T \\ne 0 \\Rightarrow R_T = -\\mu R_N\\, U_T/|U_T|',
    '|M_T| \\le \\mu_r R_N, \\quad |M_N| \\le \\mu_s R_N',
  ],
  fields: [
    coulombField('Largest ratio of the tangential to the normal force.'),
    restitutionField('without friction, no energy is lost.'),
    {
      key: 'et',
      kind: 'number',
      min: 0,
      max: 1,
      label: 'Tangential restitution',
      symbol: 'e_T',
      unit: '',
      required: false,
      default: 0,
      help: 'Part of the tangential velocity that an impact reverses as far as friction allows; 0 for most materials.',
    },
    ...momentFields,
    stiffnessField,
  ],
  source: 'Siconos developer’s notes §10 and §12; De Saxcé and Feng 1991',
};

export function build(fields: FieldReader): ImpactMaterial {
  return {
    kind: 'impact',
    friction: fields.number('mu'),
    restitution: fields.number('e'),
    tangentialRestitution: fields.number('et'),
    ...readMoments(fields),
    relativeStiffness: fields.number('stiffness'),
  };
}

export interface ImpactMaterial extends MomentFriction {
  readonly kind: 'impact';
  /** Coulomb's coefficient, not negative */
  readonly friction: number;
  /** of Newton's law, 0 … 1, along the normal and in the tangent plane */
  readonly restitution: number;
  readonly tangentialRestitution: number;
  /** K of the energy-based law of impact, of which ratios count; 1 when absent */
  readonly relativeStiffness?: number;
}

export const kind = 'impact';

export class NewtonImpactLaw implements ContactLaw {
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

export const createLaw = (material: ImpactMaterial): ContactLaw => new NewtonImpactLaw(material);
