/**
 * Which contacts have rows in a step, from gaps, velocities at their points and the settings alone. With g
 * the gap that the law speaks of, a contact has a row where
 *
 *     Galerkin steps   g ≤ ε
 *     others           g + forecast h U_N⁻ ≤ 0, or it goes on and its bond reaches as far as g, or its law
 *                      looks ahead and g + h U_N of the velocities without contacts is below zero
 *
 * What rounding may decide is left to the step. A contact that must have a row and has none obeys its law
 * without an impulse, R = 0: a rigid one neither approaches nor has to spring back, U_N⁺ + e U_N⁻ ≥ 0. One
 * that is open has no impulse, up to what the scheme holds at gap zero though motions over the bodies have
 * brought it out of there (`GapCheck.room`). Where positions and velocities are projected together, rigid
 * ones that do not pull are those of the end of the step, which `ProjectedContactsCheck` judges.
 */
import { CheckedContact, type ContactLaw } from '../../model/contact-laws/contact-law';
import { lengthOf } from '../../spatial/matrix3';
import type { ContactDynamics } from '../contact-dynamics';
import { type AdhesionState, type ContactList, GEOMETRY } from '../contacts/contact-list';
import { ROUNDINGS } from '../rounding';
import type { BondRecord } from './bond-record';
import type { CheckedBodies } from './checked-bodies';

const GAP = GEOMETRY - 1;
const DIMENSION = 3;

export class ContactRowsCheck {
  /** by contact: 1 where it has a row */
  #hasRow = new Uint8Array(0);
  readonly #judged = new CheckedContact();
  /** γ of the forecast; ε, m, of Galerkin steps, and NaN of others */
  readonly #forecast: number;
  readonly #closedGap: number;
  readonly #areOfEnd: boolean;
  /** by law: whether it may ask for a row of an open contact */
  readonly #reaches: readonly boolean[];

  constructor(
    private readonly dynamics: ContactDynamics,
    private readonly bodies: CheckedBodies,
    private readonly laws: readonly ContactLaw[],
    private readonly bonds: BondRecord,
    private readonly adhesion: AdhesionState,
  ) {
    const { motion, projects, combined, projectedContacts } = dynamics.settings;
    this.#areOfEnd = projects && combined === true && projectedContacts !== undefined;
    this.#forecast = 'theta' in motion ? motion.forecast : 0;
    this.#closedGap = 'closedGap' in motion ? motion.closedGap : Number.NaN;
    this.#reaches = laws.map(
      ({ range, anticipates, adhesion: bond }) => range > 0 || anticipates || bond !== undefined,
    );
  }

  /** Behind `CheckedBodies.read`. */
  begin({ count }: ContactList): void {
    const { active, activeCount } = this.dynamics;
    if (this.#hasRow.length < count) this.#hasRow = new Uint8Array(2 * count);
    this.#hasRow.fill(0, 0, count);
    for (let row = 0; row < activeCount; row++) this.#hasRow[active[row]] = 1;
  }

  /** @returns what the law of a contact without a row says of its velocity, N s; zero of others */
  missing(contacts: ContactList, c: number): number {
    if (this.#hasRow[c] === 1) return 0;
    const law = this.laws[contacts.materials[c]];
    if (this.#areOfEnd && isPlain(law)) return 0;
    if (!this.#mustHaveRow(contacts, c, law)) return 0;
    const { judged, place } = { judged: this.#judged, place: contacts.places[c] };
    const { impacts, u, approach, h } = this.dynamics;
    judged.impulse.fill(0);
    judged.velocity.fill(0);
    judged.earlier.fill(0);
    judged.displacement.fill(0);
    judged.velocity[0] = this.bodies.normalSpeed(c, u, 'end');
    if (impacts === null) judged.earlier[0] = this.bodies.normalSpeed(c, approach, 'start');
    const { numbers } = judged;
    const isBonded = this.#isBonded(contacts, c);
    numbers.fill(0);
    numbers[CheckedContact.GAP] = contacts.geometry[GEOMETRY * c + GAP];
    numbers[CheckedContact.MASS] = this.bodies.massOf(c);
    numbers[CheckedContact.STEP] = h;
    numbers[CheckedContact.BONDED] = isBonded ? 1 : 0;
    numbers[CheckedContact.CLOSES] = this.#goesOn(contacts, c) ? 0 : 1;
    if (law.adhesion !== undefined && isBonded && place < this.adhesion.intensity.length) {
      numbers[CheckedContact.INTENSITY] = this.adhesion.intensity[place];
      judged.displacement[1] = lengthOf(this.adhesion.slip, DIMENSION * place);
    }
    law.judge(judged);
    return judged.defects[1];
  }

  /**
   * Whether a contact with a row is open beyond doubt.
   * @param room how far it may be open as it goes on, m
   */
  isOpen(row: number, contacts: ContactList, room: number): boolean {
    const { active, aims } = this.dynamics;
    const c = active[row];
    const law = this.laws[contacts.materials[c]];
    if (this.#areOfEnd || !isPlain(law) || law.anticipates) return false;
    const gap = contacts.geometry[GEOMETRY * c + GAP];
    if (!(gap > 0) && this.#forecast === 0) return false;
    const slack = aims.slacks[row] + this.#rounding(contacts, c);
    if (!Number.isNaN(this.#closedGap)) return gap > this.#closedGap + slack;
    return gap + this.#forecastWay(c) > slack + room;
  }

  #mustHaveRow(contacts: ContactList, c: number, law: ContactLaw): boolean {
    const gap = contacts.geometry[GEOMETRY * c + GAP];
    const reaches = this.#reaches[contacts.materials[c]];
    const isGalerkin = !Number.isNaN(this.#closedGap);
    if (gap > 0 && this.#forecast === 0 && !reaches && !isGalerkin) return false;
    const slack = this.#rounding(contacts, c);
    if (isGalerkin) return gap <= this.#closedGap - slack;
    if (gap + this.#forecastWay(c) < -slack) return true;
    return reaches && this.#isHeld(contacts, c, law, gap + slack);
  }

  /** @param gap at most, m */
  #isHeld(contacts: ContactList, c: number, law: ContactLaw, gap: number): boolean {
    const { isRigid, pull, range, anticipates, adhesion } = law;
    if (adhesion !== undefined) {
      const place = contacts.places[c];
      const intensity = place < this.adhesion.intensity.length ? this.adhesion.intensity[place] : 0;
      return this.dynamics.steps > 1 && this.#isBonded(contacts, c) && intensity > 0;
    }
    if ((!isRigid || pull > 0) && gap <= range && this.#goesOn(contacts, c)) return true;
    if (!anticipates) return false;
    // Loads that depend on the end of the step may have changed their velocities since contacts were chosen.
    const { before, free, h } = this.dynamics;
    const way = Math.max(
      this.bodies.normalSpeed(c, free, 'end'),
      this.bodies.normalSpeed(c, before, 'start'),
    );
    return gap + (1 - ROUNDINGS) * h * way < 0;
  }

  #goesOn({ isNew, places }: ContactList, c: number): boolean {
    return this.dynamics.steps === 1 || (isNew[c] === 0 && this.bonds.wasClosed(places[c]));
  }

  #isBonded({ isNew, places }: ContactList, c: number): boolean {
    return this.dynamics.steps === 1 || (isNew[c] === 0 && this.bonds.held(places[c]));
  }

  /** forecast h U_N⁻, m */
  #forecastWay(c: number): number {
    if (this.#forecast === 0) return 0;
    const { before, h } = this.dynamics;
    return this.#forecast * h * this.bodies.normalSpeed(c, before, 'start');
  }

  /** Of a gap, and of the way that it is forecast to go, m. */
  #rounding({ bodies, geometry }: ContactList, c: number): number {
    const { middle, before, system, h } = this.dynamics;
    let extent = lengthOf(geometry, GEOMETRY * c);
    for (let side = 2 * c; side < 2 * c + 2; side++) {
      const body = bodies[side];
      if (body < 0) continue;
      const [q, v] = [system.positionsAt[body], system.velocitiesAt[body]];
      extent += lengthOf(middle, q);
      let arm = 0;
      for (let i = 0; i < DIMENSION; i++) arm += Math.abs(geometry[GEOMETRY * c + i] - middle[q + i]);
      extent += h * (lengthOf(before, v) + arm * lengthOf(before, v + DIMENSION));
    }
    return ROUNDINGS * extent;
  }
}

/** Whether it is rigid and never pulls. */
const isPlain = ({ isRigid, pull, adhesion }: ContactLaw): boolean =>
  isRigid && pull === 0 && adhesion === undefined;
