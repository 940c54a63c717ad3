/**
 * What a law of impacts (`impact-phase.ts`) says of a step, judged from its impulses R_I at points and along normals of the world. Velocities after them come from the
 * masses of the bodies, and where there are joints the nearest ones that these allow; nothing of H, W or the law's own velocities is used.
 *
 *     all                     R_I ≥ 0 and U_N,I ≥ 0 at the contacts of an impact
 *     Poisson                 0 ≤ U_N,C ⊥ R_C ≥ 0 after the compression, 0 ≤ U_N,I ⊥ R_I − (1 + e) R_C ≥ 0 after the expansion
 *     sequential, energetic   Σ R_I (U_N⁻ + U_N,I)/2 = −Σ (1 − e²) W_c, with what the law has stored
 *
 * The first two are measured as impulses ρ U_N, relative to the largest impulse so far, the energy relative to Σ R_I |U_N⁻ + U_N,I|/2.
 */
import { dot } from '../spatial/vector-product';
import type { ContactDynamics } from './contact-dynamics';
import { FRAME_NUMBERS } from './contact-frames';
import type { ContactList } from './contact-list';
import type { ImpactPhase } from './impact-phase';
import type { JudgedBody } from './judged-body';
import type { ContactLaw } from './laws/contact-law';
import { larger } from './laws/natural-map';

export class ImpactCheck {
  /** [0] of impulses, N s; [1] of the energy, relative */
  readonly defects = new Float64Array(2);
  /** sums of the balances of all bodies, and changes of their velocities */
  readonly #sums: Float64Array;
  readonly #change: Float64Array;
  readonly #vector = new Float64Array(3);

  constructor(
    private readonly dynamics: ContactDynamics,
    private readonly impacts: ImpactPhase,
    private readonly laws: readonly ContactLaw[],
    private readonly bodies: readonly JudgedBody[],
  ) {
    this.#sums = new Float64Array(dynamics.system.velocities);
    this.#change = new Float64Array(dynamics.system.velocities);
  }

  judge(contacts: ContactList): void {
    const { impacts } = this;
    this.defects.fill(0);
    if (!impacts.hasImpact) return;
    if (impacts.hasPhases) this.#compression(contacts);
    this.#outcome(contacts);
  }

  #compression(contacts: ContactList): void {
    const { impacts, dynamics } = this;
    this.#push(contacts, impacts.compression);
    for (let row = 0; row < dynamics.activeCount; row++) {
      if (impacts.isInvolved[row] === 0) continue;
      const speed = this.#earlier(contacts, row) + this.#speed(contacts, row, this.#change);
      this.#enter(Math.min(impacts.compression[row], this.#mass(contacts, row) * speed));
    }
  }

  #outcome(contacts: ContactList): void {
    const { impacts, dynamics, defects } = this;
    this.#push(contacts, impacts.normal);
    let work = 0;
    let size = 0;
    for (let row = 0; row < dynamics.activeCount; row++) {
      if (impacts.isInvolved[row] === 0) continue;
      const impulse = impacts.normal[row];
      const earlier = this.#earlier(contacts, row);
      const speed = earlier + this.#speed(contacts, row, this.#change);
      const { restitution } = this.laws[contacts.materials[dynamics.active[row]]];
      const more = impacts.hasPhases ? impulse - (1 + restitution) * impacts.compression[row] : Infinity;
      this.#enter(Math.min(0, impulse));
      this.#enter(Math.min(more, this.#mass(contacts, row) * speed, impacts.hasPhases ? Infinity : 0));
      work += 0.5 * impulse * (earlier + speed);
      size += 0.5 * Math.abs(impulse) * (Math.abs(earlier) + Math.abs(speed));
    }
    const asked = impacts.energyChange[0];
    if (size > 0 && !Number.isNaN(asked)) defects[1] = Math.abs(work - asked) / size;
  }

  /** U_N⁻, that of obstacles included, m/s */
  #earlier(contacts: ContactList, row: number): number {
    const { before, obstacles } = this.dynamics;
    return this.#speed(contacts, row, before) + (obstacles === null ? 0 : obstacles.rowsBefore[3 * row]);
  }

  /** ρ of a contact between two bodies, kg */
  #mass({ bodies }: ContactList, row: number): number {
    const { active, frames, middle } = this.dynamics;
    const place = FRAME_NUMBERS * row;
    let sum = 0;
    for (let side = 0; side < 2; side++) {
      const body = bodies[2 * active[row] + side];
      if (body >= 0) sum += this.bodies[body].mobility(middle, frames.axes, place, place + 3);
    }
    return 1 / sum;
  }

  #enter(distance: number): void {
    this.defects[0] = larger(this.defects[0], Math.abs(distance));
  }

  /** Change of velocities of all bodies by normal impulses. */
  #push({ bodies }: ContactList, impulses: Float64Array): void {
    const { mobility, activeCount, active, frames, middle } = this.dynamics;
    const { axes } = frames;
    const sums = this.#sums.fill(0);
    const change = this.#change.fill(0);
    const impulse = this.#vector;
    for (let row = 0; row < activeCount; row++) {
      if (impulses[row] === 0) continue;
      const place = FRAME_NUMBERS * row;
      for (let i = 0; i < 3; i++) impulse[i] = impulses[row] * axes[place + 3 + i];
      for (let side = 0; side < 2; side++) {
        const body = bodies[2 * active[row] + side];
        if (body >= 0) this.bodies[body].push(middle, axes, place, impulse, side === 0 ? -1 : 1, sums);
      }
    }
    for (let body = 0; body < this.bodies.length; body++) this.bodies[body].impel(middle, sums, change);
    mobility.restrict(change);
  }

  /** n·(Ṗ₂ − Ṗ₁) */
  #speed({ bodies }: ContactList, row: number, u: Float64Array): number {
    const { frames, active, middle } = this.dynamics;
    const { axes } = frames;
    const place = FRAME_NUMBERS * row;
    const velocity = this.#vector.fill(0);
    for (let side = 0; side < 2; side++) {
      const body = bodies[2 * active[row] + side];
      if (body >= 0) this.bodies[body].addVelocity(middle, u, axes, place, side === 0 ? -1 : 1, velocity);
    }
    return dot(axes, place + 3, velocity, 0);
  }
}
