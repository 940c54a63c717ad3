/**
 * Unilateral contact in space with Coulomb friction and adhesion of the intensity β, 0 … 1: Raous, Cangémi
 * and Cocou 1999. What holds the surfaces together are springs whose stiffness is damaged as they stretch;
 * with the displacement (u_N, u_T) since the bond was made,
 *
 *     P_N = R_N + h C_N β² u_N,   P_T = R_T + h C_T β² u_T:
 *     0 ≤ u_N ⊥ P_N ≥ 0,   |P_T| ≤ μ P_N with P_T against the slip,
 *     b β̇ = min(0, w − β (C_N u_N² + C_T |u_T|²)).
 *
 * Without viscosity, b = 0, β = w/E beyond E = C_N u_N² + C_T |u_T|² = w: pulled off along the normal the
 * bond takes up to C_N u_N at u_N = √(w/C_N), w²/(C_N u_N³) behind it, and the work w in all.
 *
 * A step has u_N = max(0, g) and u_T at the place of its frames, and there β by backward Euler, which is
 * solved in closed form:
 *
 *     β⁺ = β where β E ≤ w,     else β⁺ = (b β + h w)/(b + h E),
 *
 * less than β and never negative, for b = 0 the quasi-static w/E. The springs are known then: P = R + s as
 * with a cohesive contact, s of three components, and the law of P is the rigid one. Where the contact is
 * open it may close in the step, q_N ← q_N + g/h. Springs are those of the start of a flight from place to
 * place, as in the leapfrog: with one contact and mass m they are stable for h² C β² < 4 m.
 *
 * No bonds are made after the start. One that has been stretched is lost where detection loses the contact.
 */
import type { ElementDefinition, FieldDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import {
  type Adhesion,
  type ContactLaw,
  CheckedContact,
  type MomentFriction,
  coulombField,
  momentFields,
  readMoments,
} from './contact-law';
import { coneDistance, impactDistance } from './natural-map';

/** The values of a new law take 20 N at a stretch of 0.1 mm. */
const positive = (
  key: string,
  label: string,
  symbol: string,
  unit: string,
  initial: number,
  help: string,
): FieldDefinition => ({
  key,
  kind: 'number',
  min: 0,
  exclusiveMin: true,
  label,
  symbol,
  unit,
  required: true,
  initial,
  help,
});

export const definition: ElementDefinition = {
  category: 'law',
  type: 'AdhesiveFriction3D',
  title: 'Adhesive contact with Coulomb friction in space',
  summary:
    'Contact of 3D bodies that are bonded at the start by springs which are damaged as they are stretched, with Coulomb friction.',
  order: 'body',
  rows: 3,
  equations: [
    'P = R + h \\beta^2 (C_N u_N\\, n + C_T u_T), \\quad 0 \\le u_N \\perp P_N \\ge 0, \\quad |P_T| \\le \\mu P_N',
    'b \\dot\\beta = \\min(0, w - \\beta (C_N u_N^2 + C_T |u_T|^2))',
    '|M_T| \\le \\mu_r P_N, \\quad |M_N| \\le \\mu_s P_N',
  ],
  fields: [
    positive(
      'cn',
      'Normal stiffness',
      'C_N',
      'N/m',
      200_000,
      'Of the whole bond of each contact point along the normal. A step h is stable with a mass m at one bond for h² C below 4 m.',
    ),
    positive(
      'ct',
      'Tangential stiffness',
      'C_T',
      'N/m',
      200_000,
      'Of the whole bond of each contact point in the tangent plane.',
    ),
    positive(
      'w',
      'Work of separation',
      'w',
      'J',
      0.002,
      'That takes one contact point apart slowly; damage begins at a stretch of √(w/C).',
    ),
    {
      key: 'b',
      kind: 'number',
      min: 0,
      label: 'Viscosity of the damage',
      symbol: 'b',
      unit: 'J s',
      required: false,
      default: 0,
      help: 'Fast pulling damages less and takes more work; 0: damage follows the stretch at once.',
    },
    {
      key: 'beta',
      kind: 'number',
      min: 0,
      max: 1,
      label: 'Intensity at the start',
      symbol: '\\beta_0',
      unit: '',
      required: false,
      default: 1,
      help: 'Of the contacts that are closed at the start; 1: all of the bond, 0: none. Contacts that close later are not bonded.',
    },
    coulombField('Largest ratio of the tangential to the normal force beside those of the bond.'),
    ...momentFields,
  ],
  source: 'Raous, Cangémi and Cocou 1999',
};

export function build(fields: FieldReader): AdhesiveMaterial {
  return {
    kind: 'adhesive',
    friction: fields.number('mu'),
    normal: fields.number('cn'),
    tangential: fields.number('ct'),
    work: fields.number('w'),
    viscosity: fields.number('b'),
    intensity: fields.number('beta'),
    ...readMoments(fields),
  };
}

export interface AdhesiveMaterial extends MomentFriction {
  readonly kind: 'adhesive';
  readonly friction: number;
  /** C_N and C_T of one contact, N/m, positive */
  readonly normal: number;
  readonly tangential: number;
  /** w, J, positive, and b, J s, not negative */
  readonly work: number;
  readonly viscosity: number;
  /** β of contacts that are closed at the start, 0 … 1 */
  readonly intensity: number;
}

export const kind = 'adhesive';

/** Part of √(w/C_N) that counts as closed: far above rounding and what solvers leave. */
const CLOSED = 1e-6;

export class AdhesiveLaw implements ContactLaw {
  readonly friction: number;
  readonly restitution = 0;
  readonly tangentialRestitution = 0;
  readonly relativeStiffness = 1;
  readonly pull = 0;
  readonly range = 0;
  readonly breaks = true;
  readonly isRigid = false;
  readonly anticipates = false;
  readonly adhesion: Adhesion;
  readonly #closed: number;

  constructor({ friction, normal, tangential, work, viscosity, intensity }: AdhesiveMaterial) {
    this.friction = friction;
    this.#closed = CLOSED * Math.sqrt(work / normal);
    this.adhesion = {
      start: intensity,
      normal,
      tangential,
      evolve(from: number, gap: number, slip: number, h: number): number {
        const open = Math.max(0, gap);
        const energy = normal * open * open + tangential * slip;
        return from * energy <= work ? from : (viscosity * from + h * work) / (viscosity + h * energy);
      },
    };
  }

  softness(): number {
    return 0;
  }

  /** g/h, where the contact is open */
  approach(gap: number, h: number): number {
    return gap > this.#closed ? gap / h : 0;
  }

  judge(contact: CheckedContact): void {
    const { impulse, velocity, displacement, numbers, defects } = contact;
    const { normal, tangential } = this.adhesion;
    const h = numbers[CheckedContact.STEP];
    const gap = numbers[CheckedContact.GAP];
    const held = h * numbers[CheckedContact.INTENSITY] ** 2;
    impulse[0] += held * normal * Math.max(0, gap);
    for (let a = 1; a < 3; a++) impulse[a] += held * tangential * displacement[a];
    if (gap > this.#closed) velocity[0] += gap / h;
    defects[0] = coneDistance(contact, this.friction, 0);
    defects[1] = impactDistance(contact, numbers[CheckedContact.MASS], this.friction, 0, 0, 0);
  }
}

export const createLaw = (material: AdhesiveMaterial): ContactLaw => new AdhesiveLaw(material);
