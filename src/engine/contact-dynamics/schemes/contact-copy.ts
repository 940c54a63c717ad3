/** Contacts at one moment: a copy, since detection has one list for all places it looks at. */
import type { StateArchive } from '../../state-archive';
import { type ContactList, GEOMETRY } from '../contacts/contact-list';

const GAP = GEOMETRY - 1;

export class ContactCopy implements ContactList {
  count = 0;
  places = new Int32Array(0);
  isNew = new Uint8Array(0);
  bodies = new Int32Array(0);
  geometry = new Float64Array(0);
  materials = new Int32Array(0);
  /** what it has pushed with in the step that has led here, N s, as it is entered by contact */
  pushed = new Float64Array(0);
  /** contact by place, −1 for none */
  #at = new Int32Array(0);

  take({ count, places, isNew, bodies, geometry, materials }: ContactList): void {
    if (this.places.length < count) this.#reserve(2 * count);
    for (let c = 0; c < this.count; c++) this.#at[this.places[c]] = -1;
    this.count = count;
    for (let c = 0; c < count; c++) {
      this.places[c] = places[c];
      this.isNew[c] = isNew[c];
      this.materials[c] = materials[c];
      this.pushed[c] = 0;
      this.#enter(places[c], c);
    }
    for (let k = 0; k < 2 * count; k++) this.bodies[k] = bodies[k];
    for (let k = 0; k < GEOMETRY * count; k++) this.geometry[k] = geometry[k];
  }

  /** The contact at a place; −1 where there is none. */
  at(place: number): number {
    return place < this.#at.length ? this.#at[place] : -1;
  }

  gap(c: number): number {
    return this.geometry[GEOMETRY * c + GAP];
  }

  /** Lets a contact count as closed, or as open. */
  mark(c: number, isClosed: boolean): void {
    this.geometry[GEOMETRY * c + GAP] = isClosed ? 0 : Number.POSITIVE_INFINITY;
  }

  exchange(archive: StateArchive): void {
    this.count = archive.value(this.count);
    this.places = archive.array(this.places);
    this.isNew = archive.array(this.isNew);
    this.bodies = archive.array(this.bodies);
    this.geometry = archive.array(this.geometry);
    this.materials = archive.array(this.materials);
    this.pushed = archive.array(this.pushed);
    this.#at = archive.array(this.#at);
  }

  #enter(place: number, c: number): void {
    if (place >= this.#at.length) {
      const known = this.#at;
      this.#at = new Int32Array(2 * place + 2).fill(-1);
      this.#at.set(known);
    }
    this.#at[place] = c;
  }

  #reserve(room: number): void {
    const { places } = this;
    this.places = new Int32Array(room);
    this.places.set(places);
    this.isNew = new Uint8Array(room);
    this.bodies = new Int32Array(2 * room);
    this.geometry = new Float64Array(GEOMETRY * room);
    this.materials = new Int32Array(room);
    this.pushed = new Float64Array(room);
  }
}
