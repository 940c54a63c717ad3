/**
 * Contacts as unilateral rows of the projection of positions: those of rigid laws that a detection of its own
 * finds at the positions in question. With the unit normal n from the first body to the second one and its
 * point P,
 *
 *     g,   ∇g = n·H₂(P) − n·H₁(P) by velocities,   ∇g = 4 ∇g_Ω·½ Q ∘ (0, ·) by quaternions, |Q| = 1,
 *
 * the latter since ᵗT T = ¼ there. Kinematic bodies are where they are at the end of the step.
 */
import type { ContactLaw } from '../../model/contact-laws/contact-law';
import { createSolver } from '../../solvers/registry';
import type { Solver } from '../../solvers/solver';
import { RigidBody } from '../../spatial/bodies/rigid-body';
import type { Space } from '../../spatial/marker';
import type { ProjectedContacts } from '../../spatial/projection';
import { quaternionRate } from '../../spatial/quaternion';
import type { SpatialSystem } from '../../spatial/system';
import { type ContactList, type ContactSource, GEOMETRY } from '../contacts/contact-list';
import type { KinematicBodies } from '../contacts/kinematic-bodies';
import type { ContactDynamicsSettings } from '../settings';

const GAP = GEOMETRY - 1;

/** Overlap that stays where no tolerance is given, m: far above rounding, far below bodies. */
const DEFAULT_TOLERANCE = 1e-10;

/** Overlap of contacts that stays, m. */
export const contactTolerance = (projection: ContactDynamicsSettings['projection']): number =>
  projection?.tolerance ?? DEFAULT_TOLERANCE;

export class ContactGaps implements ProjectedContacts {
  count = 0;
  #list: ContactList | null = null;
  /** numbers of those of rigid laws in the list */
  #rows = new Int32Array(0);
  /** by contact of the list: 1 where it is held at its gap */
  #holds = new Uint8Array(0);
  /** contacts of the step, those that are, and gap up to which they are found again, m */
  #step: ContactList | null = null;
  #held = new Int32Array(0);
  #heldCount = 0;
  #reach = 0;
  /** by contact of the step: overlap where a projection has begun, beyond the tolerance, m */
  #depths = new Float64Array(0);
  #isStart = false;
  /** P and n, and two axes that are none */
  readonly #frame = new Float64Array(12);
  /** three rows of one body, of which the first is that of n */
  readonly #own = new Float64Array(36);
  readonly #rate = new Float64Array(4);

  /** @param tolerance m */
  constructor(
    private readonly system: SpatialSystem,
    private readonly source: ContactSource,
    private readonly laws: readonly ContactLaw[],
    private readonly kinematicBodies: KinematicBodies | null,
    readonly tolerance: number,
  ) {}

  solver(rows: number): Solver {
    return createSolver('auto', rows);
  }

  find(q: Float64Array): boolean {
    const list = this.source.detect(q, this.kinematicBodies?.poses ?? null, this.#reach);
    this.#list = list;
    this.count = 0;
    if (list === null) return false;
    if (this.#rows.length < list.count) this.#rows = new Int32Array(2 * list.count);
    for (let c = 0; c < list.count; c++)
      if (this.laws[list.materials[c]].isRigid) this.#rows[this.count++] = c;
    this.#findHeld(list);
    if (this.#isStart) this.#findDepths(list);
    return true;
  }

  /** What is found next is found where a projection begins. */
  beginProjection(): void {
    this.#isStart = true;
  }

  #findDepths(list: ContactList): void {
    this.#isStart = false;
    this.#depths.fill(0);
    for (let k = 0; k < this.count && this.#step !== null; k++) {
      const depth = -this.gap(k);
      if (depth <= this.tolerance) continue;
      const c = nearest(list, this.#rows[k], this.#step);
      if (c >= 0) this.#depths[c] = Math.max(this.#depths[c], depth);
    }
  }

  /** By how much a contact of the step has overlapped there, m. */
  depth(contact: number): number {
    return this.#depths[contact];
  }

  #findHeld(list: ContactList): void {
    if (this.#holds.length < list.count) this.#holds = new Uint8Array(2 * list.count);
    this.#holds.fill(0, 0, list.count);
    for (let k = 0; k < this.#heldCount && this.#step !== null; k++) {
      const c = nearest(this.#step, this.#held[k], list);
      if (c >= 0 && this.laws[list.materials[c]].isRigid) this.#holds[c] = 1;
    }
  }

  /** At the start of a step. @param step its contacts @param reach gap up to which they are wanted, m */
  beginStep(step: ContactList, reach: number): void {
    this.#step = step;
    this.#reach = reach;
    if (this.#depths.length < step.count) this.#depths = new Float64Array(2 * step.count);
    this.release();
  }

  /** Holds a contact of the step at its gap, where it is found again. */
  hold(contact: number): void {
    if (this.#heldCount === this.#held.length) {
      const held = new Int32Array(2 * this.#heldCount + 8);
      held.set(this.#held);
      this.#held = held;
    }
    this.#held[this.#heldCount++] = contact;
  }

  /** Holds none any more. */
  release(): void {
    this.#heldCount = 0;
  }

  isHeld(k: number): boolean {
    return this.#holds[this.#rows[k]] === 1;
  }

  /** Those found last; `contactOf` has the number of one in it. */
  get found(): ContactList | null {
    return this.#list;
  }

  contactOf(k: number): number {
    return this.#rows[k];
  }

  /** m */
  gap(k: number): number {
    return this.#list === null ? Number.NaN : this.#list.geometry[GEOMETRY * this.#rows[k] + GAP];
  }

  position(out: Float64Array, at: number): void {
    if (this.#list === null) return;
    const { geometry } = this.#list;
    for (let k = 0; k < this.count; k++) out[at + k] = geometry[GEOMETRY * this.#rows[k] + GAP];
  }

  /** Deepest overlap of those found last, m. */
  get deepest(): number {
    let most = 0;
    for (let k = 0; k < this.count && this.#list !== null; k++)
      most = Math.max(most, -this.#list.geometry[GEOMETRY * this.#rows[k] + GAP]);
    return most;
  }

  /** Number of the law of the deepest of them; −1 where none overlaps. */
  get deepestLaw(): number {
    const { deepest } = this;
    if (this.#list === null || deepest === 0) return -1;
    const { geometry, materials } = this.#list;
    const row = this.#rows.findIndex((c, k) => k < this.count && -geometry[GEOMETRY * c + GAP] === deepest);
    return row < 0 ? -1 : materials[this.#rows[row]];
  }

  jacobian(q: Float64Array, out: Float64Array, width: number, space: Space, row: number): void {
    out.fill(0, row * width, (row + this.count) * width);
    if (this.#list === null) return;
    const { bodies, geometry } = this.#list;
    const frame = this.#frame;
    for (let k = 0; k < this.count; k++) {
      const c = this.#rows[k];
      for (let i = 0; i < 6; i++) frame[i] = geometry[GEOMETRY * c + i];
      for (let side = 0; side < 2; side++) {
        const body = bodies[2 * c + side];
        if (body >= 0) this.#add(body, side === 0 ? -1 : 1, q, out, (row + k) * width, space);
      }
    }
  }

  /** Adds the part of a body. @param at entry where the row begins */
  #add(body: number, sign: number, q: Float64Array, out: Float64Array, at: number, space: Space): void {
    const { bodies, positionsAt, velocitiesAt } = this.system;
    const own = this.#own.fill(0);
    const width = bodies[body].velocities;
    const qAt = positionsAt[body];
    bodies[body].addFrameRows(q, qAt, this.#frame, 0, sign, own, 0, width);
    if (space === 'velocity') {
      for (let i = 0; i < width; i++) out[at + velocitiesAt[body] + i] += own[i];
      return;
    }
    const turns = bodies[body] instanceof RigidBody;
    for (let i = 0; i < (turns ? 3 : width); i++) out[at + qAt + i] += own[i];
    if (!turns) return;
    quaternionRate(q, qAt + 3, own, 3, this.#rate, 0);
    for (let i = 0; i < 4; i++) out[at + qAt + 3 + i] += 4 * this.#rate[i];
  }
}

/**
 * The contact of a list that is nearest to that of another list.
 * @returns −1 where none is between the same bodies with the same law
 */
export function nearest(one: ContactList, contact: number, list: ContactList): number {
  let found = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let c = 0; c < list.count; c++) {
    if (
      list.materials[c] !== one.materials[contact] ||
      list.bodies[2 * c] !== one.bodies[2 * contact] ||
      list.bodies[2 * c + 1] !== one.bodies[2 * contact + 1]
    )
      continue;
    let away = 0;
    for (let i = 0; i < 3; i++)
      away += (list.geometry[GEOMETRY * c + i] - one.geometry[GEOMETRY * contact + i]) ** 2;
    // Of two corners above each other both points are in one plane.
    away += (list.geometry[GEOMETRY * c + GAP] - one.geometry[GEOMETRY * contact + GAP]) ** 2;
    if (away >= least) continue;
    least = away;
    found = c;
  }
  return found;
}
