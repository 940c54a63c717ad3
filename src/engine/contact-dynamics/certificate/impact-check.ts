/**
 * What a law of impacts (`impact-phase.ts`) says of a step, judged from its impulses R_I at points and along
 * normals of the world. Velocities after them come from the masses of the bodies, and where there are joints
 * the nearest ones that these allow; nothing of H, W or the law's own velocities is used.
 *
 *     all                     R_I ≥ 0 and U_N,I ≥ 0 at the contacts of an impact
 *     Poisson                 0 ≤ U_N,C ⊥ R_C ≥ 0 after the compression,
 *                             0 ≤ U_N,I ⊥ R_I − (1 + e) R_C ≥ 0 after the expansion
 *     sequential, energetic   Σ R_I (U_N⁻ + U_N,I)/2 = −Σ (1 − e²) W_c, with what the law has stored
 *
 * The first two are measured as impulses ρ U_N, relative to the largest impulse so far, the energy relative
 * to Σ R_I |U_N⁻ + U_N,I|/2.
 */
import { dot } from '../../spatial/matrix3';
import type { ContactDynamics } from '../contact-dynamics';
import { FRAME_NUMBERS } from '../contacts/contact-frames';
import { type ContactList, KINDS, ROLLING, SPINNING } from '../contacts/contact-list';
import type { ImpactPhase } from '../impact-phase';
import type { ContactLaw } from '../../model/contact-laws/contact-law';
import { larger } from '../../linalg/nan-safe';
import type { CheckedBodies, KinematicVelocities } from './checked-bodies';

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
    private readonly bodies: CheckedBodies,
  ) {
    this.#sums = new Float64Array(dynamics.system.velocities);
    this.#change = new Float64Array(dynamics.system.velocities);
  }

  judge(contacts: ContactList): void {
    const { impacts } = this;
    this.defects.fill(0);
    if (!impacts.hasImpact) return;
    if (impacts.hasPhases) this.#compression();
    this.#outcome(contacts);
  }

  #compression(): void {
    const { impacts, dynamics } = this;
    this.#push(impacts.compression);
    for (let row = 0; row < dynamics.activeCount; row++) {
      if (impacts.isInvolved[row] === 0) continue;
      const speed = this.#earlier(row) + this.#speed(row, this.#change, 'none');
      this.#enter(Math.min(impacts.compression[row], this.bodies.mass(row) * speed));
    }
  }

  #outcome(contacts: ContactList): void {
    const { impacts, dynamics, defects } = this;
    this.#push(impacts.normal);
    let work = 0;
    let size = 0;
    for (let row = 0; row < dynamics.activeCount; row++) {
      if (impacts.isInvolved[row] === 0) continue;
      const impulse = impacts.normal[row];
      const earlier = this.#earlier(row);
      const speed = earlier + this.#speed(row, this.#change, 'none');
      const { restitution } = this.laws[contacts.materials[dynamics.active[row]]];
      const more = impacts.hasPhases ? impulse - (1 + restitution) * impacts.compression[row] : Infinity;
      this.#enter(Math.min(0, impulse));
      this.#enter(Math.min(more, this.bodies.mass(row) * speed, impacts.hasPhases ? Infinity : 0));
      work += 0.5 * impulse * (earlier + speed);
      size += 0.5 * Math.abs(impulse) * (Math.abs(earlier) + Math.abs(speed));
    }
    const asked = impacts.energyChange[0];
    if (size > 0 && !Number.isNaN(asked)) defects[1] = Math.abs(work - asked) / size;
  }

  /** U_N⁻, m/s */
  #earlier(row: number): number {
    return this.#speed(row, this.dynamics.before, 'start');
  }

  #enter(distance: number): void {
    this.defects[0] = larger(this.defects[0], Math.abs(distance));
  }

  /** Change of velocities of all bodies by normal impulses. */
  #push(impulses: Float64Array): void {
    const { mobility, activeCount, frames, middle } = this.dynamics;
    const sums = this.#sums.fill(0);
    const change = this.#change.fill(0);
    const impulse = this.#vector;
    for (let row = 0; row < activeCount; row++) {
      if (impulses[row] === 0) continue;
      const normal = FRAME_NUMBERS * row + 3;
      for (let i = 0; i < 3; i++) impulse[i] = impulses[row] * frames.axes[normal + i];
      this.bodies.push(row, impulse, sums);
    }
    for (const body of this.bodies.list) body.impel(middle, sums, change);
    mobility.restrict(change);
  }

  /** n·(Ṗ₂ − Ṗ₁), m/s */
  #speed(row: number, u: Float64Array, kinematicBodies: KinematicVelocities): number {
    this.bodies.measure(row, u, kinematicBodies, this.#vector);
    return dot(this.dynamics.frames.axes, FRAME_NUMBERS * row + 3, this.#vector, 0);
  }
}

/*
 * The laws of rolling and spinning friction at a contact, from moments and relative angular velocities alone.
 * With ρ = 1/Σ ⅓ tr I⁻¹ of both bodies, which turns angular velocities into moments, and P_N what presses
 * them together,
 *
 *     rolling    |M_T − Π(M_T − ρ ω_T)|, Π onto the disc of radius μ_r P_N
 *     spinning   |M_N − clamp(M_N − ρ ω_N, −μ_s P_N, μ_s P_N)|
 *
 * The larger of both is given as an impulse: divided by the length √(ρ/m), m being the mass that the contact
 * feels.
 */

export class MomentCheck {
  /** moment of the contact judged last on its second body, in the world's frame, N m s */
  readonly moment = new Float64Array(3);
  readonly #rate = new Float64Array(3);
  readonly #turn = new Float64Array(3);

  /** @param bodies of the system @param bounds by material (`momentNumbers`) */
  constructor(
    private readonly dynamics: ContactDynamics,
    private readonly bodies: CheckedBodies,
    private readonly bounds: Float64Array,
  ) {}

  /**
   * @param row of the contact @param material its number
   * @param pressed P_N, N s @param mass m, kg
   * @returns the defect, N s
   */
  judge(row: number, material: number, pressed: number, mass: number): number {
    const { frames, momentRows } = this.dynamics;
    const { axes } = frames;
    const at = FRAME_NUMBERS * row + 3;
    if (momentRows === null) this.moment.fill(0);
    else frames.toWorld(row, momentRows.moments, 3 * row, this.moment, 0);
    this.bodies.measureSpin(row, this.#rate);
    const inertia = this.bodies.inertia(row);
    const bound = Math.max(0, pressed);
    const limit = this.bounds[KINDS * material + SPINNING] * bound;
    const spin = dot(axes, at, this.moment, 0);
    const goal = spin - inertia * dot(axes, at, this.#rate, 0);
    let defect = Math.abs(spin - Math.max(-limit, Math.min(limit, goal)));
    const radius = this.bounds[KINDS * material + ROLLING] * bound;
    const turn = this.#turn;
    for (let a = 1; a < 3; a++)
      turn[a] = dot(axes, at + 3 * a, this.moment, 0) - inertia * dot(axes, at + 3 * a, this.#rate, 0);
    const size = Math.sqrt(turn[1] * turn[1] + turn[2] * turn[2]);
    const part = size > radius ? radius / size : 1;
    for (let a = 1; a < 3; a++)
      defect = larger(defect, Math.abs(dot(axes, at + 3 * a, this.moment, 0) - part * turn[a]));
    return defect / Math.sqrt(inertia / mass);
  }
}
