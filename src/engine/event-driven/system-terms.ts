/** The systems as the certificate reads them: masses and energies at rows of the result. */
import { expandInto } from '../linalg/sparse-build';
import type { FirstOrderForm, LagrangianForm } from '../model/forms';
import type { NonSmoothDynamicalSystem } from '../model/nsds';
import type { StatePlaces } from '../model/state-places';

interface Workspace {
  readonly mass: Float64Array;
  readonly q: Float64Array;
  readonly v: Float64Array;
}

/** M of a system, row-major; room for it where it depends on q. */
export function massOf(form: FirstOrderForm | LagrangianForm): Float64Array {
  const n = form.size;
  const mass = new Float64Array(n * n);
  if (form.order === 2 && form.constantMass !== null) expandInto(form.constantMass, n, mass);
  else if (form.order === 1 && form.mass !== null) mass.set(form.mass);
  else if (form.order === 1) for (let k = 0; k < n; k++) mass[k * n + k] = 1;
  return mass;
}

export class SystemTerms {
  /** first coordinate of each system; one more entry at the end */
  readonly offsets: Int32Array;
  readonly #work: readonly Workspace[];

  constructor(
    private readonly model: NonSmoothDynamicalSystem,
    private readonly places: StatePlaces,
  ) {
    const { systems } = model;
    this.offsets = new Int32Array(systems.length + 1);
    systems.forEach(({ form }, s) => (this.offsets[s + 1] = this.offsets[s] + form.size));
    this.#work = systems.map(({ form }) => {
      const n = form.size;
      return { mass: massOf(form), q: new Float64Array(n), v: new Float64Array(n) };
    });
  }

  #read(s: number, row: Float64Array): void {
    const { q, v } = this.#work[s];
    const first = this.offsets[s];
    for (let k = 0; k < q.length; k++) {
      q[k] = row[this.places.q + first + k];
      v[k] = row[this.places.v + first + k];
    }
  }

  /** M at the coordinates that were read. */
  #mass(s: number): Float64Array {
    const { form } = this.model.systems[s];
    const { mass, q } = this.#work[s];
    if (form.order === 2 && form.constantMass === null) form.mass(q, mass);
    return mass;
  }

  /** M (v⁺ − v⁻) of a Lagrangian system into `out`. @returns the largest |M_ij v_j| */
  momentum(s: number, before: Float64Array, after: Float64Array, out: Float64Array): number {
    this.#read(s, after);
    const mass = this.#mass(s);
    const n = this.#work[s].q.length;
    const first = this.offsets[s];
    const { v } = this.places;
    let scale = 0;
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let j = 0; j < n; j++) {
        const m = mass[i * n + j];
        const minus = before[v + first + j];
        const plus = after[v + first + j];
        sum += m * (plus - minus);
        scale = Math.max(scale, Math.abs(m * plus), Math.abs(m * minus));
      }
      out[first + i] = sum;
    }
    return scale;
  }

  /** ½ vᵗ M v of all Lagrangian systems, J, in the coordinates of the model. */
  kineticEnergy(row: Float64Array): number {
    let sum = 0;
    for (let s = 0; s < this.model.systems.length; s++) {
      if (this.model.systems[s].form.order === 1) continue;
      this.#read(s, row);
      const mass = this.#mass(s);
      const { v } = this.#work[s];
      const n = v.length;
      for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) sum += 0.5 * v[i] * mass[i * n + j] * v[j];
    }
    return sum;
  }
}
