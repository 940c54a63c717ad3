/** The relations as the certificate reads them: straight from the forms, at rows of the result. */
import type { NonSmoothDynamicalSystem } from '../model/nsds';
import type { StatePlaces } from '../simulation/layout';

export class LinkedRows {
  /** first row of each interaction; one more entry at the end */
  readonly offsets: Int32Array;
  readonly #dofs: readonly Int32Array[];
  readonly #z: readonly Float64Array[];
  readonly #C: readonly Float64Array[];
  readonly #D: readonly Float64Array[];
  readonly #lambda: readonly Float64Array[];
  readonly #inputs: readonly Float64Array[];
  readonly #rates: readonly Float64Array[];

  constructor(
    private readonly model: NonSmoothDynamicalSystem,
    private readonly places: StatePlaces,
  ) {
    const { systems, interactions } = model;
    const first = new Int32Array(systems.length + 1);
    systems.forEach(({ form }, s) => (first[s + 1] = first[s] + form.size));
    this.offsets = new Int32Array(interactions.length + 1);
    interactions.forEach(({ relation }, i) => (this.offsets[i + 1] = this.offsets[i] + relation.size));
    this.#dofs = interactions.map(({ systems: linked }) =>
      Int32Array.from(
        linked.flatMap((s) => Array.from({ length: systems[s].form.size }, (_, k) => first[s] + k)),
      ),
    );
    this.#z = interactions.map(({ relation }) => new Float64Array(relation.columns));
    this.#C = interactions.map(({ relation }) => new Float64Array(relation.size * relation.columns));
    this.#D = interactions.map(({ relation }) => new Float64Array(relation.size * relation.size));
    this.#lambda = interactions.map(({ relation }) => new Float64Array(relation.size));
    this.#inputs = interactions.map(({ relation }) => new Float64Array(relation.columns));
    this.#rates = interactions.map(({ relation }) => new Float64Array(relation.size));
  }

  #read(i: number, row: Float64Array, multipliers: Float64Array | null): void {
    const dofs = this.#dofs[i];
    for (let k = 0; k < dofs.length; k++) this.#z[i][k] = row[this.places.q + dofs[k]];
    const own = this.#lambda[i];
    for (let r = 0; r < own.length; r++) own[r] = multipliers === null ? 0 : multipliers[this.offsets[i] + r];
  }

  /** Adds ᵗC λ of Lagrangian relations (order 2) or g(t, x, λ) of first-order ones, by coordinate. */
  addInputs(
    clock: Float64Array,
    row: Float64Array,
    multipliers: Float64Array,
    order: 1 | 2,
    out: Float64Array,
  ): void {
    this.model.interactions.forEach(({ relation }, i) => {
      if (relation.order !== order) return;
      this.#read(i, row, multipliers);
      const dofs = this.#dofs[i];
      const z = this.#z[i];
      const own = this.#lambda[i];
      if (order === 1) {
        const r = this.#inputs[i];
        relation.input(clock, z, own, r);
        for (let k = 0; k < dofs.length; k++) out[dofs[k]] += r[k];
        return;
      }
      const C = this.#C[i];
      relation.outputJacobians(clock, z, own, C, this.#D[i]);
      for (let r = 0; r < relation.size; r++)
        for (let k = 0; k < dofs.length; k++) out[dofs[k]] += C[r * dofs.length + k] * own[r];
    });
  }

  /** ∂h/∂t of Lagrangian rows, 0 of others. */
  surfaceSpeeds(clock: Float64Array, row: Float64Array, out: Float64Array): void {
    out.fill(0);
    this.model.interactions.forEach(({ relation }, i) => {
      if (relation.order === 1 || !relation.isTimeDependent) return;
      this.#read(i, row, null);
      const rates = this.#rates[i];
      relation.timeDerivative(clock, this.#z[i], rates);
      out.set(rates, this.offsets[i]);
    });
  }
}
