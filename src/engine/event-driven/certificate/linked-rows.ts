/** The relations as the certificate reads them: straight from the forms, at rows of the result. */
import { expandInto, type SparseRows, sparseFromDense, sparseFromPattern } from '../../linalg/sparse';
import { type FirstOrderForm, type Kinematics, type LagrangianForm, positionsOf } from '../../model/forms';
import {
  type DynamicalSystem,
  type NonSmoothDynamicalSystem,
  linkedPlaces,
  offsetsOf,
  positionsOfVelocities,
  velocitiesOf,
} from '../../model/nsds';
import type { StatePlaces } from '../../model/state-places';
import type { StepWriter } from '../../straight-line/writer';

/**
 * A linked system with an orientation: where its positions and velocities begin among those of all linked
 * ones.
 */
interface TurningPart {
  readonly kinematics: Kinematics;
  readonly position: number;
  readonly velocity: number;
}

function turningParts(systems: readonly DynamicalSystem[], linked: readonly number[]): TurningPart[] {
  let position = 0;
  let velocity = 0;
  const parts: TurningPart[] = [];
  for (const s of linked) {
    const { form } = systems[s];
    if (form.order === 2 && form.kinematics !== undefined)
      parts.push({ kinematics: form.kinematics, position, velocity });
    position += positionsOf(form);
    velocity += form.size;
  }
  return parts;
}

/** What the multiplier of a row does to a coordinate, per unit. */
export interface ConstantInput {
  readonly dof: number;
  readonly row: number;
  readonly value: number;
}

export class LinkedRows {
  /** first row of each interaction; one more entry at the end */
  readonly offsets: Int32Array;
  readonly #dofs: readonly Int32Array[];
  readonly #positions: readonly Int32Array[];
  /** index in z of the position that each velocity is the derivative of; −1 where there is none */
  readonly #own: readonly Int32Array[];
  readonly #turning: readonly (readonly TurningPart[])[];
  readonly #steps: readonly Float64Array[];
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
    const { positions, velocities } = offsetsOf(model);
    this.offsets = new Int32Array(interactions.length + 1);
    interactions.forEach(({ relation }, i) => (this.offsets[i + 1] = this.offsets[i] + relation.size));
    this.#dofs = interactions.map(({ systems: linked }) => linkedPlaces(velocities, linked));
    this.#positions = interactions.map(({ systems: linked }) => linkedPlaces(positions, linked));
    this.#own = interactions.map(({ systems: linked }) => positionsOfVelocities(systems, linked));
    this.#turning = interactions.map(({ systems: linked }) => turningParts(systems, linked));
    this.#steps = interactions.map(({ relation }) => new Float64Array(velocitiesOf(relation)));
    this.#z = interactions.map(({ relation }) => new Float64Array(relation.columns));
    this.#C = interactions.map(({ relation }) => new Float64Array(relation.size * velocitiesOf(relation)));
    this.#D = interactions.map(({ relation }) => new Float64Array(relation.size * relation.size));
    this.#lambda = interactions.map(({ relation }) => new Float64Array(relation.size));
    this.#inputs = interactions.map(({ relation }) => new Float64Array(relation.columns));
    this.#rates = interactions.map(({ relation }) => new Float64Array(relation.size));
  }

  #read(i: number, row: Float64Array, multipliers: Float64Array | null): void {
    const positions = this.#positions[i];
    for (let k = 0; k < positions.length; k++) this.#z[i][k] = row[this.places.q + positions[k]];
    const own = this.#lambda[i];
    for (let r = 0; r < own.length; r++) own[r] = multipliers === null ? 0 : multipliers[this.offsets[i] + r];
  }

  /**
   * Adds ᵗC λ of Lagrangian relations (order 2) or g(t, x, λ) of first-order ones, by coordinate.
   * @param terms receives Σ |C_rk λ_r| of Lagrangian relations as well: what cancels in `out`
   */
  addInputs(
    clock: Float64Array,
    row: Float64Array,
    multipliers: Float64Array,
    order: 1 | 2,
    out: Float64Array,
    terms: Float64Array | null = null,
  ): void {
    const { interactions } = this.model;
    for (let i = 0; i < interactions.length; i++) {
      const { relation } = interactions[i];
      if (relation.order !== order || (order === 2 && !this.#acts(i, multipliers))) continue;
      this.#read(i, row, multipliers);
      const dofs = this.#dofs[i];
      const z = this.#z[i];
      const own = this.#lambda[i];
      if (order === 1) {
        const r = this.#inputs[i];
        relation.input(clock, z, own, r);
        for (let k = 0; k < dofs.length; k++) out[dofs[k]] += r[k];
        continue;
      }
      const C = this.#C[i];
      relation.outputJacobians(clock, z, own, C, this.#D[i]);
      for (let r = 0; r < relation.size; r++)
        for (let k = 0; k < dofs.length; k++) {
          const term = C[r * dofs.length + k] * own[r];
          out[dofs[k]] += term;
          if (terms !== null) terms[dofs[k]] += Math.abs(term);
        }
    }
  }

  /** Entries of B, or ᵗC, of all relations; null where one of them is not constant. */
  constantInputs(): ConstantInput[] | null {
    const inputs: ConstantInput[] = [];
    for (const [i, { relation }] of this.model.interactions.entries()) {
      const { order, size, hasStateInput } = relation;
      const matrix = order === 2 ? relation.C : relation.B;
      if (matrix === null || hasStateInput) return null;
      const dofs = this.#dofs[i];
      for (let r = 0; r < size; r++)
        for (let k = 0; k < dofs.length; k++) {
          const value = order === 2 ? matrix[r * dofs.length + k] : matrix[k * size + r];
          inputs.push({ dof: dofs[k], row: this.offsets[i] + r, value });
        }
    }
    return inputs;
  }

  /** Whether any multiplier of an interaction is other than zero. */
  #acts(i: number, multipliers: Float64Array): boolean {
    for (let r = this.offsets[i]; r < this.offsets[i + 1]; r++) if (multipliers[r] !== 0) return true;
    return false;
  }

  /**
   * Σ |C_rk v_k| of row r of the Lagrangian interaction i into `out[0]`: what cancels in its speed.
   * @param out [1] Σ |C_rk|, [2] 0
   */
  speedTerms(i: number, r: number, clock: Float64Array, row: Float64Array, out: Float64Array): void {
    this.#read(i, row, null);
    const dofs = this.#dofs[i];
    const C = this.#C[i];
    this.model.interactions[i].relation.outputJacobians(clock, this.#z[i], this.#lambda[i], C, this.#D[i]);
    out.fill(0);
    for (let k = 0; k < dofs.length; k++) {
      const entry = Math.abs(C[r * dofs.length + k]);
      out[0] += entry * Math.abs(row[this.places.v + dofs[k]]);
      out[1] += entry;
    }
  }

  /**
   * Σ |C_rk z_k| + Σ |D_rs λ_s| of row r of interaction i into `out[0]`: what cancels in its output.
   * @param out [1] Σ |C_rk|, [2] |D_rr|
   */
  outputTerms(i: number, r: number, clock: Float64Array, row: Float64Array, out: Float64Array): void {
    this.#read(i, row, null);
    const own = this.#lambda[i];
    for (let s = 0; s < own.length; s++) own[s] = row[this.places.lambda + this.offsets[i] + s];
    const C = this.#C[i];
    const D = this.#D[i];
    const z = this.#z[i];
    this.model.interactions[i].relation.outputJacobians(clock, z, own, C, D);
    out.fill(0);
    const positions = this.#own[i];
    for (let k = 0; k < positions.length; k++) {
      const entry = Math.abs(C[r * positions.length + k]);
      // A turn by one radian, where a velocity is no derivative of a position.
      out[0] += entry * (positions[k] < 0 ? 1 : Math.abs(z[positions[k]]));
      out[1] += entry;
    }
    for (let s = 0; s < own.length; s++) out[0] += Math.abs(D[r * own.length + s] * own[s]);
    if (own.length > 0) out[2] = Math.abs(D[r * own.length + r]);
  }

  /**
   * ẏ = C v + ∂h/∂t of Lagrangian rows, 0 of others.
   * @param at row whose positions are taken
   * @param row whose velocities are taken
   * @param surfaces ∂h/∂t there
   */
  speeds(
    clock: Float64Array,
    at: Float64Array,
    row: Float64Array,
    surfaces: Float64Array,
    out: Float64Array,
  ): void {
    out.set(surfaces);
    const { interactions } = this.model;
    for (let i = 0; i < interactions.length; i++) {
      const { relation } = interactions[i];
      if (relation.order === 1) continue;
      this.#read(i, at, null);
      const dofs = this.#dofs[i];
      const C = this.#C[i];
      relation.outputJacobians(clock, this.#z[i], this.#lambda[i], C, this.#D[i]);
      for (let r = 0; r < relation.size; r++)
        for (let k = 0; k < dofs.length; k++)
          out[this.offsets[i] + r] += C[r * dofs.length + k] * row[this.places.v + dofs[k]];
    }
  }

  /** y of interaction i with the multipliers of the row. */
  output(i: number, clock: Float64Array, row: Float64Array, out: Float64Array): void {
    this.#read(i, row, null);
    const own = this.#lambda[i];
    for (let s = 0; s < own.length; s++) own[s] = row[this.places.lambda + this.offsets[i] + s];
    this.model.interactions[i].relation.output(clock, this.#z[i], own, out);
  }

  /** y of interaction i at q moved by s v. @param s s */
  outputAlong(i: number, clock: Float64Array, row: Float64Array, s: number, out: Float64Array): void {
    this.#read(i, row, null);
    const dofs = this.#dofs[i];
    const z = this.#z[i];
    const own = this.#own[i];
    const step = this.#steps[i];
    for (let k = 0; k < dofs.length; k++) {
      const displacement = s * row[this.places.v + dofs[k]];
      step[k] = own[k] < 0 ? displacement : 0;
      if (own[k] >= 0) z[own[k]] += displacement;
    }
    for (const { kinematics, position, velocity } of this.#turning[i])
      kinematics.displace(z, position, step, velocity);
    this.model.interactions[i].relation.output(clock, z, this.#lambda[i], out);
  }

  /** Interaction that a row is of. */
  interactionOf(row: number): number {
    return this.offsets.findIndex((_, i) => row < this.offsets[i + 1]);
  }

  /** Entries of a constant C of a row, with coordinates of velocities and places of positions. */
  entriesOf(row: number): (readonly [value: number, dof: number, position: number])[] {
    const i = this.interactionOf(row);
    const { C } = this.model.interactions[i].relation;
    const dofs = this.#dofs[i];
    const positions = this.#positions[i];
    const first = (row - this.offsets[i]) * dofs.length;
    return Array.from(dofs, (dof, k) => [C?.[first + k] ?? NaN, dof, positions[k]] as const).filter(
      ([value]) => value !== 0,
    );
  }

  /**
   * Writes `surfaceSpeeds`.
   * @param row name of the row of the result
   * @returns names by row, empty where the speed is zero
   */
  writeSurfaceSpeeds(w: StepWriter, clock: Float64Array, row: string): string[] {
    return this.model.interactions.flatMap(({ relation }, i) => {
      if (relation.order === 1 || !relation.isTimeDependent) return new Array<string>(relation.size).fill('');
      const [z, rates] = [w.bind(this.#z[i]), w.bind(this.#rates[i])];
      this.#positions[i].forEach((at, k) => {
        w.line(`${z}[${k}] = ${row}[${this.places.q + at}];`);
      });
      w.line(`${w.bind(relation)}.timeDerivative(${w.bind(clock)}, ${z}, ${rates});`);
      return Array.from({ length: relation.size }, (_, r) => w.constant(`${rates}[${r}]`));
    });
  }

  /** ∂h/∂t of Lagrangian rows, 0 of others. */
  surfaceSpeeds(clock: Float64Array, row: Float64Array, out: Float64Array): void {
    out.fill(0);
    const { interactions } = this.model;
    for (let i = 0; i < interactions.length; i++) {
      const { relation } = interactions[i];
      if (relation.order === 1 || !relation.isTimeDependent) continue;
      this.#read(i, row, null);
      const rates = this.#rates[i];
      relation.timeDerivative(clock, this.#z[i], rates);
      out.set(rates, this.offsets[i]);
    }
  }
}

/* The systems as the certificate reads them: masses and energies at rows of the result. */

interface Workspace {
  readonly mass: SparseRows;
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly force: Float64Array;
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

/** The same by rows; with all entries, row-major, where it depends on q. */
export function massRowsOf(form: FirstOrderForm | LagrangianForm): SparseRows {
  const n = form.size;
  if (form.order === 1) return sparseFromDense(massOf(form), n, n);
  if (form.constantMass !== null) return form.constantMass;
  const all = Array.from({ length: n }, (_, j) => j);
  return sparseFromPattern(all.map(() => all));
}

export class SystemTerms {
  /** first coordinate of each system; one more entry at the end */
  readonly offsets: Int32Array;
  /** likewise of positions */
  readonly positions: Int32Array;
  readonly #work: readonly Workspace[];

  constructor(
    private readonly model: NonSmoothDynamicalSystem,
    private readonly places: StatePlaces,
  ) {
    const { systems } = model;
    ({ positions: this.positions, velocities: this.offsets } = offsetsOf(model));
    this.#work = systems.map(({ form }) => {
      const n = form.size;
      return {
        mass: massRowsOf(form),
        q: new Float64Array(positionsOf(form)),
        v: new Float64Array(n),
        force: new Float64Array(n),
      };
    });
  }

  #read(s: number, row: Float64Array): void {
    const { q, v } = this.#work[s];
    for (let k = 0; k < q.length; k++) q[k] = row[this.places.q + this.positions[s] + k];
    for (let k = 0; k < v.length; k++) v[k] = row[this.places.v + this.offsets[s] + k];
  }

  /** M at the coordinates that were read. */
  #mass(s: number): SparseRows {
    const { form } = this.model.systems[s];
    const { mass, q } = this.#work[s];
    if (form.order === 2 && form.constantMass === null) form.mass(q, mass.values);
    return mass;
  }

  /** M (v⁺ − v⁻) of a Lagrangian system into `out`. @returns the largest |M_ij v_j| */
  momentum(s: number, before: Float64Array, after: Float64Array, out: Float64Array): number {
    this.#read(s, after);
    const mass = this.#mass(s);
    const n = this.#work[s].v.length;
    const first = this.offsets[s];
    const { v } = this.places;
    let scale = 0;
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let k = mass.rowStart[i]; k < mass.rowStart[i + 1]; k++) {
        const m = mass.values[k];
        const minus = before[v + first + mass.columns[k]];
        const plus = after[v + first + mass.columns[k]];
        sum += m * (plus - minus);
        scale = Math.max(scale, Math.abs(m * plus), Math.abs(m * minus));
      }
      out[first + i] = sum;
    }
    return scale;
  }

  /** The largest |F_k| on the Lagrangian systems that an interaction links, without interactions. */
  largestForce(interaction: number, clock: Float64Array, row: Float64Array): number {
    let largest = 0;
    for (const s of this.model.interactions[interaction].systems) {
      const { form } = this.model.systems[s];
      if (form.order === 1) continue;
      this.#read(s, row);
      const { q, v, force } = this.#work[s];
      form.force(clock, q, v, force);
      for (let k = 0; k < force.length; k++) largest = Math.max(largest, Math.abs(force[k]));
    }
    return largest;
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
      for (let i = 0; i < n; i++)
        for (let k = mass.rowStart[i]; k < mass.rowStart[i + 1]; k++)
          sum += 0.5 * v[i] * mass.values[k] * v[mass.columns[k]];
    }
    return sum;
  }
}
