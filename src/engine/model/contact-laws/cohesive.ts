/**
 * Unilateral contact in space of surfaces that hold together: R_N ≥ −C h, the cone of friction shifted by
 * that pull, and Newton's law of impact:
 *
 *     K_μ ∋ R + C h n ⊥ U + e U⁻ + μ |U_T| n ∈ K*_μ.
 *
 * Such laws by a shift of the reaction are in Radjai and Richefeu 2009.
 *
 * A contact pulls with up to C,
 *
 *     R_N ≥ −C h,     |R_T| ≤ μ (R_N + C h).
 *
 * With P = R + C h e_N this is the law of Coulomb and Newton of P, K_μ ∋ P ⊥ Û ∈ K*_μ, and
 *
 *     U + e U⁻ = W P + q − C h W e_N:
 *
 * constant forces C that pull all bonded contacts together, and the rigid law with what pushes against them.
 * As W couples contacts, the shift is that of all of them.
 *
 * A contact that has closed, or that starts within its range d, pulls until its gap is larger than d, so that
 * breaking a bond takes the work C d. With d = 0 it takes that of one step, C h Ū_N, which vanishes with h;
 * and balls that roll on each other lose each other at once, since along the tangent they leave each other by
 * (½ h v)²/2r in half a step. Within the range the bodies may come together, and where the pull is not
 * exhausted they do, in one step:
 *
 *     U_N⁺ + g/h ≥ 0,     q_N ← q_N + g/h,     g = gap(q_½),
 *
 * as g + h U_N⁺ is the gap at the next middle if velocities stay. Gaps of 10⁻³ d are left, so that what hangs
 * may be at rest.
 *
 * Bonds come back whenever a contact closes; or they are those of the contacts that are closed in the first
 * step, and one that has opened is gone.
 */
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import { restitutionField } from '../laws/common';
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
  type: 'CohesiveFriction3D',
  title: 'Cohesive contact with Coulomb friction in space',
  summary:
    'Contact of 3D bodies that hold together up to a largest pull, with restitution and Coulomb friction.',
  order: 'body',
  rows: 3,
  equations: [
    'P = R + C h\\, n \\text{ while } g \\le d, \\quad 0 \\le U_N + e\\, U_N^- \\perp P_N \\ge 0, \\quad |R_T| \\le \\mu P_N',
    'U_T \\ne 0 \\Rightarrow R_T = -\\mu P_N\\, U_T/|U_T|',
    '|M_T| \\le \\mu_r P_N, \\quad |M_N| \\le \\mu_s P_N',
  ],
  fields: [
    {
      key: 'pull',
      kind: 'number',
      min: 0,
      label: 'Largest pull',
      symbol: 'C',
      unit: 'N',
      required: true,
      initial: 10,
      help: 'Force that each contact point takes before it opens; a box on four corners is held by four of them.',
    },
    {
      key: 'range',
      kind: 'number',
      min: 0,
      label: 'Range',
      symbol: 'd',
      unit: 'm',
      required: false,
      default: 0.0001,
      help: 'Gap at which a bond opens; breaking takes the work C d. Above a fiftieth of the smallest body it has no effect.',
    },
    {
      key: 'bond',
      kind: 'choice',
      options: [
        {
          value: 'returns',
          label: 'Comes back',
          help: 'A contact that closes again holds again, as of wet grains.',
        },
        {
          value: 'breaks',
          label: 'Breaks',
          help: 'Contacts that are closed at the start hold until they open, as of glue; all others do not pull.',
        },
      ],
      label: 'Bond',
      symbol: '',
      unit: '',
      required: false,
      default: 'returns',
      help: 'What becomes of a bond that has opened.',
    },
    coulombField('Largest ratio of the tangential force to the normal force plus the largest pull.'),
    restitutionField('without friction, no energy is lost.'),
    ...momentFields,
  ],
  source: 'Radjai and Richefeu 2009',
};

export function build(fields: FieldReader): CohesiveMaterial {
  return {
    kind: 'cohesive',
    friction: fields.number('mu'),
    restitution: fields.number('e'),
    pull: fields.number('pull'),
    range: fields.number('range'),
    breaks: fields.choice('bond') === 'breaks',
    ...readMoments(fields),
  };
}

export interface CohesiveMaterial extends MomentFriction {
  readonly kind: 'cohesive';
  readonly friction: number;
  readonly restitution: number;
  /** largest pull C of one contact, N, not negative */
  readonly pull: number;
  /** gap up to which a contact that has closed pulls, m, not negative */
  readonly range: number;
  /** whether a bond that has opened is gone, and none is made after the start */
  readonly breaks: boolean;
}

export const kind = 'cohesive';

/**
 * Part of the range that counts as closed: far above rounding and what solvers leave, far below the range.
 */
const CLOSED = 1e-3;

export class CohesiveLaw implements ContactLaw {
  readonly friction: number;
  readonly restitution: number;
  readonly tangentialRestitution = 0;
  readonly relativeStiffness = 1;
  readonly pull: number;
  readonly range: number;
  readonly breaks: boolean;
  readonly isRigid = true;
  readonly anticipates = false;

  constructor({ friction, restitution, pull, range, breaks }: CohesiveMaterial) {
    this.friction = friction;
    this.restitution = restitution;
    this.pull = pull;
    this.range = range;
    this.breaks = breaks;
  }

  softness(): number {
    return 0;
  }

  /** g/h, where the gap is worth closing */
  approach(gap: number, h: number): number {
    return gap > CLOSED * this.range ? gap / h : 0;
  }

  judge(contact: CheckedContact): void {
    const { numbers, defects } = contact;
    const isBonded = !this.breaks || numbers[CheckedContact.BONDED] === 1;
    const shift = isBonded ? numbers[CheckedContact.STEP] * this.pull : 0;
    const mass = numbers[CheckedContact.MASS];
    const gap = numbers[CheckedContact.GAP];
    // The normal velocity is judged from the one that closes the gap.
    if (gap > CLOSED * this.range) contact.velocity[0] += gap / numbers[CheckedContact.STEP];
    defects[0] = coneDistance(contact, this.friction, shift);
    defects[1] = impactDistance(contact, mass, this.friction, this.restitution, 0, shift);
  }
}

export const createLaw = (material: CohesiveMaterial): ContactLaw => new CohesiveLaw(material);
