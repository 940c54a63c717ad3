/**
 * Signorini's condition and Coulomb friction with adhesion of the intensity β, 0 … 1, by M. Raous, L. Cangémi
 * and M. Cocou (Comput. Methods Appl. Mech. Engrg. 177, 1999). What holds the surfaces together are springs
 * whose stiffness is damaged as they stretch; with the displacement (u_N, u_T) since the bond was made,
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
import type { AdhesiveMaterial } from '../contacts/contact-list';
import { type Adhesion, type ContactLaw, CheckedContact } from './contact-law';
import { coneDistance, impactDistance } from './natural-map';

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
