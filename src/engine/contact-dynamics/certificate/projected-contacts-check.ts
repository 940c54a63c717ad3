/**
 * Contacts at the positions that a step ends at, where these are projected onto contacts, as a detection of
 * the certificate's own finds them:
 *
 *     gap(q⁺) ≥ −tolerance.
 *
 * Where velocities are found together with positions, contacts of the law are those of the end of the step,
 *
 *     gap(q⁺) ≤ tolerance  where bodies push each other in the step and do not spring back,
 *     −U_N⁺ ≤ 0            where they touch, or are not farther apart than they would overlap without the
 *                          projection, and have pushed and held each other nowhere in it.
 *
 * The last two speak of pairs of bodies: which of their features meet changes on the way.
 */
import type { ContactLaw } from '../../model/contact-laws/contact-law';
import { ClosingSpeed } from '../contacts/closing-speed';
import type { ContactList } from '../contacts/contact-list';
import type { ContactDynamics } from '../contact-dynamics';
import { ContactGaps, contactTolerance, nearest } from '../positions/contact-gaps';

export class ProjectedContactsCheck {
  /** overlap, or gap of bodies that push each other, beyond the tolerance, m; and speed of what is missed */
  readonly defects = new Float64Array(3);
  /** laws that they belong to; −1 where none is singled out */
  readonly laws = new Int32Array(3);
  readonly #gaps: ContactGaps;
  readonly #closing: ClosingSpeed;
  /** active contacts that push and do not spring back */
  #closed = new Uint8Array(0);
  /** by contact of the step: overlap without the projection, m */
  #depths = new Float64Array(0);

  private constructor(
    private readonly dynamics: ContactDynamics,
    gaps: ContactGaps,
    private readonly margin: number,
  ) {
    this.#gaps = gaps;
    this.#closing = new ClosingSpeed(dynamics.system, dynamics.kinematicBodies);
  }

  /** @returns null where positions are not projected onto contacts */
  static create(dynamics: ContactDynamics, laws: readonly ContactLaw[]): ProjectedContactsCheck | null {
    const { settings, system, kinematicBodies } = dynamics;
    const { projects, projectedContacts, projection } = settings;
    if (!projects || projectedContacts === undefined) return null;
    const tolerance = contactTolerance(projection);
    const gaps = new ContactGaps(system, projectedContacts.check, laws, kinematicBodies, tolerance);
    return new ProjectedContactsCheck(dynamics, gaps, projectedContacts.check.margin ?? 1);
  }

  /** A contact of the step. @param impulse R_N, N s @param springsBack whether its law may throw it back */
  enter(row: number, impulse: number, springsBack: boolean): void {
    if (row >= this.#closed.length) {
      const closed = new Uint8Array(2 * row + 8);
      closed.set(this.#closed);
      this.#closed = closed;
    }
    this.#closed[row] = impulse > 0 && !springsBack ? 1 : 0;
  }

  /** Behind all contacts of the step. */
  judge(): void {
    const gaps = this.#gaps;
    this.defects.fill(0);
    const isCombined = this.dynamics.settings.combined === true;
    if (isCombined) this.#findDepths();
    if (!gaps.find(this.dynamics.q)) return;
    this.#raise(0, gaps.deepest - gaps.tolerance, gaps.deepestLaw);
    const { contacts, activeCount, active } = this.dynamics;
    const { found } = gaps;
    if (!isCombined || contacts === null || found === null) return;
    for (let row = 0; row < activeCount; row++) {
      const c = active[row];
      if (this.#closed[row] === 0) continue;
      let least = this.margin;
      for (let k = 0; k < gaps.count; k++)
        if (areAlike(contacts, c, found, gaps.contactOf(k))) least = Math.min(least, gaps.gap(k));
      this.#raise(1, least - gaps.tolerance, contacts.materials[c]);
    }
    for (let k = 0; k < gaps.count; k++) {
      const touching = gaps.contactOf(k);
      const c = nearest(found, touching, contacts);
      if (gaps.gap(k) <= (c < 0 ? 0 : this.#depths[c])) this.#touch(found, touching, contacts);
    }
  }

  #findDepths(): void {
    const { contacts, uncorrected } = this.dynamics;
    const gaps = this.#gaps;
    if (contacts === null) return;
    if (this.#depths.length < contacts.count) this.#depths = new Float64Array(2 * contacts.count);
    this.#depths.fill(0);
    if (!gaps.find(uncorrected) || gaps.found === null) return;
    for (let k = 0; k < gaps.count; k++) {
      const c = nearest(gaps.found, gaps.contactOf(k), contacts);
      if (c >= 0 && -gaps.gap(k) > gaps.tolerance) this.#depths[c] = Math.max(this.#depths[c], -gaps.gap(k));
    }
  }

  /** Bodies that touch at the end of the step. */
  #touch(found: ContactList, touching: number, contacts: ContactList): void {
    const { activeCount, active, q, u } = this.dynamics;
    for (let row = 0; row < activeCount; row++) if (areAlike(contacts, active[row], found, touching)) return;
    this.#raise(2, -this.#closing.of(found, touching, q, u, true), found.materials[touching]);
  }

  #raise(which: number, defect: number, law: number): void {
    if (!(defect > this.defects[which])) return;
    this.defects[which] = defect;
    this.laws[which] = law;
  }
}

/** Whether two contacts are of the same bodies and law. */
const areAlike = (one: ContactList, c: number, other: ContactList, k: number): boolean =>
  one.materials[c] === other.materials[k] &&
  one.bodies[2 * c] === other.bodies[2 * k] &&
  one.bodies[2 * c + 1] === other.bodies[2 * k + 1];
