/**
 * What relative velocities at contacts do while bodies keep theirs: γ of
 *
 *     U̇ = H u̇ + γ,     γ = d/ds U(t + s, q ⊕ s u, u) at s = 0,
 *
 * curvature of shapes, turning normals and what is prescribed included. U of a displaced place is that of the
 * contact which detection knows again there, turned back with its normal. Shapes do not say how they are
 * curved, so γ comes from differences on the side of the step, which no function of time is asked across:
 *
 *     γ = (4 U(δ) − U(2δ) − 3 U(0)) / 2δ.
 *
 * A contact that is not the same one at both places, as where it goes over an edge, has γ = 0.
 */
import { dot } from '../../spatial/matrix3';
import type { SpatialSystem } from '../../spatial/system';
import type { StateArchive } from '../../state-archive';
import type { ClosingSpeed } from '../contacts/closing-speed';
import { type ContactList, GEOMETRY } from '../contacts/contact-list';
import { ContactCopy } from './contact-copy';

/**
 * Part of a step that δ is: what is left out is of the order (h/8)², and rounding of U makes no more than 50
 * ε of velocities that contacts of one face, which say the same, could contradict each other by.
 */
export const DIFFERENCE = 1 / 8;
/** Cosine of the angle between normals of one contact, at least. */
export const NEARLY = 0.9;

/** Detection at a place and a time, where kinematic bodies are placed; `isNew` as it says it. */
export type Look = (time: number, q: Float64Array, u: Float64Array) => ContactList | null;

export class ContactDrift {
  /** γ in the world, 3 by contact of the list that was read, m/s² */
  values = new Float64Array(0);
  /** contacts at q ⊕ δ u and q ⊕ 2δ u, and these places */
  readonly lists = [new ContactCopy(), new ContactCopy()] as const;
  readonly places: readonly [Float64Array, Float64Array];
  /** whether there is something to be read: not where no contact has a force */
  isRead = false;
  readonly #velocity = new Float64Array(3);

  constructor(
    private readonly system: SpatialSystem,
    private readonly speed: ClosingSpeed,
  ) {
    this.places = [new Float64Array(system.positions), new Float64Array(system.positions)];
  }

  /**
   * @param contacts at q and at that time, s @param delta δ, s, negative at the end of a step
   * @param look leaves kinematic bodies where it has looked
   * @returns false where a position is not finite
   */
  read(
    contacts: ContactList,
    q: Float64Array,
    u: Float64Array,
    time: number,
    delta: number,
    look: Look,
  ): boolean {
    this.isRead = true;
    if (this.values.length < 3 * contacts.count) this.values = new Float64Array(6 * contacts.count);
    const { values } = this;
    const velocity = this.#velocity;
    values.fill(0);
    for (let c = 0; c < contacts.count; c++) {
      this.speed.addVelocity(contacts, c, q, u, velocity.fill(0));
      for (let i = 0; i < 3; i++) values[3 * c + i] = -3 * velocity[i];
    }
    for (let k = 0; k < 2; k++) {
      const place = this.places[k];
      place.set(q);
      if (!displace(this.system, place, u, (k + 1) * delta)) return false;
      const found = look(time + (k + 1) * delta, place, u);
      if (found === null) return false;
      this.lists[k].take(found);
      for (let c = 0; c < contacts.count; c++) this.#add(contacts, c, k, u);
    }
    for (let c = 0; c < contacts.count; c++) {
      const isSame = partnerOf(contacts, c, this.lists[0]) >= 0 && partnerOf(contacts, c, this.lists[1]) >= 0;
      for (let i = 3 * c; i < 3 * c + 3; i++) values[i] = isSame ? values[i] / (2 * delta) : 0;
    }
    return true;
  }

  /** Adds 4 U(δ), or −U(2δ). */
  #add(contacts: ContactList, c: number, k: number, u: Float64Array): void {
    const list = this.lists[k];
    const there = partnerOf(contacts, c, list);
    if (there < 0) return;
    const velocity = this.#velocity.fill(0);
    this.speed.addVelocity(list, there, this.places[k], u, velocity);
    turnBetween(list.geometry, GEOMETRY * there + 3, contacts.geometry, GEOMETRY * c + 3, velocity);
    const weight = k === 0 ? 4 : -1;
    for (let i = 0; i < 3; i++) this.values[3 * c + i] += weight * velocity[i];
  }

  exchange(archive: StateArchive): void {
    for (const list of this.lists) list.exchange(archive);
  }
}

/** The contact of a list that is one of another list, nearly along the same normal; −1 for none. */
function partnerOf(
  { places, bodies, materials, geometry }: ContactList,
  c: number,
  list: ContactCopy,
): number {
  const there = list.at(places[c]);
  if (there < 0 || list.isNew[there] === 1 || materials[c] !== list.materials[there]) return -1;
  if (bodies[2 * c] !== list.bodies[2 * there] || bodies[2 * c + 1] !== list.bodies[2 * there + 1]) return -1;
  const cosine = dot(geometry, GEOMETRY * c + 3, list.geometry, GEOMETRY * there + 3);
  return cosine < NEARLY ? -1 : there;
}

/** q ← q ⊕ time · u. @returns false when a body has no direction */
export function displace(
  { bodies, positionsAt, velocitiesAt }: SpatialSystem,
  q: Float64Array,
  u: Float64Array,
  time: number,
): boolean {
  for (let k = 0; k < bodies.length; k++)
    if (bodies[k].displace(q, positionsAt[k], u, velocitiesAt[k], time))
      if (!bodies[k].normalise(q, positionsAt[k])) return false;
  return true;
}

/**
 * x ← R x with the shortest turn R that brings one unit vector n to another n': c x + w×x + (w·x) w/(1 + c),
 * w = n×n', c = n·n'.
 */
export function turnBetween(
  from: Float64Array,
  fromAt: number,
  to: Float64Array,
  toAt: number,
  x: Float64Array,
): void {
  const cosine = dot(from, fromAt, to, toAt);
  const w0 = from[fromAt + 1] * to[toAt + 2] - from[fromAt + 2] * to[toAt + 1];
  const w1 = from[fromAt + 2] * to[toAt] - from[fromAt] * to[toAt + 2];
  const w2 = from[fromAt] * to[toAt + 1] - from[fromAt + 1] * to[toAt];
  const along = (w0 * x[0] + w1 * x[1] + w2 * x[2]) / (1 + cosine);
  const [x0, x1, x2] = x;
  x[0] = cosine * x0 + w1 * x2 - w2 * x1 + along * w0;
  x[1] = cosine * x1 + w2 * x0 - w0 * x2 + along * w1;
  x[2] = cosine * x2 + w0 * x1 - w1 * x0 + along * w2;
}
