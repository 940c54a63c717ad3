/**
 * Unilateral contact in space with Frémond's law of impact: percussions that dissipate by the mean velocity Ū
 * = ½ (U⁺ + U⁻), along the normal with a viscosity and in the tangent plane with Coulomb's law (Frémond
 * 2002),
 *
 *     R_N = S + D,     0 ≤ U_N⁺ ⊥ S ≥ 0,     D = k max(0, −(U_N⁺ + U_N⁻)),
 *     |R_T| ≤ μ R_N,   R_T = −μ R_N Ū_T/|Ū_T| where Ū_T ≠ 0.
 *
 * S is the reaction to U_N ≥ 0, D comes from the potential of dissipation ½ k ((2 Ū_N)₋)². Frémond's linear
 * D = −k (U_N⁺ + U_N⁻) is the same until the contact opens faster than it closed, which it does where others
 * drive it; it would pull then, and this one does not. For one contact of mass m the law is Newton's with
 * e = max(0, (k − m)/(k + m)).
 *
 * Energy: the work of the contact is ½ (U⁺ + U⁻)·R. For U_N⁻ ≤ 0 it is
 *
 *     normal    R_N Ū_N ≤ 0: where S > 0, U_N⁺ = 0 and Ū_N = ½ U_N⁻; where S = 0, R_N = D = −2 k Ū_N or 0.
 *     tangent   R_T·Ū_T = −μ R_N |Ū_T| or, as Ū_T = 0, zero,
 *
 * at each contact by itself: no impact gains energy, at however many contacts. Laws that compare U_T⁺ or
 * U_N⁺ + e U_N⁻ with friction can (Kane and Levinson 1985).
 *
 * The mean velocity is that of percussions, in the step in which a contact closes. As long as it stays closed
 * Coulomb's law of U_T⁺ holds. With Ū_T a body that has slid would not stop but go to and fro by ±U_T, at
 * rest on average.
 *
 * What it does to W stands in `contact-dynamics/moment-rows.ts`.
 */
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import { viscosityField } from '../laws/fremond-impact';
import { larger } from '../../linalg/nan-safe';
import {
  type ContactLaw,
  CheckedContact,
  type MomentFriction,
  coulombField,
  momentFields,
  readMoments,
} from './contact-law';
import { coneDistance, discMapDistance } from './natural-map';

export const definition: ElementDefinition = {
  category: 'law',
  type: 'FremondImpactFriction3D',
  title: 'Frémond impact with Coulomb friction in space',
  summary:
    'Unilateral contact of 3D bodies whose impacts dissipate by the mean of the velocities before and after; friction never gains energy.',
  order: 'body',
  rows: 3,
  equations: [
    'R_N = S + k \\max(0, -(U_N^+ + U_N^-)), \\quad 0 \\le U_N^+ \\perp S \\ge 0',
    '|R_T| \\le \\mu R_N, \\quad U_T^+ + U_T^- \\ne 0 \\Rightarrow R_T = -\\mu R_N\\, (U_T^+ + U_T^-)/|U_T^+ + U_T^-|',
    '|M_T| \\le \\mu_r R_N, \\quad |M_N| \\le \\mu_s R_N',
  ],
  fields: [
    // A new body on one corner, which feels a few kilograms, springs back a little.
    viscosityField(
      5,
      'Of each contact point: the impulse that dissipates is k times the velocity lost. One contact that feels the mass m springs back with (k − m)/(k + m), and not for k below m.',
    ),
    coulombField('Largest ratio of the tangential to the normal percussion.'),
    ...momentFields,
  ],
  source: 'Frémond 2002',
};

export function build(fields: FieldReader): PercussionMaterial {
  return {
    kind: 'percussion',
    friction: fields.number('mu'),
    viscosity: fields.number('k'),
    ...readMoments(fields),
  };
}

export interface PercussionMaterial extends MomentFriction {
  readonly kind: 'percussion';
  readonly friction: number;
  /** k of one contact, kg, positive */
  readonly viscosity: number;
}

export const kind = 'percussion';

export class PercussionLaw implements ContactLaw {
  readonly friction: number;
  /** q has U_N⁻, and U_T⁻ in the step in which the contact closes. */
  readonly restitution = 1;
  readonly tangentialRestitution = 1;
  readonly reversesOnce = true;
  readonly relativeStiffness = 1;
  readonly pull = 0;
  readonly range = 0;
  readonly breaks = false;
  readonly isRigid = true;
  readonly anticipates = false;
  readonly percussion: number;

  constructor({ friction, viscosity }: PercussionMaterial) {
    this.friction = friction;
    this.percussion = viscosity;
  }

  softness(): number {
    return 0;
  }

  approach(): number {
    return 0;
  }

  /**
   * A small defect of velocity is a large one of D: it is weighed as ρ weighs velocities, in series with k.
   */
  judge(contact: CheckedContact): void {
    const { impulse, velocity, earlier, numbers, defects } = contact;
    const mass = numbers[CheckedContact.MASS];
    const dissipated = this.percussion * Math.max(0, -(velocity[0] + earlier[0]));
    const reaction = impulse[0] - dissipated;
    const weight = mass / (mass + this.percussion);
    const part = numbers[CheckedContact.CLOSES];
    const first = mass * (velocity[1] + part * earlier[1]);
    const second = mass * (velocity[2] + part * earlier[2]);
    const bound = this.friction * Math.max(0, impulse[0]);
    defects[0] = coneDistance(contact, this.friction, 0);
    defects[1] = larger(
      weight * Math.abs(reaction - Math.max(0, reaction - mass * velocity[0])),
      discMapDistance(impulse, first, second, bound),
    );
  }
}

export const createLaw = (material: PercussionMaterial): ContactLaw => new PercussionLaw(material);
