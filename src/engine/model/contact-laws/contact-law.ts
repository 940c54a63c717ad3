/**
 * What a law of contact does to the friction-contact problem of a step, and how it is judged. The solvers
 * know K_μ, W and q only:
 *
 *     W_NN ← W_NN + softness,     q ← q + e U⁻ + approach e_N − W s e_N,     K_μ ∋ P ⊥ Û ∈ K*_μ,
 *     R = P − s e_N,
 *
 * with s = h · pull where the contact is bonded, or what an adhesive bond pulls with, in three components. A
 * rigid contact has neither softness nor approach, one that does not pull has R = P.
 */
import type { FieldDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import { frictionField } from '../laws/common';

/** Moments that oppose rolling and spinning (`contact-dynamics/moment-rows.ts`). */
export interface MomentFriction {
  /** μ_r and μ_s, m, not negative; zero when left out */
  readonly rolling?: number;
  readonly spinning?: number;
}

/** A contact of a step as the certificate sees it: vectors in the local frame, the normal first. */
export class CheckedContact {
  /** R, N s */
  readonly impulse = new Float64Array(3);
  /** U⁺ and U⁻, m/s */
  readonly velocity = new Float64Array(3);
  readonly earlier = new Float64Array(3);
  /** gap at q_½, m */
  static readonly GAP = 0;
  /** mass that the contact feels along its normal, kg */
  static readonly MASS = 1;
  /** length of the step, s */
  static readonly STEP = 2;
  /** 1 where it has been closed since the start */
  static readonly BONDED = 3;
  /** 1 where it was not closed in the step before */
  static readonly CLOSES = 4;
  /** normal impulse of an impact in the step, a part of R, N s */
  static readonly PUSHED = 5;
  /** β, zero without a bond */
  static readonly INTENSITY = 6;
  readonly numbers = new Float64Array(7);
  /** u_T since the bond was made, m, in the last two entries */
  readonly displacement = new Float64Array(3);
  /** distances of R, in N s: [0] from the cone, [1] from what the law says */
  readonly defects = new Float64Array(2);
}

/** The springs of a bond, and what becomes of them. */
export interface Adhesion {
  /** β at the start */
  readonly start: number;
  /** C_N and C_T, N/m */
  readonly normal: number;
  readonly tangential: number;
  /** β after a step. @param gap u_N, m @param slip |u_T|², m² @param h s */
  evolve(intensity: number, gap: number, slip: number, h: number): number;
}

export interface ContactLaw {
  /** Coulomb's coefficient */
  readonly friction: number;
  /** parts of U⁻ that q has, along the normal and in the tangent plane */
  readonly restitution: number;
  readonly tangentialRestitution: number;
  /** whether it has the latter in the step only in which the contact closes */
  readonly reversesOnce?: boolean;
  /** K of the energy-based law of impact, of which ratios count */
  readonly relativeStiffness: number;
  /** k of dissipative percussions, kg, which say themselves what happens at several contacts at once */
  readonly percussion?: number;
  /** springs that hold bonds which are made at the start */
  readonly adhesion?: Adhesion;
  /** largest R_N/h that holds the bodies together, N */
  readonly pull: number;
  /** gap up to which a contact takes part that has closed, or that the first step finds there, m */
  readonly range: number;
  /** whether only contacts that have been closed since the start pull */
  readonly breaks: boolean;
  /** whether U_N = 0 where it pushes and nothing springs back */
  readonly isRigid: boolean;
  /** whether it takes part in the step in which it is going to close */
  readonly anticipates: boolean;
  /** Added to W_NN, 1/kg. @param gap at q_½, m @param h s */
  softness(gap: number, h: number): number;
  /** Added to q_N, m/s. */
  approach(gap: number, h: number): number;
  /** Fills `defects`, by the law as it is said of forces and velocities, without W, softness or approach. */
  judge(contact: CheckedContact): void;
}

/* Fields that laws of contact in space have in common. */

/** μ, that of dry surfaces in a new law. @param help what it is the largest ratio of */
export const coulombField = (help: string): FieldDefinition => ({ ...frictionField(help), initial: 0.5 });

/** Moments that oppose rolling and spinning, of laws of contact in space. */
export const momentFields: readonly FieldDefinition[] = [
  {
    key: 'rollingFriction',
    kind: 'number',
    min: 0,
    label: 'Rolling friction',
    symbol: '\\mu_r',
    unit: 'm',
    required: false,
    default: 0,
    help: 'Largest ratio of the moment about the tangents, which opposes rolling, to the normal force: a length. A ball of radius r rests on slopes up to the angle atan(μ_r/r).',
  },
  {
    key: 'spinningFriction',
    kind: 'number',
    min: 0,
    label: 'Spinning friction',
    symbol: '\\mu_s',
    unit: 'm',
    required: false,
    default: 0,
    help: 'Largest ratio of the moment about the normal, which opposes spinning, to the normal force: a length, of the size of the patch that touches.',
  },
];

export const readMoments = (fields: FieldReader): MomentFriction => ({
  ...(fields.has('rollingFriction') ? { rolling: fields.number('rollingFriction') } : {}),
  ...(fields.has('spinningFriction') ? { spinning: fields.number('spinningFriction') } : {}),
});
