/**
 * γ of contacts at an end of a Galerkin step, from the contacts that the step has found beside it: velocities
 * of points there, from those of the bodies, turned back with their normals (`schemes/contact-drift.ts`).
 */
import { dot } from '../../spatial/matrix3';
import { type ContactList, GEOMETRY } from '../contacts/contact-list';
import type { ContactCopy } from '../schemes/contact-copy';
import { type ContactDrift, DIFFERENCE, NEARLY } from '../schemes/contact-drift';
import { type Moment, NormalTurn, type PointVelocities } from './point-velocities';

const DIMENSION = 3;
/** Of U(0), U(δ) and U(2δ) in 2δ γ. */
const WEIGHTS = [-3, 4, -1] as const;

export class DriftCheck {
  /** 3 by contact, world's frame, m/s² */
  values = new Float64Array(0);
  readonly #moment: Moment;
  readonly #turn = new NormalTurn();
  readonly #velocity = new Float64Array(DIMENSION);

  constructor(private readonly velocities: PointVelocities) {
    this.#moment = velocities.createMoment();
  }

  /** @param time where the contacts are, s @param h of the step, s, negative at its end */
  form(
    drift: ContactDrift,
    contacts: ContactList,
    q: Float64Array,
    u: Float64Array,
    time: number,
    h: number,
  ): void {
    if (this.values.length < DIMENSION * contacts.count)
      this.values = new Float64Array(2 * DIMENSION * contacts.count);
    this.values.fill(0);
    if (!drift.isRead) return;
    const delta = DIFFERENCE * h;
    for (let k = 0; k <= 2; k++) {
      const at = time + k * delta;
      this.#moment?.read(at, at, at);
      for (let c = 0; c < contacts.count; c++) {
        const [near, far] = [sameOf(contacts, c, drift.lists[0]), sameOf(contacts, c, drift.lists[1])];
        if (near < 0 || far < 0) continue;
        if (k === 0) this.#add(contacts, c, contacts, c, q, u, WEIGHTS[0] / (2 * delta));
        else {
          const there = k === 1 ? near : far;
          this.#add(contacts, c, drift.lists[k - 1], there, drift.places[k - 1], u, WEIGHTS[k] / (2 * delta));
        }
      }
    }
  }

  #add(
    contacts: ContactList,
    c: number,
    list: ContactList,
    there: number,
    q: Float64Array,
    u: Float64Array,
    weight: number,
  ): void {
    const velocity = this.#velocity;
    const at = GEOMETRY * there;
    this.velocities.read(list, there, list.geometry, at, q, u, this.#moment, velocity);
    if (list !== contacts)
      this.#turn.turn(
        ...([velocity, list.geometry, at + DIMENSION, contacts.geometry] as const),
        ...([GEOMETRY * c + DIMENSION, velocity] as const),
      );
    for (let i = 0; i < DIMENSION; i++) this.values[DIMENSION * c + i] += weight * velocity[i];
  }
}

/** The contact of a list that is the same one; −1 where detection has not known it again. */
function sameOf({ places, bodies, materials, geometry }: ContactList, c: number, list: ContactCopy): number {
  const there = list.at(places[c]);
  if (there < 0 || list.isNew[there] === 1 || list.materials[there] !== materials[c]) return -1;
  for (let side = 0; side < 2; side++) if (list.bodies[2 * there + side] !== bodies[2 * c + side]) return -1;
  const cosine = dot(geometry, GEOMETRY * c + DIMENSION, list.geometry, GEOMETRY * there + DIMENSION);
  return cosine >= NEARLY ? there : -1;
}
