/** Contacts of a few shapes that need no detection, for tests of what happens to them. */
import {
  type ContactList,
  type ContactSource,
  GEOMETRY,
} from '@engine/contact-dynamics/contacts/contact-list';
import { rotate } from '@engine/spatial/quaternion';
import type { StateArchive } from '@engine/state-archive';
import { POSITIONS } from '@engine/spatial/bodies/rigid-body';

/** A point of a body above the plane normal·x = offset; its shape is a ball about it. */
export interface PointAbovePlane {
  readonly body: number;
  /** in the body's frame, m */
  readonly point: readonly number[];
  readonly radius: number;
  readonly normal: readonly number[];
  readonly offset: number;
}

/** Two balls about points of bodies. */
export interface BallPair {
  readonly first: number;
  readonly second: number;
  readonly radius: number;
}

/** Places are the numbers in the lists: nothing is ever new but at the start. */
export class GivenContacts implements ContactSource, ContactList {
  readonly count: number;
  readonly places: Int32Array;
  readonly isNew: Uint8Array;
  readonly bodies: Int32Array;
  readonly geometry: Float64Array;
  readonly materials: Int32Array;
  readonly #work = new Float64Array(3);

  constructor(
    private readonly points: readonly PointAbovePlane[],
    private readonly pairs: readonly BallPair[] = [],
  ) {
    this.count = points.length + pairs.length;
    this.places = Int32Array.from({ length: this.count }, (_, k) => k);
    this.isNew = new Uint8Array(this.count).fill(1);
    this.bodies = Int32Array.from([
      ...points.flatMap(({ body }) => [-1, body]),
      ...pairs.flatMap(({ first, second }) => [first, second]),
    ]);
    this.geometry = new Float64Array(GEOMETRY * this.count);
    this.materials = new Int32Array(this.count);
  }

  #calls = 0;

  /** What is new is all that lasts. */
  exchange(archive: StateArchive): void {
    archive.fixed(this.isNew);
    this.#calls = archive.value(this.#calls);
  }

  detect(q: Float64Array): ContactList {
    if (this.#calls++ > 0) this.isNew.fill(0);
    const { geometry } = this;
    const work = this.#work;
    this.points.forEach(({ body, point, radius, normal, offset }, k) => {
      const at = GEOMETRY * k;
      rotate(q, POSITIONS * body + 3, Float64Array.from(point), 0, work, 0);
      for (let i = 0; i < 3; i++) work[i] += q[POSITIONS * body + i];
      const gap = work.reduce((sum, x, i) => sum + x * normal[i], 0) - offset - radius;
      for (let i = 0; i < 3; i++) {
        geometry[at + i] = work[i] - (radius + 0.5 * gap) * normal[i];
        geometry[at + 3 + i] = normal[i];
      }
      geometry[at + 6] = gap;
    });
    this.pairs.forEach(({ first, second, radius }, k) => {
      const at = GEOMETRY * (this.points.length + k);
      const difference = [0, 1, 2].map((i) => q[POSITIONS * second + i] - q[POSITIONS * first + i]);
      const distance = Math.hypot(...difference);
      for (let i = 0; i < 3; i++) {
        geometry[at + i] = 0.5 * (q[POSITIONS * second + i] + q[POSITIONS * first + i]);
        geometry[at + 3 + i] = difference[i] / distance;
      }
      geometry[at + 6] = distance - 2 * radius;
    });
    return this;
  }
}
