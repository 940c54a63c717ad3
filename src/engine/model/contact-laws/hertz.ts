/**
 * Unilateral contact in space of elastic bodies that are round where they touch: Hertz's force (Johnson 1985
 * §4.2) with the dissipation of Hunt and Crossley 1975, and Coulomb friction with what it pushes. With the
 * depth δ = −g and its rate −U_N,
 *
 *     F = max(0, k δ^{3/2} (1 − 3/2 α U_N)),     k = 4/3 E* √R,     |R_T| ≤ μ R_N.
 *
 * The force is zero where bodies meet and where they part, whatever their speed; for small α v an impact of
 * the speed v has the restitution 1 − α v.
 *
 * The force of a step is that of the gap at the middle of the next one, to first order in U_N⁺ from the depth
 * δ at q_½: δ − h U_N⁺ there gives
 *
 *     R_N/h = max(0, F − d U_N⁺),     F = k δ^{3/2},     d = 3/2 k √δ (h + α δ).
 *
 * This is the step of a compliant contact (`compliant.ts`) whose spring is the tangent of Hertz's at δ:
 *
 *     W_NN ← W_NN + 1/(h d),     q_N ← q_N − F/d = q_N − 2/3 δ/(h + α δ).
 *
 * It is of order 1, and stable for any k: for k → ∞ a contact is pushed out by two thirds of its depth in
 * each step, so that no impact leaves faster than it came. A contact takes part once it is closed, as the
 * force begins with a tangent of zero.
 */
import { larger } from '../../linalg/nan-safe';
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
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
  type: 'HertzFriction3D',
  title: 'Hertzian contact with Coulomb friction in space',
  summary:
    'Contact of elastic 3D bodies by Hertz’s law, with the dissipation of Hunt and Crossley, and Coulomb friction.',
  order: 'body',
  rows: 3,
  equations: [
    'R_N/h = \\max(0, k\\, \\delta^{3/2} (1 - \\tfrac{3}{2} \\alpha\\, U_N)), \\quad k = \\tfrac{4}{3} E^* \\sqrt{R}, \\quad \\delta = -g',
    '|R_T| \\le \\mu R_N, \\quad U_T \\ne 0 \\Rightarrow R_T = -\\mu R_N\\, U_T/|U_T|',
    '|M_T| \\le \\mu_r R_N, \\quad |M_N| \\le \\mu_s R_N',
  ],
  fields: [
    {
      key: 'modulus',
      kind: 'number',
      min: 0,
      exclusiveMin: true,
      label: 'Contact modulus',
      symbol: 'E^*',
      unit: 'Pa',
      required: true,
      // A new body, 8 kg on four corners, gives way by about 1 mm.
      initial: 1_000_000,
      help: '1/E* is the sum of (1 − ν²)/E of both materials; with a rigid partner E* = E/(1 − ν²).',
    },
    {
      key: 'radius',
      kind: 'number',
      min: 0,
      exclusiveMin: true,
      label: 'Relative radius',
      symbol: 'R',
      unit: 'm',
      required: true,
      initial: 0.1,
      help: '1/R is the sum of the curvatures of both surfaces: a ball on a plane has its own radius, two equal balls half of it.',
    },
    {
      key: 'alpha',
      kind: 'number',
      min: 0,
      label: 'Dissipation',
      symbol: '\\alpha',
      unit: 's/m',
      required: false,
      default: 0,
      initial: 0.5,
      help: 'A slow impact of the speed v has the restitution 1 − α v: 0.08 to 0.32 s/m for steel, bronze and ivory.',
    },
    coulombField('Largest ratio of the tangential to the normal force.'),
    ...momentFields,
  ],
  source: 'Johnson 1985 §4.2; Hunt and Crossley 1975',
};

export function build(fields: FieldReader): HertzMaterial {
  return {
    kind: 'hertz',
    friction: fields.number('mu'),
    modulus: fields.number('modulus'),
    radius: fields.number('radius'),
    dissipation: fields.number('alpha'),
    ...readMoments(fields),
  };
}

export interface HertzMaterial extends MomentFriction {
  readonly kind: 'hertz';
  readonly friction: number;
  /** E*, Pa, and R, m, positive */
  readonly modulus: number;
  readonly radius: number;
  /** α, s/m, not negative */
  readonly dissipation: number;
}

export const kind = 'hertz';

/**
 * Depth whose tangent the force has at least, m: where a gap is zero to rounding, W_NN stays finite, and the
 * force of such a step is far below that of the next one.
 */
const LEAST_DEPTH = 1e-12;

class HertzLaw implements ContactLaw {
  readonly friction: number;
  readonly restitution = 0;
  readonly tangentialRestitution = 0;
  readonly relativeStiffness = 1;
  readonly pull = 0;
  readonly range = 0;
  readonly breaks = false;
  readonly isRigid = false;
  readonly anticipates = false;
  /** k, N/m^{3/2} */
  readonly #stiffness: number;
  readonly #dissipation: number;

  constructor({ friction, modulus, radius, dissipation }: HertzMaterial) {
    this.friction = friction;
    this.#stiffness = (4 / 3) * modulus * Math.sqrt(radius);
    this.#dissipation = dissipation;
  }

  /** 1/(h d) */
  softness(gap: number, h: number): number {
    return 1 / (h * this.#resistance(gap, h));
  }

  /** −F/d */
  approach(gap: number, h: number): number {
    return -this.#force(gap) / this.#resistance(gap, h);
  }

  /** F, N */
  #force(gap: number): number {
    const depth = Math.max(0, -gap);
    return this.#stiffness * depth * Math.sqrt(depth);
  }

  /** d, N s/m */
  #resistance(gap: number, h: number): number {
    const depth = Math.max(LEAST_DEPTH, -gap);
    return 1.5 * this.#stiffness * Math.sqrt(depth) * (h + this.#dissipation * depth);
  }

  /**
   * The force against that of the law, weighed as ρ weighs velocities, in series with h d, and friction
   * against the nearest impulse to R_T − ρ U_T in the disc of radius μ R_N.
   */
  judge(contact: CheckedContact): void {
    const { impulse, velocity, numbers, defects } = contact;
    const gap = numbers[CheckedContact.GAP];
    const mass = numbers[CheckedContact.MASS];
    const h = numbers[CheckedContact.STEP];
    const resistance = this.#resistance(gap, h);
    const force = Math.max(0, this.#force(gap) - resistance * velocity[0]);
    const weight = mass / (mass + h * resistance);
    const bound = this.friction * Math.max(0, impulse[0]);
    defects[0] = coneDistance(contact, this.friction, 0);
    defects[1] = larger(
      weight * Math.abs(impulse[0] - h * force),
      discMapDistance(impulse, mass * velocity[1], mass * velocity[2], bound),
    );
  }
}

export const createLaw = (material: HertzMaterial): ContactLaw => new HertzLaw(material);
