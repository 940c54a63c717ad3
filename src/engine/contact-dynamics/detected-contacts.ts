/** Contacts of shapes on bodies (`collision/`), each with a place that it keeps as long as detection knows it again. */
import type { ContactDetection } from '../collision/contact-detection';
import { CONTACT } from '../collision/narrow-phase/pair-contacts';
import { type ContactList, type ContactSource, GEOMETRY } from './contact-list';

export class DetectedContacts implements ContactSource, ContactList {
  count = 0;
  places = new Int32Array(0);
  isNew = new Uint8Array(0);
  bodies = new Int32Array(0);
  geometry = new Float64Array(0);
  materials = new Int32Array(0);
  /** places of the last step by contact */
  #former = new Int32Array(0);
  /** places that nobody has, the one freed last first, and how many have ever been given out */
  #free = new Int32Array(0);
  #freeCount = 0;
  #extent = 0;

  /**
   * @param materialOf number of the pair of materials by shapes: `materialOf[first · shapes + second]`
   */
  constructor(
    private readonly detection: ContactDetection,
    private readonly materialOf: Int32Array,
  ) {}

  detect(q: Float64Array): ContactList | null {
    const { detection } = this;
    if (detection.step(q) !== 'ok') return null;
    const { manifolds } = detection;
    this.#reserve(Math.max(manifolds.count, this.count));
    for (let k = 0; k < this.count; k++) this.#former[k] = this.places[k];
    for (let k = 0; k < manifolds.removedCount; k++)
      this.#free[this.#freeCount++] = this.#former[manifolds.removed[k]];
    this.count = manifolds.count;
    for (let k = 0; k < this.count; k++) this.#take(k);
    return this;
  }

  #take(k: number): void {
    const { detection, bodies, geometry, materialOf } = this;
    const { values, first, second, previous } = detection.manifolds;
    const known = previous[k];
    this.isNew[k] = known < 0 ? 1 : 0;
    this.places[k] = known < 0 ? this.#freshPlace() : this.#former[known];
    bodies[2 * k] = detection.bodyOf(first[k]);
    bodies[2 * k + 1] = detection.bodyOf(second[k]);
    this.materials[k] = materialOf[first[k] * detection.shapes.length + second[k]];
    const from = CONTACT * k;
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
