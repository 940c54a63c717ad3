/**
 * Surfaces that hold together: a contact pulls with up to C,
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
import type { CohesiveMaterial } from '../contacts/contact-list';
import { type ContactLaw, CheckedContact } from './contact-law';
import { coneDistance, impactDistance } from './natural-map';

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
