/** Forces of joints between bodies, from the multipliers of a row of the result. */
import { linkedSize, type NonSmoothDynamicalSystem, type Relation } from '../model/nsds';
import type { StateLayout } from './layout';

/** F_x, F_y, moment */
const COMPONENTS = 3;

interface Joint {
  readonly relation: Relation;
  /** coordinates of the linked bodies, by place in the row */
  readonly places: Int32Array;
  /** first multiplier and first component in the row */
  readonly lambda: number;
  readonly slot: number;
  readonly z: Float64Array;
  readonly multipliers: Float64Array;
}

export class JointForces {
  readonly #joints: Joint[] = [];
  readonly #clock = new Float64Array(1);
  readonly #out = new Float64Array(COMPONENTS);

  constructor({ systems, interactions }: NonSmoothDynamicalSystem, layout: StateLayout) {
    const first = new Int32Array(systems.length + 1);
    systems.forEach(({ form }, s) => (first[s + 1] = first[s] + form.size));
    let row = 0;
    let slot = layout.jointForces;
    for (const { relation, systems: linked } of interactions) {
      if (relation.jointForce !== undefined) {
        const places = linked.flatMap((s) =>
          Array.from({ length: systems[s].form.size }, (_, k) => layout.q + first[s] + k),
        );
        this.#joints.push({
          relation,
          places: Int32Array.from(places),
          lambda: layout.lambda + row,
          slot,
          z: new Float64Array(linkedSize(systems, linked)),
          multipliers: new Float64Array(relation.size),
        });
        slot += COMPONENTS;
      }
      row += relation.size;
    }
  }

  /** Fills the components of all joints in a row of the result. */
  write(row: Float64Array): void {
    this.#clock[0] = row[0];
    for (const { relation, places, lambda, slot, z, multipliers } of this.#joints) {
      for (let i = 0; i < z.length; i++) z[i] = row[places[i]];
      for (let i = 0; i < multipliers.length; i++) multipliers[i] = row[lambda + i];
      relation.jointForce?.(this.#clock, z, multipliers, this.#out);
      for (let i = 0; i < COMPONENTS; i++) row[slot + i] = this.#out[i];
    }
  }
}
