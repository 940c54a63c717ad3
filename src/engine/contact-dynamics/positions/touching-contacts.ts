/**
 * Which contacts of a step touch at its end, where positions and velocities are projected together. The step
 * has its contacts at q_*, the projection finds its own at every position that it tries, and which features
 * of two shapes touch changes on the way. So one is the other where the two bodies and the law are the same,
 * and no other contact of these is nearer.
 *
 * Contacts that touch take part in the step, and so do those that would overlap by more than the gap that the
 * projection leaves: along what is curved it goes too far, by second order of the overlap. Those that push in
 * it and do not spring back are closed: the projection holds them at their gap, since an inelastic body would
 * stop in the air where its step has found the floor. What springs back is not below it, and not drawn down:
 * bodies would lose height in each impact.
 */
import type { ActiveFrames } from '../contacts/active-frames';
import type { ContactList } from '../contacts/contact-list';
import type { ImpactPhase } from '../impact-phase';
import type { StepAims } from '../step-aims';
import { type ContactGaps, nearest } from './contact-gaps';

const DIMENSION = 3;
const NONE = -1;

export class TouchingContacts {
  /** 1 for contacts that take part, by contact of the step */
  #taking = new Uint8Array(0);
  #contacts: ContactList | null = null;

  constructor(
    private readonly gaps: ContactGaps,
    private readonly active: ActiveFrames,
    private readonly aims: StepAims,
    private readonly impacts: ImpactPhase | null,
  ) {}

  /** At the start of a step. @param reach gap up to which they are known, m */
  begin(contacts: ContactList, reach: number): void {
    this.#contacts = contacts;
    if (this.#taking.length < contacts.count) this.#taking = new Uint8Array(2 * contacts.count);
    this.#taking.fill(0);
    this.gaps.beginStep(contacts, reach);
    this.active.taking = this.#taking;
  }

  /** A projection is to begin. */
  expect(): void {
    this.gaps.beginProjection();
  }

  /**
   * Adds contacts that touch at the positions whose gaps have been found last, or from whose overlap the
   * projection has led there. @returns `new` where there are some, `lost` where one is none of the step
   */
  find(): 'none' | 'new' | 'lost' {
    const { gaps } = this;
    const list = gaps.found;
    let isNew = false;
    for (let k = 0; k < gaps.count; k++) {
      if (list === null || this.#contacts === null) continue;
      const c = nearest(list, gaps.contactOf(k), this.#contacts);
      if (gaps.gap(k) > (c === NONE ? 0 : gaps.depth(c))) continue;
      if (c === NONE) return 'lost';
      if (this.#taking[c] === 1) continue;
      this.#taking[c] = 1;
      isNew = true;
    }
    return isNew ? 'new' : 'none';
  }

  /** Lets those that have been added take part in the rows of the step. */
  take(): void {
    if (this.#contacts === null) return;
    this.active.add(this.#contacts);
    this.aims.reopen();
  }

  /**
   * Which contacts the projection holds closed.
   * @param impulses R and @param former e (U⁻ + b), 3 by row
   */
  judgeClosed(impulses: Float64Array, former: Float64Array): void {
    const { active, gaps, impacts } = this;
    gaps.release();
    for (let row = 0; row < active.contactCount; row++) {
      const at = DIMENSION * row;
      const springsBack = former[at] < 0 || impacts?.pushes(row) === true;
      if (impulses[at] > 0 && !springsBack) gaps.hold(active.contacts[row]);
    }
  }
}
