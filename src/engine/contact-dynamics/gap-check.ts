/**
 * Gaps as the certificate follows them from step to step, by the place of a contact and velocities of its point: what the law's velocities aim at (`contact-aims.ts`), and
 * whether bodies go into one another further than the scheme explains,
 *
 *     overlap ≤ h |U⁻| of a contact that closes: it was open a step before, and moved no farther since,
 *     overlap ≤ −level + h |h Ḣ u| of one that stays closed: a law of velocities leaves gaps where they are, up to what the motion of its point does in one step; twice that
 *     where gaps at q⁻ are found from q_*, to the same order (`lag`).
 *
 * A contact of bodies that overlap at another place already may come with that overlap, as the next tooth or tile does. What is there at the start is not judged, nor
 * what yields or deforms. An excess is measured in radii of gyration of the bodies, and counted once: the level goes down with it.
 */
import { widened, widenedInt } from '../collision/growth';
import { ContactAims, FaceAims, turning } from './contact-aims';
import type { ContactDynamics } from './contact-dynamics';
import { FRAME_NUMBERS } from './contact-frames';
import { type ContactList, GEOMETRY } from './contact-list';
import type { JudgedBodies, ObstacleVelocities } from './judged-bodies';
import type { ContactLaw } from './laws/contact-law';
import { ROUNDINGS } from './rounding';
import { RigidBody } from '../spatial/rigid-body';
import { dot } from '../spatial/vector-product';

const DIMENSION = 3;
const GAP = GEOMETRY - 1;

export class GapCheck {
  /** b of the step, 3 by row, m/s */
  aims = new Float64Array(0);
  /** by row: overlap beyond what the step explains, in radii of gyration */
  excess = new Float64Array(0);
  readonly #gaps = new ContactAims();
  readonly #faces = new FaceAims();
  /** bodies and level of the closed contacts of the last step, and how many those were */
  #bodiesOf = new Int32Array(0);
  #levels = new Float64Array(0);
  #known = 0;
  /** by place: the point in the last step, 3 each, m */
  #points = new Float64Array(0);
  #isFirst = true;
  /** [0] what the solver left of velocities that should be zero in the last step, m/s */
  readonly #noise = new Float64Array(1);
  /** u⁻ of the last step, and no velocities */
  readonly #formerVelocity: Float64Array;
  readonly #still: Float64Array;
  /** [0] largest velocity of an obstacle at a contact, m/s */
  readonly #fastest = new Float64Array(1);
  readonly #world = new Float64Array(DIMENSION);
  readonly #before = new Float64Array(DIMENSION);
  readonly #last = new Float64Array(DIMENSION);

  constructor(
    private readonly dynamics: ContactDynamics,
    private readonly bodies: JudgedBodies,
    private readonly laws: readonly ContactLaw[],
  ) {
    this.#formerVelocity = new Float64Array(dynamics.system.velocities);
    this.#still = new Float64Array(dynamics.system.velocities);
  }

  /** Before the contacts of a step are judged. @param closes whether the contact of a place was open in the step before */
  begin(contacts: ContactList, closes: (place: number) => boolean): void {
    const { activeCount, active } = this.dynamics;
    this.#reserve(activeCount);
    this.aims.fill(0, 0, DIMENSION * activeCount);
    for (let row = 0; row < activeCount; row++) {
      const c = active[row];
      const law = this.laws[contacts.materials[c]];
      const gap = contacts.geometry[GEOMETRY * c + GAP];
      const isHeld = law.isRigid && law.approach(gap, this.dynamics.h) === 0;
      this.excess[row] = 0;
      if (closes(contacts.places[c])) this.#close(row, contacts, isHeld);
      else if (isHeld) this.#follow(row, contacts, gap);
    }
    this.#faces.join(contacts, active, activeCount, this.aims);
  }

  /** Behind them. */
  end({ places, bodies, geometry }: ContactList): void {
    const { activeCount, active, problem, u, before, frames, scheme, h } = this.dynamics;
    const noise = Math.max(problem.measure[0], ROUNDINGS) * problem.measure[1];
    if (problem.count > 0) this.#noise[0] = noise;
    for (let row = 0; row < activeCount; row++) {
      const place = places[active[row]];
      this.bodies.measure(row, u, 'end', this.#world);
      for (let i = 0; i < DIMENSION; i++) this.#gaps.velocity[DIMENSION * place + i] = this.#world[i];
      const speed =
        dot(frames.axes, FRAME_NUMBERS * row + DIMENSION, this.#world, 0) - this.aims[DIMENSION * row];
      this.#gaps.keep(place, Math.abs(speed) > noise ? h * speed : 0, scheme.oldPart);
      this.#levels[row] = this.#gaps.level[place];
      if (this.#points.length < DIMENSION * (place + 1))
        this.#points = widened(this.#points, 2 * DIMENSION * (place + 1));
      for (let i = 0; i < DIMENSION; i++)
        this.#points[DIMENSION * place + i] = geometry[GEOMETRY * active[row] + i];
      for (let side = 0; side < 2; side++) this.#bodiesOf[2 * row + side] = bodies[2 * active[row] + side];
    }
    this.#isFirst = false;
    this.#known = activeCount;
    this.#formerVelocity.set(before);
  }

  #follow(row: number, contacts: ContactList, gap: number): void {
    const { scheme, aims, h, before, frames, active } = this.dynamics;
    const place = contacts.places[active[row]];
    const gaps = this.#gaps;
    this.bodies.measure(row, before, 'start', this.#world);
    for (let a = 0; a < DIMENSION; a++) {
      const axis = FRAME_NUMBERS * row + 3 + DIMENSION * a;
      this.#before[a] = dot(frames.axes, axis, this.#world, 0);
      this.#last[a] = dot(frames.axes, axis, gaps.velocity, DIMENSION * place);
    }
    const slack = aims.slacks[row];
    const turn = turning(this.#before, 0, this.#last);
    const at = DIMENSION * row;
    gaps.find(place, gap, this.#before, 0, this.#last, scheme.aim, slack, this.#noise[0], h, this.aims, at);
    let bound = h * ((1 + scheme.lag) * turn + this.#prescribed(row)) + slack;
    if (gaps.level[place] - gap > bound) bound += this.#shift(row, contacts);
    this.#enter(row, place, gap, bound);
  }

  #close(row: number, contacts: ContactList, isHeld: boolean): void {
    const { h, before, active, aims, scheme, frames } = this.dynamics;
    const c = active[row];
    const place = contacts.places[c];
    const gap = contacts.geometry[GEOMETRY * c + GAP];
    this.bodies.measure(row, before, 'start', this.#world);
    const closing = Math.min(0, dot(frames.axes, FRAME_NUMBERS * row + DIMENSION, this.#world, 0));
    const level = gap + scheme.oldPart * h * closing;
    this.#gaps.begin(place, level);
    if (this.#isFirst || !isHeld) return;
    const speed = Math.max(sizeOf(this.#world), this.#speedOf(row, this.#formerVelocity, 'start'));
    this.#gaps.level[place] = this.#former(contacts.bodies[2 * c], contacts.bodies[2 * c + 1]);
    this.#enter(row, place, gap, h * (speed + this.#prescribed(row)) + aims.slacks[row]);
    this.#gaps.level[place] = level;
  }

  /**
   * What a contact at one of several places may have moved its gap by because it is at another place of the bodies now, m: as far as it and they have moved, times the slope that the gaps of
   * all places have.
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
    if (slope === 0) return 0;
    const place = this.dynamics.contacts?.places[c] ?? 0;
    return (
      slope *
      (distance(geometry, at, this.#points, DIMENSION * place) +
        h * this.#speedOf(row, this.dynamics.before, 'start'))
    );
  }

  /** Speed of the second body relative to the first at a contact, m/s. */
  #speedOf(row: number, u: Float64Array, obstacles: ObstacleVelocities): number {
    this.bodies.measure(row, u, obstacles, this.#world);
    return sizeOf(this.#world);
  }

  /**
   * What obstacles that move add to the bound, m/s. A θ-method that follows a velocity V is off by (θ − ½) h (V(t) − V(t₀)) of its integral, half steps by less; so h times the
   * largest |V| there has been, twice.
   */
  #prescribed(row: number): number {
    if (this.dynamics.obstacles === null) return 0;
    const own = Math.max(this.#speedOf(row, this.#still, 'start'), this.#speedOf(row, this.#still, 'end'));
    if (own > this.#fastest[0]) this.#fastest[0] = own;
    return own === 0 ? 0 : 2 * this.#fastest[0];
  }

  /** Enters what a gap is below its level by more than a bound. */
  #enter(row: number, place: number, gap: number, bound: number): void {
    const { level } = this.#gaps;
    const excess = level[place] - gap - bound - (this.dynamics.settings.overlap ?? 0);
    if (!(excess > 0) || this.#deforms(row)) return;
    this.excess[row] = excess / Math.sqrt(this.bodies.inertia(row) / this.bodies.mass(row));
    level[place] = gap;
  }

  /** Whether a body of a contact deforms: of a point inside an overlap it moves another way than its surface does. */
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

  #reserve(count: number): void {
    if (this.excess.length >= count) return;
    this.aims = new Float64Array(2 * DIMENSION * count);
    this.excess = new Float64Array(2 * count);
    this.#levels = widened(this.#levels, 2 * count);
    this.#bodiesOf = widenedInt(this.#bodiesOf, 4 * count);
  }
}

const sizeOf = (vector: Float64Array): number =>
  Math.sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]);

function distance(a: Float64Array, at: number, b: Float64Array, from: number): number {
  const [x, y, z] = [a[at] - b[from], a[at + 1] - b[from + 1], a[at + 2] - b[from + 2]];
  return Math.sqrt(x * x + y * y + z * z);
}
