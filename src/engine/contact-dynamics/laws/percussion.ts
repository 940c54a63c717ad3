/**
 * M. Frémond's law of impact: percussions with dissipation by the mean velocity Ū = ½ (U⁺ + U⁻) (Non-Smooth
 * Thermomechanics, Springer, 2002),
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
 * U_N⁺ + e U_N⁻ with friction can (T. R. Kane).
 *
 * The mean velocity is that of percussions, in the step in which a contact closes. As long as it stays closed
 * Coulomb's law of U_T⁺ holds. With Ū_T a body that has slid would not stop but go to and fro by ±U_T, at
 * rest on average.
 *
 * What it does to W stands in `contact-dynamics/moment-rows.ts`.
 */
import type { PercussionMaterial } from '../contacts/contact-list';
import { type ContactLaw, CheckedContact } from './contact-law';
import { larger } from '../../certificate/residual-maxima';
import { coneDistance, discDistance } from './natural-map';

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
  readonly #viscosity: number;

  constructor({ friction, viscosity }: PercussionMaterial) {
    this.friction = friction;
    this.#viscosity = viscosity;
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
    const dissipated = this.#viscosity * Math.max(0, -(velocity[0] + earlier[0]));
    const reaction = impulse[0] - dissipated;
    const weight = mass / (mass + this.#viscosity);
    const part = numbers[CheckedContact.CLOSES];
    const first = mass * (velocity[1] + part * earlier[1]);
    const second = mass * (velocity[2] + part * earlier[2]);
    const bound = this.friction * Math.max(0, impulse[0]);
    defects[0] = coneDistance(contact, this.friction, 0);
    defects[1] = larger(
      weight * Math.abs(reaction - Math.max(0, reaction - mass * velocity[0])),
      discDistance(impulse, first, second, bound),
    );
  }
}
