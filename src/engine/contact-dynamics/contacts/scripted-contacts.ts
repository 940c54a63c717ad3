/**
 * Contacts that scripts give, behind those that detection finds. Each is there at every step, and has its
 * place for good; whether it is closed is decided by its gap
 *
 *     g = n·(P₂ − P₁),     P = ½ (P₁ + P₂)
 *
 * as of the others. Rows at P are those of P₁ and P₂ where P₂ − P₁ is along n, as of nearest points: an arm
 * along n has no part in n·(ω×s), and g has the rate n·U.
 */
import { EngineError } from '../../errors';
import { SCRIPTED_CONTACT } from '../../model/space/space';
import type { CoordinateFunction } from '../../spatial/general-relation';
import { POSITIONS } from '../../spatial/bodies/rigid-body';
import type { StateArchive } from '../../state-archive';
import { type ContactList, type ContactSource, GEOMETRY } from './contact-list';
import { kinematicBodyOf } from './kinematic-bodies';

/** Number of what does not move among the bodies of contacts. */
export const STANDS = -1;

/** A linked body. */
export interface ContactSide {
  /** its number among the bodies of contacts; `STANDS` of one that does not move */
  readonly body: number;
  /** where its pose is: in q, or among those of kinematic bodies */
  readonly at: number;
  /** of one that does not move; null of others */
  readonly pose: Float64Array | null;
}

export interface ScriptedContact {
  readonly id: string;
  /** number of the material in the list of the simulation */
  readonly material: number;
  /** one or two; the first of one is the world */
  readonly sides: readonly ContactSide[];
  /** contacts */
  readonly size: number;
  /** see `ContactGeometry` */
  readonly evaluate: CoordinateFunction;
}

/** Geometry of the contacts of one interaction, by its function alone. */
export class ScriptedGeometry {
  /** `GEOMETRY` numbers by contact, see `ContactList` */
  readonly values: Float64Array;
  /** `SCRIPTED_CONTACT` numbers by contact, as the script filled them last */
  readonly filled: Float64Array;
  readonly #z: Float64Array;

  constructor(private readonly contact: ScriptedContact) {
    this.values = new Float64Array(GEOMETRY * contact.size);
    this.filled = new Float64Array(SCRIPTED_CONTACT * contact.size);
    this.#z = new Float64Array(POSITIONS * contact.sides.length);
  }

  /**
   * @param q of all bodies @param kinematicBodies poses of those that move as prescribed; null where none
   * does
   * @throws {EngineError} `contact-normal-zero`; what the function throws
   */
  find(q: Float64Array, kinematicBodies: Float64Array | null): void {
    const { sides, evaluate, size } = this.contact;
    const z = this.#z;
    sides.forEach(({ body, at, pose }, k) => {
      const from = pose ?? (kinematicBodyOf(body) >= 0 && kinematicBodies !== null ? kinematicBodies : q);
      for (let i = 0; i < POSITIONS; i++) z[POSITIONS * k + i] = from[at + i];
    });
    evaluate(z, this.filled.fill(0));
    for (let c = 0; c < size; c++) this.#take(SCRIPTED_CONTACT * c, GEOMETRY * c);
  }

  #take(from: number, to: number): void {
    const { filled, values } = this;
    const length = Math.hypot(filled[from + 6], filled[from + 7], filled[from + 8]);
    if (!(length > 0)) throw noNormal(this.contact.id, from / SCRIPTED_CONTACT, this.contact.size);
    let gap = 0;
    for (let i = 0; i < 3; i++) {
      const [one, other, n] = [filled[from + i], filled[from + 3 + i], filled[from + 6 + i] / length];
      values[to + i] = 0.5 * (one + other);
      values[to + 3 + i] = n;
      gap += n * (other - one);
    }
    values[to + GEOMETRY - 1] = gap;
  }
}

const noNormal = (id: string, contact: number, size: number): EngineError =>
  new EngineError({
    code: 'contact-normal-zero',
    where: id,
    message: `The script gives ${size > 1 ? `contact ${contact} of ` : ''}“${id}” a normal of length zero.`,
    remedy:
      'Fill entries 6 to 8 of each contact with a vector that points from the first body to the second, wherever they are.',
  });

export class ScriptedContacts implements ContactSource, ContactList {
  count = 0;
  places = new Int32Array(0);
  isNew = new Uint8Array(0);
  bodies = new Int32Array(0);
  geometry = new Float64Array(0);
  materials = new Int32Array(0);
  readonly #geometries: readonly ScriptedGeometry[];
  /** contacts of all scripts */
  readonly #own: number;
  #areKnown = false;

  /** @param areDetected whether others are found: their margin is one of detection alone */
  constructor(
    private readonly scripted: readonly ScriptedContact[],
    private readonly detected: ContactSource,
    private readonly areDetected: boolean,
  ) {
    this.#geometries = scripted.map((contact) => new ScriptedGeometry(contact));
    this.#own = scripted.reduce((sum, { size }) => sum + size, 0);
  }

  get radii(): Float64Array | undefined {
    return this.detected.radii;
  }

  get margin(): number | undefined {
    return this.areDetected ? this.detected.margin : undefined;
  }

  exchange(archive: StateArchive): void {
    this.detected.exchange(archive);
    this.count = archive.value(this.count);
    this.places = archive.array(this.places);
    this.isNew = archive.array(this.isNew);
    this.bodies = archive.array(this.bodies);
    this.geometry = archive.array(this.geometry);
    this.materials = archive.array(this.materials);
    this.#areKnown = archive.value(this.#areKnown);
  }

  detect(q: Float64Array, kinematicBodies: Float64Array | null, reach?: number): ContactList | null {
    const found = this.detected.detect(q, kinematicBodies, reach);
    if (found === null) return null;
    const { count } = found;
    this.#reserve(count + this.#own);
    this.geometry.set(found.geometry.subarray(0, GEOMETRY * count));
    this.bodies.set(found.bodies.subarray(0, 2 * count));
    this.materials.set(found.materials.subarray(0, count));
    this.isNew.set(found.isNew.subarray(0, count));
    // The first places are those of scripts.
    for (let c = 0; c < count; c++) this.places[c] = this.#own + found.places[c];
    this.count = count;
    for (let k = 0; k < this.scripted.length; k++) {
      const geometry = this.#geometries[k];
      geometry.find(q, kinematicBodies);
      this.#append(this.scripted[k], geometry.values, this.count - count);
    }
    this.#areKnown = true;
    return this;
  }

  /** @param place of the first */
  #append({ material, sides, size }: ScriptedContact, values: Float64Array, place: number): void {
    const [first, second] = sides.length === 1 ? [STANDS, sides[0].body] : [sides[0].body, sides[1].body];
    this.geometry.set(values, GEOMETRY * this.count);
    for (let c = 0; c < size; c++) {
      const at = this.count++;
      this.places[at] = place + c;
      this.isNew[at] = this.#areKnown ? 0 : 1;
      this.materials[at] = material;
      this.bodies[2 * at] = first;
      this.bodies[2 * at + 1] = second;
    }
  }

  #reserve(count: number): void {
    if (count <= this.places.length) return;
    const room = 2 * count;
    this.places = new Int32Array(room);
    this.isNew = new Uint8Array(room);
    this.bodies = new Int32Array(2 * room);
    this.geometry = new Float64Array(GEOMETRY * room);
    this.materials = new Int32Array(room);
  }
}
