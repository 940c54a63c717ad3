/**
 * Contacts of shapes on bodies (`collision/`), each with a place that it keeps as long as detection knows it
 * again.
 */
import type { ContactDetection } from '../../collision/contact-detection';
import { CONTACT_SIZE } from '../../collision/narrow-phase/pair-contacts';
import type { StateArchive } from '../../state-archive';
import { type ContactList, type ContactSource, GEOMETRY } from './contact-list';
import { numberOfKinematicBody } from './kinematic-bodies';

/** Which law holds where two shapes meet. */
export interface PairMaterials {
  /** @returns number of the pair of materials in the list of the simulation */
  materialOf(firstShape: number, secondShape: number): number;
}

/** Of a model in which nothing touches anything. */
export class NoContacts implements ContactSource {
  readonly #list: ContactList = {
    count: 0,
    places: new Int32Array(0),
    isNew: new Uint8Array(0),
    bodies: new Int32Array(0),
    geometry: new Float64Array(0),
    materials: new Int32Array(0),
  };

  detect(q: Float64Array): ContactList | null {
    for (let i = 0; i < q.length; i++) if (!Number.isFinite(q[i])) return null;
    return this.#list;
  }

  /** There is nothing that lasts. */
  exchange(): void {}
}

export class DetectedContacts implements ContactSource, ContactList {
  count = 0;
  places = new Int32Array(0);
  isNew = new Uint8Array(0);
  bodies = new Int32Array(0);
  geometry = new Float64Array(0);
  materials = new Int32Array(0);
  /** places of the last step by contact */
  #former = new Int32Array(0);
  /** free places, the one freed last first, and how many have ever been given out */
  #free = new Int32Array(0);
  #freeCount = 0;
  #extent = 0;
  #poses = new Float64Array(0);
  readonly radii: Float64Array;

  constructor(
    private readonly detection: ContactDetection,
    private readonly pairs: PairMaterials,
  ) {
    this.radii = detection.radii();
  }

  exchange(archive: StateArchive): void {
    this.detection.exchange(archive);
    this.count = archive.value(this.count);
    this.places = archive.array(this.places);
    this.isNew = archive.array(this.isNew);
    this.bodies = archive.array(this.bodies);
    this.geometry = archive.array(this.geometry);
    this.materials = archive.array(this.materials);
    this.#former = archive.array(this.#former);
    this.#free = archive.array(this.#free);
    this.#freeCount = archive.value(this.#freeCount);
    this.#extent = archive.value(this.#extent);
  }

  get margin(): number {
    return this.detection.margin;
  }

  detect(q: Float64Array, kinematicBodies: Float64Array | null = null, reach = 0): ContactList | null {
    const { detection } = this;
    if (detection.step(this.posesOf(q, kinematicBodies), reach) !== 'ok') return null;
    const { manifolds } = detection;
    this.#reserve(Math.max(manifolds.count, this.count));
    for (let k = 0; k < this.count; k++) this.#former[k] = this.places[k];
    for (let k = 0; k < manifolds.removedCount; k++)
      this.#free[this.#freeCount++] = this.#former[manifolds.removed[k]];
    this.count = manifolds.count;
    for (let k = 0; k < this.count; k++) this.#take(k);
    for (let k = 0, next; k < this.count; k = next) {
      next = this.#endOfFace(k);
      this.#level(k, next);
    }
    return this;
  }

  /** Poses as the detection numbers them: kinematic bodies behind the bodies. */
  posesOf(q: Float64Array, kinematicBodies: Float64Array | null): Float64Array {
    if (kinematicBodies === null) return q;
    const length = q.length + kinematicBodies.length;
    if (this.#poses.length !== length) this.#poses = new Float64Array(length);
    this.#poses.set(q);
    this.#poses.set(kinematicBodies, q.length);
    return this.#poses;
  }

  /** The number of a body among those of contacts. */
  #numberOf(body: number): number {
    const first = this.detection.firstKinematicBody;
    return body < first ? body : numberOfKinematicBody(body - first);
  }

  /** Behind the last contact of the same two shapes, from k on, that has the normal of k. */
  #endOfFace(k: number): number {
    const { geometry } = this;
    const { first, second } = this.detection.manifolds;
    const at = GEOMETRY * k + 3;
    for (let other = k + 1; other < this.count; other++) {
      if (first[other] !== first[k] || second[other] !== second[k]) return other;
      const from = GEOMETRY * other + 3;
      for (let i = 0; i < 3; i++) if (geometry[from + i] !== geometry[at + i]) return other;
    }
    return this.count;
  }

  /**
   * Brings the points of contacts with one normal into one plane, their mean one. They lie in the middle of
   * overlaps of different depth, and with one of them higher than another, what a rigid body does at both
   * along their connection contains a part of what it does along the normal: to stick and to spring back with
   * e, or to open, at the same time would contradict each other by the part of 10⁻⁵ that overlaps are of a
   * body. The impulses that tell such a mode from the right one need thousands of sweeps to find.
   */
  #level(begin: number, end: number): void {
    if (end - begin < 2) return;
    const { geometry } = this;
    let mean = 0;
    for (let k = begin; k < end; k++) mean += this.#height(k) / (end - begin);
    for (let k = begin; k < end; k++) {
      const at = GEOMETRY * k;
      const rise = mean - this.#height(k);
      for (let i = 0; i < 3; i++) geometry[at + i] += rise * geometry[at + 3 + i];
    }
  }

  /** Of the point, along the normal. */
  #height(k: number): number {
    const { geometry } = this;
    const at = GEOMETRY * k;
    return (
      geometry[at] * geometry[at + 3] +
      geometry[at + 1] * geometry[at + 4] +
      geometry[at + 2] * geometry[at + 5]
    );
  }

  #take(k: number): void {
    const { detection, bodies, geometry, pairs } = this;
    const { values, first, second, previous } = detection.manifolds;
    const known = previous[k];
    this.isNew[k] = known < 0 ? 1 : 0;
    this.places[k] = known < 0 ? this.#freshPlace() : this.#former[known];
    bodies[2 * k] = this.#numberOf(detection.bodyOf(first[k]));
    bodies[2 * k + 1] = this.#numberOf(detection.bodyOf(second[k]));
    this.materials[k] = pairs.materialOf(first[k], second[k]);
    const from = CONTACT_SIZE * k;
    const to = GEOMETRY * k;
    for (let i = 0; i < 3; i++) {
      geometry[to + i] = 0.5 * (values[from + 4 + i] + values[from + 7 + i]);
      geometry[to + 3 + i] = values[from + 1 + i];
    }
    geometry[to + GEOMETRY - 1] = values[from];
  }

  #freshPlace(): number {
    return this.#freeCount > 0 ? this.#free[--this.#freeCount] : this.#extent++;
  }

  #reserve(count: number): void {
    if (count <= this.places.length) return;
    const room = 2 * count;
    const { places } = this;
    this.places = new Int32Array(room);
    this.places.set(places);
    this.isNew = new Uint8Array(room);
    this.bodies = new Int32Array(2 * room);
    this.geometry = new Float64Array(GEOMETRY * room);
    this.materials = new Int32Array(room);
    this.#former = new Int32Array(room);
    // Places of the last step and of this one at most.
    const free = new Int32Array(2 * room);
    free.set(this.#free);
    this.#free = free;
  }
}
