/**
 * Contacts by scripts, asked once more for the certificate: each has to be in the list of the step with the
 * point, the normal and the gap that its function gives for the poses of its bodies.
 */
import { SCRIPTED_CONTACT } from '../../model/space/space';
import { POSITIONS } from '../../spatial/bodies/rigid-body';
import type { SpatialSystem } from '../../spatial/system';
import { type ContactList, GEOMETRY } from '../contacts/contact-list';
import { type KinematicBodies, kinematicBodyOf } from '../contacts/kinematic-bodies';
import { STANDS, type ScriptedContact } from '../contacts/scripted-contacts';
import { ROUNDINGS } from '../rounding';

/** What the certificate asks of the contacts of a step. */
export interface DetectionCheck {
  /** relative defects, 0 where all is right */
  readonly missed: Float64Array;
  /** numbers of the materials that they belong to */
  readonly materials: Int32Array;
  /**
   * @param gaps by contact, m: those at q, where the list may have those of an earlier time
   * @param q positions that the contacts were found at
   * @param step number of the step
   */
  judge(contacts: ContactList, gaps: Float64Array, q: Float64Array, step: number): void;
}

export class ScriptedCheck implements DetectionCheck {
  /** by script: defect relative to the longest arm of the contact */
  readonly missed: Float64Array;
  readonly materials: Int32Array;
  readonly #z = new Float64Array(2 * POSITIONS);
  readonly #filled: readonly Float64Array[];

  constructor(
    private readonly system: SpatialSystem,
    private readonly scripted: readonly ScriptedContact[],
    private readonly kinematicBodies: KinematicBodies | null,
  ) {
    this.missed = new Float64Array(scripted.length);
    this.materials = Int32Array.from(scripted, ({ material }) => material);
    this.#filled = scripted.map(({ size }) => new Float64Array(SCRIPTED_CONTACT * size));
  }

  judge(contacts: ContactList, gaps: Float64Array, q: Float64Array): void {
    for (let k = 0; k < this.scripted.length; k++) {
      const { material, size } = this.scripted[k];
      const z = this.#poses(k, q);
      this.scripted[k].evaluate(z, this.#filled[k].fill(0));
      let found = 0;
      let worst = 0;
      for (let c = 0; c < contacts.count; c++) {
        if (contacts.materials[c] !== material) continue;
        if (found < size) worst = Math.max(worst, this.#defect(k, found, contacts, c, gaps[c], q));
        found++;
      }
      this.missed[k] = found === size ? worst : 1;
    }
  }

  /** Poses of the linked bodies, in the order of the document. */
  #poses(k: number, q: Float64Array): Float64Array {
    const { sides } = this.scripted[k];
    const z = this.#z;
    for (let side = 0; side < sides.length; side++) {
      const { body, pose } = sides[side];
      const kinematic = kinematicBodyOf(body);
      for (let i = 0; i < POSITIONS; i++)
        z[POSITIONS * side + i] =
          body >= 0
            ? q[this.system.positionsAt[body] + i]
            : kinematic >= 0
              ? (this.kinematicBodies?.poses[POSITIONS * kinematic + i] ?? Number.NaN)
              : (pose?.[i] ?? Number.NaN);
    }
    return sides.length === 2 ? z : z.subarray(0, POSITIONS);
  }

  /** Of a contact of a script against its entry in the list. */
  #defect(
    k: number,
    own: number,
    { bodies, geometry: g }: ContactList,
    c: number,
    listed: number,
    q: Float64Array,
  ): number {
    const filled = this.#filled[k];
    const { sides } = this.scripted[k];
    const from = SCRIPTED_CONTACT * own;
    const at = GEOMETRY * c;
    const length = Math.sqrt(filled[from + 6] ** 2 + filled[from + 7] ** 2 + filled[from + 8] ** 2);
    let gap = 0;
    let off = 0;
    let turned = 0;
    let size = 0;
    for (let i = 0; i < 3; i++) {
      const [first, second] = [filled[from + i], filled[from + 3 + i]];
      const n = filled[from + 6 + i] / length;
      gap += n * (second - first);
      off = Math.max(off, Math.abs(g[at + i] - (first + second) / 2));
      turned = Math.max(turned, Math.abs(g[at + 3 + i] - n));
      size = Math.max(size, Math.abs(first), Math.abs(second));
    }
    if (sides.length === 1 && bodies[2 * c] !== STANDS) return 1;
    let arm = 0;
    for (let side = 0; side < sides.length; side++) {
      const { body } = sides[side];
      if (bodies[2 * c + side + (2 - sides.length)] !== body) return 1;
      if (body < 0) continue;
      arm = Math.max(arm, this.#armOf(body, g, at, q));
    }
    const scale = Math.max(arm, Math.abs(gap));
    off = Math.max(off, Math.abs(listed - gap));
    if (!(off <= ROUNDINGS * (size + scale))) return Math.min(1, off / scale);
    return turned <= ROUNDINGS ? 0 : Math.min(1, turned);
  }

  #armOf(body: number, g: Float64Array, at: number, q: Float64Array): number {
    const from = this.system.positionsAt[body];
    return Math.sqrt(
      (g[at] - q[from]) ** 2 + (g[at + 1] - q[from + 1]) ** 2 + (g[at + 2] - q[from + 2]) ** 2,
    );
  }
}
