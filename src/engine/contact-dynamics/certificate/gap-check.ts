/**
 * Gaps as the certificate follows them from step to step, by the place of a contact and velocities of its
 * point: what the law's velocities aim at (`step-aims.ts`), and whether bodies go into one another further
 * than the scheme explains,
 *
 *     overlap ≤ h |U⁻| of a contact that closes: it was open a step before, and moved no farther since,
 *     overlap ≤ −level + h |h Ḣ u| of one that stays closed.
 *
 * A law of velocities leaves gaps where they are, up to what the motion of the point does in one step; twice
 * that where gaps at q⁻ are found from q_*, to the same order (`lag`). Both are along straight lines and of
 * the middle of the gap: its ends turn about their bodies, by ω h in a step, which is added.
 *
 * Where positions are corrected, as where a stop that has been struck is left again, contacts go along, and
 * may come down with their bodies, by no more than these move in a step. A contact of bodies that overlap at
 * another place already may come with that overlap, as the next tooth or tile does. What is there at the
 * start is not judged, nor what yields or deforms. An excess is measured in radii of gyration of the bodies,
 * and counted once.
 */
import { widened, widenedInt } from '../../collision/growth';
import { ContactAims, FaceAims, areEqual, turning } from '../step-aims';
import type { ContactDynamics } from '../contact-dynamics';
import { FRAME_NUMBERS } from '../contacts/contact-frames';
import { type ContactList, GEOMETRY } from '../contacts/contact-list';
import type { CheckedBodies, KinematicVelocities } from './checked-bodies';
import type { ContactLaw } from '../../model/contact-laws/contact-law';
import { larger } from '../../linalg/nan-safe';
import { ROUNDINGS } from '../rounding';
import { multiplyQuaternions } from '../../spatial/quaternion';
import { RigidBody } from '../../spatial/bodies/rigid-body';
import type { StateArchive } from '../../state-archive';
import { dot, lengthOf } from '../../spatial/matrix3';

const DIMENSION = 3;
const GAP = GEOMETRY - 1;

export class GapCheck {
  /** b of the step, 3 by row, m/s */
  aims = new Float64Array(0);
  /** by row: overlap beyond what the step explains, in radii of gyration */
  excess = new Float64Array(0);
  /** by row: how far a contact that goes on may be open, as its point has moved over the bodies, m */
  room = new Float64Array(0);
  readonly #gaps = new ContactAims();
  /**
   * by place: how far the gap may be below the level besides, m: what corrections and other places of the
   * bodies have moved it by, and what has been counted
   */
  #below = new Float64Array(0);
  /**
   * by place: the largest bound of a step since the contact has closed, m. A contact is brought back to its
   * level by the length of the step, and what a long step has left is made good by many short ones.
   */
  #reach = new Float64Array(0);
  /** by place: the most that its ends have moved aside in a step since it has closed, m */
  #bent = new Float64Array(0);
  /** by place: |h Ḣ u| of the last step, m/s */
  #turning = new Float64Array(0);
  /** whether steps have had several lengths */
  #varies = false;
  /** whether positions are corrected at all */
  readonly #areCorrected: boolean;
  /** what corrections have moved bodies by in the last step, by velocities: m and rad */
  readonly #correction: Float64Array;
  readonly #inverse = new Float64Array(4);
  readonly #turn = new Float64Array(4);
  readonly #faces = new FaceAims();
  /** bodies, level and place of the closed contacts of the last step, and how many those were */
  #bodiesOf = new Int32Array(0);
  #levels = new Float64Array(0);
  #placesOf = new Int32Array(0);
  #known = 0;
  /** by place: the point in the last step, 3 each, m */
  #points = new Float64Array(0);
  #isFirst = true;
  /** [0] what the solver left of velocities that should be zero in the last step, m/s */
  readonly #noise = new Float64Array(1);
  /** u⁻ of the last step, and no velocities */
  readonly #formerVelocity: Float64Array;
  /** u⁺ of the last step; and whether this one has begun with it */
  readonly #after: Float64Array;
  #goesOn = true;
  readonly #still: Float64Array;
  /** [0] largest velocity of a kinematic body at a contact, m/s */
  readonly #fastest = new Float64Array(1);
  readonly #world = new Float64Array(DIMENSION);
  readonly #before = new Float64Array(DIMENSION);
  readonly #last = new Float64Array(DIMENSION);

  constructor(
    private readonly dynamics: ContactDynamics,
    private readonly bodies: CheckedBodies,
    private readonly laws: readonly ContactLaw[],
  ) {
    this.#formerVelocity = new Float64Array(dynamics.system.velocities);
    this.#still = new Float64Array(dynamics.system.velocities);
    this.#after = new Float64Array(dynamics.system.velocities);
    this.#correction = new Float64Array(dynamics.system.velocities);
    const { projects, overlap, projectedContacts } = dynamics.settings;
    const { equations, limits } = dynamics.system;
    this.#areCorrected =
      overlap !== undefined ||
      (projects && (projectedContacts !== undefined || equations.count + limits.count > 0));
  }

  /**
   * Before the contacts of a step are judged.
   * @param closes whether the contact of a place was open in the step before
   */
  begin(contacts: ContactList, closes: (place: number) => boolean): void {
    const { activeCount, active } = this.dynamics;
    this.#reserve(activeCount);
    this.#goesOn = areEqual(this.dynamics.before, this.#after);
    if (this.dynamics.gapsAhead !== 0) this.#varies = true;
    this.aims.fill(0, 0, DIMENSION * activeCount);
    this.excess.fill(0, 0, activeCount);
    this.room.fill(0, 0, activeCount);
    // Contacts of Galerkin steps aim at nothing, and `GalerkinCheck` follows their gaps.
    if (this.dynamics.stages !== null) return;
    for (let row = 0; row < activeCount; row++) {
      const c = active[row];
      const law = this.laws[contacts.materials[c]];
      const gap = contacts.geometry[GEOMETRY * c + GAP];
      const isHeld = law.isRigid && law.approach(gap, this.dynamics.h) === 0;
      if (closes(contacts.places[c])) this.#close(row, contacts, isHeld);
      else if (isHeld) this.#follow(row, contacts, gap);
    }
    this.#faces.join(contacts, active, activeCount, this.aims);
  }

  /** Behind them. */
  end({ places, bodies, geometry }: ContactList): void {
    const { activeCount, active, problem, u, before, frames, scheme, h, stages } = this.dynamics;
    if (stages !== null) return;
    const noise = Math.max(problem.measure[0], ROUNDINGS) * problem.measure[1];
    if (problem.count > 0) this.#noise[0] = noise;
    if (this.#areCorrected) this.#findCorrection();
    for (let row = 0; row < activeCount; row++) {
      const place = places[active[row]];
      const { ends } = this.bodies;
      const from = DIMENSION * row;
      for (let i = 0; i < DIMENSION; i++) this.#gaps.velocity[DIMENSION * place + i] = ends[from + i];
      this.#gaps.normal[place] = dot(frames.axes, FRAME_NUMBERS * row + DIMENSION, ends, from);
      const speed = this.#gaps.normal[place] - this.aims[from];
      this.#gaps.keep(place, Math.abs(speed) > noise ? speed : 0, h, scheme.oldPart);
      this.#levels[row] = this.#gaps.level[place] - this.#below[place];
      this.#below[place] += this.#descent(row);
      this.#placesOf[row] = place;
      for (let i = 0; i < DIMENSION; i++)
        this.#points[DIMENSION * place + i] = geometry[GEOMETRY * active[row] + i];
      for (let side = 0; side < 2; side++) this.#bodiesOf[2 * row + side] = bodies[2 * active[row] + side];
    }
    this.#isFirst = false;
    this.#known = activeCount;
    this.#formerVelocity.set(before);
    this.#after.set(u);
  }

  #follow(row: number, contacts: ContactList, gap: number): void {
    const { scheme, aims, h, frames, active } = this.dynamics;
    const place = contacts.places[active[row]];
    const gaps = this.#gaps;
    const { approaches } = this.bodies;
    const at = DIMENSION * row;
    for (let a = 0; a < DIMENSION; a++) {
      const axis = FRAME_NUMBERS * row + 3 + DIMENSION * a;
      this.#before[a] = dot(frames.axes, axis, approaches, at);
      this.#last[a] = dot(frames.axes, axis, gaps.velocity, DIMENSION * place);
    }
    this.#last[0] = gaps.normal[place];
    const slack = aims.slacks[row];
    const turn = turning(this.#before, 0, this.#last);
    this.room[row] = h * Math.max(Math.abs(this.#before[0] - this.#last[0]), this.#turning[place]);
    this.#turning[place] = turn;
    const { gapsAhead } = this.dynamics;
    if (this.#goesOn && gapsAhead !== 0) gaps.goOn(place, gapsAhead);
    if (this.#goesOn)
      gaps.find(place, gap, this.#before, 0, this.#last, scheme.aim, slack, this.#noise[0], h, this.aims, at);
    const time = larger(h, this.dynamics.timeBetweenGaps);
    const reach = time * ((1 + scheme.lag) * turn + this.#prescribed(row));
    this.#reach[place] = larger(this.#reach[place], reach);
    this.#bent[place] = larger(this.#bent[place], this.#bend(row, contacts, time));
    const bound = (this.#varies ? this.#reach[place] : reach) + slack + this.#bent[place];
    const below = Math.max(0, Math.min(this.#below[place], gaps.level[place] - gap));
    const excess = gaps.level[place] - below - gap - bound;
    this.#below[place] = below;
    if (excess > 0) {
      const former = this.#former(contacts.bodies[2 * active[row]], contacts.bodies[2 * active[row] + 1]);
      const room = Math.min(this.#shift(row, contacts), gaps.level[place] - below - former);
      this.#below[place] += Math.max(0, Math.min(excess, room));
    }
    this.#enter(row, place, gap, gaps.level[place] - bound);
  }

  #close(row: number, contacts: ContactList, isHeld: boolean): void {
    const { h, timeBetweenGaps, active, aims, scheme, frames } = this.dynamics;
    const c = active[row];
    const place = contacts.places[c];
    const gap = contacts.geometry[GEOMETRY * c + GAP];
    const { approaches } = this.bodies;
    const at = DIMENSION * row;
    const closing = Math.min(0, dot(frames.axes, FRAME_NUMBERS * row + DIMENSION, approaches, at));
    const level = gap + scheme.oldPart * h * closing;
    this.#gaps.begin(place, level);
    this.#reservePlace(place);
    this.#below[place] = this.#reach[place] = this.#bent[place] = this.#turning[place] = 0;
    if (this.#isFirst || !isHeld) return;
    const speed = Math.max(lengthOf(approaches, at), this.#speedOf(row, this.#formerVelocity, 'start'));
    const former = this.#former(contacts.bodies[2 * c], contacts.bodies[2 * c + 1]);
    const time = larger(h, timeBetweenGaps);
    this.#bent[place] = this.#bend(row, contacts, time);
    const way = time * (speed + this.#prescribed(row)) + this.#bent[place];
    this.#enter(row, place, gap, former - way - aims.slacks[row]);
    this.#below[place] = 0;
  }

  /** See `CheckedBodies.bend`. */
  #bend(row: number, contacts: ContactList, time: number): number {
    const { before, middle, active } = this.dynamics;
    return this.bodies.bend(contacts, active[row], middle, before, this.#formerVelocity, time);
  }

  /** What positions have been corrected by. */
  #findCorrection(): void {
    const { system, q, uncorrected } = this.dynamics;
    const turn = this.#turn;
    for (let k = 0; k < system.bodies.length; k++) {
      if (!(system.bodies[k] instanceof RigidBody)) continue;
      const [at, from] = [system.velocitiesAt[k], system.positionsAt[k]];
      for (let i = 0; i < 3; i++) this.#correction[at + i] = q[from + i] - uncorrected[from + i];
      // The vector part of Q̄ Q', twice, is the turn in the frame of the body.
      this.#inverse[0] = uncorrected[from + 3];
      for (let i = 1; i < 4; i++) this.#inverse[i] = -uncorrected[from + 3 + i];
      multiplyQuaternions(this.#inverse, 0, q, from + 3, turn, 0);
      for (let i = 0; i < 3; i++) this.#correction[at + 3 + i] = 2 * turn[1 + i];
    }
  }

  /**
   * How far corrections have brought the bodies of a contact together in the last step, m; at most what these
   * move in one.
   */
  #descent(row: number): number {
    if (!this.#areCorrected) return 0;
    const { frames, u, before, h } = this.dynamics;
    this.bodies.measure(row, this.#correction, 'none', this.#world);
    const way = -dot(frames.axes, FRAME_NUMBERS * row + DIMENSION, this.#world, 0);
    if (!(way > 0)) return 0;
    return Math.min(way, h * larger(this.bodies.extent(row, u), this.bodies.extent(row, before)));
  }

  /**
   * What a contact at one of several places may have moved its gap by because it is at another place of the
   * bodies now, m: as far as it and they have moved, times the slope that the gaps of all places have, and
   * may have had before the bodies turned to it. It has not moved out of the face that the places of the last
   * step have made up, and is no lower than the lowest of them.
   */
  #shift(row: number, { bodies, geometry, count }: ContactList): number {
    const { active, h } = this.dynamics;
    const c = active[row];
    const at = GEOMETRY * c;
    let slope = 0;
    for (let step = -1; step <= 1; step += 2)
      for (let other = c + step; other >= 0 && other < count; other += step) {
        if (bodies[2 * other] !== bodies[2 * c] || bodies[2 * other + 1] !== bodies[2 * c + 1]) break;
        const from = GEOMETRY * other;
        const rise = Math.abs(geometry[from + GAP] - geometry[at + GAP]);
        const away = distance(geometry, at, geometry, from);
        if (rise > 0) slope = Math.max(slope, rise / away);
      }
    const place = this.dynamics.contacts?.places[c] ?? 0;
    // Of several places one may be left, which any of their contacts may have.
    const own = this.#rowOf(place);
    for (let k = 0; k < this.#known && own >= 0; k++) {
      if (this.#bodiesOf[2 * k] !== bodies[2 * c] || this.#bodiesOf[2 * k + 1] !== bodies[2 * c + 1])
        continue;
      const rise = Math.abs(this.#levels[k] - this.#levels[own]);
      const [first, second] = [DIMENSION * this.#placesOf[k], DIMENSION * place];
      if (rise > 0) slope = Math.max(slope, rise / distance(this.#points, first, this.#points, second));
    }
    if (slope === 0) return 0;
    this.bodies.measureSpin(row, this.#world);
    return (
      (slope + h * lengthOf(this.#world, 0)) *
      (distance(geometry, at, this.#points, DIMENSION * place) +
        h * this.#speedOf(row, this.dynamics.before, 'start'))
    );
  }

  /** Row that a place had in the last step; −1 for none. */
  #rowOf(place: number): number {
    for (let k = 0; k < this.#known; k++) if (this.#placesOf[k] === place) return k;
    return -1;
  }

  /** Speed of the second body relative to the first at a contact, m/s. */
  #speedOf(row: number, u: Float64Array, kinematicBodies: KinematicVelocities): number {
    this.bodies.measure(row, u, kinematicBodies, this.#world);
    return lengthOf(this.#world, 0);
  }

  /**
   * What kinematic bodies that move add to the bound, m/s. A θ-method that follows a velocity V is off by (θ
   * − ½) h (V(t) − V(t₀)) of its integral, half steps by less; so h times the largest |V| there has been,
   * twice.
   */
  #prescribed(row: number): number {
    if (this.dynamics.kinematicBodies === null) return 0;
    const own = Math.max(this.#speedOf(row, this.#still, 'start'), this.#speedOf(row, this.#still, 'end'));
    if (own > this.#fastest[0]) this.#fastest[0] = own;
    return own === 0 ? 0 : 2 * this.#fastest[0];
  }

  exchange(archive: StateArchive): void {
    this.#gaps.exchange(archive);
    this.#below = archive.array(this.#below);
    this.#reach = archive.array(this.#reach);
    this.#bent = archive.array(this.#bent);
    this.#turning = archive.array(this.#turning);
    this.#varies = archive.value(this.#varies);
    this.#points = archive.array(this.#points);
    this.aims = archive.array(this.aims);
    this.excess = archive.array(this.excess);
    this.#levels = archive.array(this.#levels);
    this.#bodiesOf = archive.array(this.#bodiesOf);
    this.#placesOf = archive.array(this.#placesOf);
    this.#known = archive.value(this.#known);
    this.#isFirst = archive.value(this.#isFirst);
    archive.fixed(this.#noise);
    archive.fixed(this.#fastest);
    archive.fixed(this.#formerVelocity);
    archive.fixed(this.#after);
    archive.fixed(this.#correction);
  }

  /** Enters what a gap is below the least that is explained. */
  #enter(row: number, place: number, gap: number, least: number): void {
    const excess = least - this.#below[place] - gap - (this.dynamics.settings.overlap ?? 0);
    if (!(excess > 0) || this.#deforms(row)) return;
    this.excess[row] = excess / Math.sqrt(this.bodies.inertia(row) / this.bodies.mass(row));
    this.#below[place] += excess;
  }

  /**
   * Whether a body of a contact deforms: of a point inside an overlap it moves another way than its surface
   * does.
   */
  #deforms(row: number): boolean {
    const { contacts, active, system } = this.dynamics;
    for (let side = 0; side < 2; side++) {
      const body = contacts === null ? -1 : contacts.bodies[2 * active[row] + side];
      if (body >= 0 && !(system.bodies[body] instanceof RigidBody)) return true;
    }
    return false;
  }

  /** The lowest level at which two bodies have touched in the last step, up to zero, m. */
  #former(first: number, second: number): number {
    let level = 0;
    for (let k = 0; k < this.#known; k++)
      if (this.#bodiesOf[2 * k] === first && this.#bodiesOf[2 * k + 1] === second)
        level = Math.min(level, this.#levels[k]);
    return level;
  }

  #reservePlace(place: number): void {
    if (place < this.#below.length) return;
    this.#below = widened(this.#below, 2 * (place + 1));
    this.#reach = widened(this.#reach, 2 * (place + 1));
    this.#bent = widened(this.#bent, 2 * (place + 1));
    this.#turning = widened(this.#turning, 2 * (place + 1));
    this.#points = widened(this.#points, 2 * DIMENSION * (place + 1));
  }

  #reserve(count: number): void {
    if (this.excess.length >= count) return;
    this.aims = new Float64Array(2 * DIMENSION * count);
    this.excess = new Float64Array(2 * count);
    this.room = new Float64Array(2 * count);
    this.#levels = widened(this.#levels, 2 * count);
    this.#bodiesOf = widenedInt(this.#bodiesOf, 4 * count);
    this.#placesOf = widenedInt(this.#placesOf, 2 * count);
  }
}

function distance(a: Float64Array, at: number, b: Float64Array, from: number): number {
  const x = a[at] - b[from];
  const y = a[at + 1] - b[from + 1];
  const z = a[at + 2] - b[from + 2];
  return Math.sqrt(x * x + y * y + z * z);
}
