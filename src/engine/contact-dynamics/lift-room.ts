/**
 * How far the removal of overlaps may move bodies. Its problem knows active contacts only; a pile that is lifted by more than the gap to what falls on it would
 * swallow that, and the overlap would be found behind the middle of a body, where its normal points the other way. Bodies that active contacts and joints link
 * are one pile, and all of it goes the same part of its way,
 *
 *     part = min( 1,  gap/(−H_N x) of contacts that are not active,  ½ margin/|x_P| of active points P ),
 *
 * x being the displacement: two piles that move half the margin of detection each do not reach what detection has not seen yet. The rest is for later steps. Obstacles that move are taken to stand still: what they come nearer by in
 * a step is an overlap like others.
 */
import type { SpatialSystem } from '../spatial/system';
import { dot } from '../spatial/vector-product';
import type { ActiveFrames } from './active-frames';
import { type ContactFrames, FRAME_NUMBERS } from './contact-frames';
import { type ContactList, GEOMETRY } from './contact-list';
import type { BodyMobility } from './mobility';

const GAP = GEOMETRY - 1;
const NORMAL = 3;

export class LiftRoom {
  /** by group: another group of its pile, itself for the last one */
  readonly #parent: Int32Array;
  /** by group that is the last one of its pile */
  readonly #part: Float64Array;
  #isActive = new Uint8Array(0);
  readonly #motion = new Float64Array(3);

  /** @param margin gap up to which contacts are known, m */
  constructor(
    private readonly system: SpatialSystem,
    private readonly mobility: BodyMobility,
    private readonly frames: ContactFrames,
    private readonly active: ActiveFrames,
    private readonly margin: number,
  ) {
    this.#parent = new Int32Array(mobility.members.length);
    this.#part = new Float64Array(mobility.members.length);
  }

  /**
   * Shortens displacements, by velocities of all bodies.
   * @param q positions that they begin at @param move by velocities, what the scheme has moved bodies by since contacts were looked for, m
   */
  shorten(contacts: ContactList, q: Float64Array, move: Float64Array, displacement: Float64Array): void {
    this.#gather();
    const { count, geometry, bodies } = contacts;
    const { contactCount, contacts: rows } = this.active;
    if (this.#isActive.length < count) this.#isActive = new Uint8Array(2 * count);
    this.#isActive.fill(0, 0, count);
    for (let row = 0; row < contactCount; row++) {
      this.#isActive[rows[row]] = 1;
      this.#reach(row, bodies, rows[row], q, displacement);
    }
    for (let c = 0; c < count; c++) {
      if (this.#isActive[c] === 1) continue;
      const at = GEOMETRY * c;
      const closing = -this.#along(geometry, at, bodies, c, q, displacement);
      if (!(closing > 0)) continue;
      const gap = geometry[at + GAP] + this.#along(geometry, at, bodies, c, q, move);
      this.#limit(bodies, c, Math.max(0, gap) / closing);
    }
    const { velocitiesAt, bodies: all } = this.system;
    for (let k = 0; k < all.length; k++) {
      const part = this.#part[this.#pile(this.mobility.groupOf[k])];
      if (part === 1) continue;
      for (let i = 0; i < all[k].velocities; i++) displacement[velocitiesAt[k] + i] *= part;
    }
  }

  /** Piles: what rows link. */
  #gather(): void {
    const parent = this.#parent;
    for (let group = 0; group < parent.length; group++) {
      parent[group] = group;
      this.#part[group] = 1;
    }
    const { groups, count } = this.frames;
    for (let row = 0; row < count; row++) {
      if (groups[2 * row] < 0 || groups[2 * row + 1] < 0) continue;
      const one = this.#pile(groups[2 * row]);
      const other = this.#pile(groups[2 * row + 1]);
      parent[Math.max(one, other)] = Math.min(one, other);
    }
  }

  #pile(group: number): number {
    const parent = this.#parent;
    let at = group;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at]];
      at = parent[at];
    }
    return at;
  }

  /** Limits the ways of the points of an active contact. */
  #reach(
    row: number,
    bodies: Int32Array,
    contact: number,
    q: Float64Array,
    displacement: Float64Array,
  ): void {
    const { axes } = this.frames;
    for (let side = 0; side < 2; side++) {
      const body = bodies[2 * contact + side];
      if (body < 0) continue;
      const motion = this.#motion.fill(0);
      this.#move(body, axes, FRAME_NUMBERS * row, 1, q, displacement);
      const way = Math.sqrt(dot(motion, 0, motion, 0));
      if (way > 0.5 * this.margin) this.#limit(bodies, contact, (0.5 * this.margin) / way);
    }
  }

  /** Relative displacement of a contact along its normal. @param at its point in `geometry` */
  #along(
    geometry: Float64Array,
    at: number,
    bodies: Int32Array,
    contact: number,
    q: Float64Array,
    displacement: Float64Array,
  ): number {
    const motion = this.#motion.fill(0);
    for (let side = 0; side < 2; side++) {
      const body = bodies[2 * contact + side];
      if (body >= 0) this.#move(body, geometry, at, side === 0 ? -1 : 1, q, displacement);
    }
    return dot(geometry, at + NORMAL, motion, 0);
  }

  #move(
    body: number,
    points: Float64Array,
    at: number,
    sign: number,
    q: Float64Array,
    displacement: Float64Array,
  ): void {
    const { bodies, positionsAt, velocitiesAt } = this.system;
    bodies[body].addPointVelocity(
      q,
      positionsAt[body],
      displacement,
      velocitiesAt[body],
      points,
      at,
      sign,
      this.#motion,
    );
  }

  #limit(bodies: Int32Array, contact: number, part: number): void {
    for (let side = 0; side < 2; side++) {
      const body = bodies[2 * contact + side];
      if (body < 0) continue;
      const pile = this.#pile(this.mobility.groupOf[body]);
      this.#part[pile] = Math.min(this.#part[pile], part);
    }
  }
}
