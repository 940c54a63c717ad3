/**
 * Unilateral contact in space with a surface that yields along the normal: spring and damper that push while
 * the contact is closed and never pull, and Coulomb friction with what they push, |R_T| ≤ μ R_N, exactly. The
 * pair of spring and damper is that of Kelvin and Voigt, as Cundall and Strack 1979 have it between grains;
 * their tangential spring is not there.
 *
 * The force of a step, with the spring k and the damper c, is that of the gap at the middle of the next one,
 * to first order,
 *
 *     R_N/h = max(0, −k (g + h U_N⁺) − c U_N⁺),     g = gap(q_½),
 *
 * since q_½ + h u⁺ is where positions stand there if u⁺ stays. Where R_N > 0 this is
 *
 *     U_N⁺ + k g/d + R_N/(h d) = 0,     d = h k + c,
 *
 * and where R_N = 0 the left side is not negative. So it is 0 ≤ U'_N ⊥ R_N ≥ 0 of a rigid contact with
 *
 *     U' = U + (k g/d + R_N/(h d)) e_N:     W_NN ← W_NN + 1/(h d),     q_N ← q_N + k g/d,
 *
 * and as U'_T = U_T, Coulomb's law is exact on it.
 *
 * A spring of the frequency ω at this gap has eigenvalues of the step of the size 1/√(1 + h²ω²): it is damped
 * as by a further h k, of order 1, and stable for any k. −k g alone would be the leapfrog, which keeps the
 * energy but no stability beyond hω = 2. The gap at the end of the step, g + ½ h U_N⁺, has an eigenvalue → −1
 * for k → ∞: stiff springs would ring for ever.
 *
 * For k → ∞ gaps are zero at the next middle, U_N⁺ = −g/h: a contact that is noticed after it has closed is
 * pushed out in one step. So a contact takes part in the step in which it is going to close, and comes to
 * g = 0 from above: with U_N⁺ = 0 in the step after, which is the rigid law for e = 0. The damper belongs to
 * a closed contact, and acts where g ≤ 0; else it would act at a distance of c/k seconds.
 */
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
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
  type: 'CompliantFriction3D',
  title: 'Compliant contact with Coulomb friction in space',
  summary:
    'Contact of 3D bodies with a spring and a damper along the normal that never pull, and Coulomb friction.',
  order: 'body',
  rows: 3,
  equations: [
    'R_N/h = \\max(0, -k\\, g - c\\, U_N), \\quad |R_T| \\le \\mu R_N',
    'U_T \\ne 0 \\Rightarrow R_T = -\\mu R_N\\, U_T/|U_T|',
    '|M_T| \\le \\mu_r R_N, \\quad |M_N| \\le \\mu_s R_N',
  ],
  fields: [
    {
      key: 'k',
      kind: 'number',
      min: 0,
      exclusiveMin: true,
      label: 'Stiffness',
      symbol: 'k',
      unit: 'N/m',
      required: true,
      // A new body, 8 kg on four corners, gives way by 2 mm and comes to rest.
      initial: 10_000,
      help: 'Of the spring of each contact point; a box that stands on four corners has four of them.',
    },
    {
      key: 'c',
      kind: 'number',
      min: 0,
      label: 'Damping',
      symbol: 'c',
      unit: 'N s/m',
      required: false,
      default: 0,
      initial: 100,
      help: 'Of the damper of each contact point. The scheme itself damps like a further h k.',
    },
    coulombField('Largest ratio of the tangential to the normal force.'),
    ...momentFields,
  ],
  source: 'Cundall and Strack 1979',
};

export function build(fields: FieldReader): CompliantMaterial {
  return {
    kind: 'compliant',
    friction: fields.number('mu'),
    stiffness: fields.number('k'),
    damping: fields.number('c'),
    ...readMoments(fields),
  };
}

export interface CompliantMaterial extends MomentFriction {
  readonly kind: 'compliant';
  readonly friction: number;
  /** k of one contact, N/m, positive */
  readonly stiffness: number;
  /** c of one contact, N s/m, not negative */
  readonly damping: number;
}

export const kind = 'compliant';

export class CompliantLaw implements ContactLaw {
  readonly friction: number;
  readonly restitution = 0;
  readonly tangentialRestitution = 0;
  readonly relativeStiffness = 1;
  readonly pull = 0;
  readonly range = 0;
  readonly breaks = false;
  readonly isRigid = false;
  readonly anticipates = true;
  readonly #stiffness: number;
  readonly #damping: number;

  constructor({ friction, stiffness, damping }: CompliantMaterial) {
    this.friction = friction;
    this.#stiffness = stiffness;
    this.#damping = damping;
  }

  /** 1/(h d) */
  softness(gap: number, h: number): number {
    return 1 / (h * this.#resistance(gap, h));
  }

  /** k g/d */
  approach(gap: number, h: number): number {
    return (this.#stiffness * gap) / this.#resistance(gap, h);
  }

  /** d, N s/m */
  #resistance(gap: number, h: number): number {
    return h * this.#stiffness + (gap > 0 ? 0 : this.#damping);
  }

  /**
   * The force against that of spring and damper, and friction against the nearest impulse to R_T − ρ U_T in
   * the disc of radius μ R_N. A small defect of U_N is a large one of a stiff force. So the first is weighed
   * as ρ weighs velocities, in series with h d.
   */
  judge(contact: CheckedContact): void {
    const { impulse, velocity, numbers, defects } = contact;
    const gap = numbers[CheckedContact.GAP];
    const mass = numbers[CheckedContact.MASS];
    const h = numbers[CheckedContact.STEP];
    const closing = gap > 0 ? 0 : this.#damping * velocity[0];
    const force = Math.max(0, -this.#stiffness * (gap + h * velocity[0]) - closing);
    const weight = mass / (mass + h * (h * this.#stiffness + (gap > 0 ? 0 : this.#damping)));
    const bound = this.friction * Math.max(0, impulse[0]);
    defects[0] = coneDistance(contact, this.friction, 0);
    defects[1] = larger(
      weight * Math.abs(impulse[0] - h * force),
      discMapDistance(impulse, mass * velocity[1], mass * velocity[2], bound),
    );
  }
}

export const createLaw = (material: CompliantMaterial): ContactLaw => new CompliantLaw(material);
