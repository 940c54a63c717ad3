/**
 * How a row of the result moves, from the row alone and the forms of the model: positions by velocities,
 * states of first-order systems by M ẋ = f + r, velocities by M v̇ = F + ᵗC λ where multipliers are
 * forces, or by their change since the row before where they are impulses of steps.
 */
import { type FirstOrderForm, type LagrangianForm, positionsOf } from '../model/forms';
import { linkedPlaces, type NonSmoothDynamicalSystem, offsetsOf, velocitiesOf } from '../model/nsds';
import type { StatePlaces } from '../model/state-places';

/** A system with room for what its form is asked. */
interface Own {
  readonly form: FirstOrderForm | LagrangianForm;
  /** first place of x, or of q, in a row, first coordinate, and number of positions */
  readonly at: number;
  readonly first: number;
  readonly size: number;
  readonly x: Float64Array;
  readonly v: Float64Array;
  readonly rate: Float64Array;
  readonly force: Float64Array;
  /** room for a mass matrix, once it is asked for */
  mass: Float64Array | null;
}

/** An interaction likewise. */
interface Link {
  readonly relation: NonSmoothDynamicalSystem['interactions'][number]['relation'];
  /** first multiplier in a row, places of z among the positions, and of the inputs among the coordinates */
  readonly first: number;
  readonly positions: Int32Array;
  readonly coordinates: Int32Array;
  readonly z: Float64Array;
  readonly lambda: Float64Array;
  readonly input: Float64Array;
  readonly C: Float64Array;
  readonly D: Float64Array;
}

export class RowMotion {
  readonly #systems: readonly Own[];
  readonly #links: readonly Link[];
  readonly #input: Float64Array;
  readonly #clock = new Float64Array(1);
  #motion = new Float64Array(0);

  constructor(
    { systems, interactions }: NonSmoothDynamicalSystem,
    private readonly places: Pick<StatePlaces, 'q' | 'v' | 'ndof' | 'lambda'>,
  ) {
    let at = places.q;
    let first = 0;
    this.#systems = systems.map(({ form }): Own => {
      const size = positionsOf(form);
      const own: Own = {
        ...{ form, at, first, size },
        x: new Float64Array(size),
        v: new Float64Array(form.size),
        rate: new Float64Array(size),
        force: new Float64Array(form.size),
        mass: null,
      };
      at += size;
      first += form.size;
      return own;
    });
    this.#input = new Float64Array(first);
    const { positions, velocities } = offsetsOf({ systems });
    let row = places.lambda;
    this.#links = interactions.map(({ relation, systems: linked }): Link => {
      const columns = velocitiesOf(relation);
      const link: Link = {
        ...{ relation, first: row },
        positions: linkedPlaces(positions, linked),
        coordinates: linkedPlaces(velocities, linked),
        z: new Float64Array(relation.columns),
        lambda: new Float64Array(relation.size),
        input: new Float64Array(columns),
        C: new Float64Array(relation.size * columns),
        D: new Float64Array(relation.size * relation.size),
      };
      row += relation.size;
      return link;
    });
  }

  /**
   * The derivative of a row, zero where nothing is integrated; null where a mass matrix is singular.
   * @param accelerates whether velocities of second order are asked for; they are zero otherwise
   * @param before the row before, whose velocities tell; null where multipliers do
   */
  read(row: Float64Array, accelerates: boolean, before: Float64Array | null): Float64Array | null {
    if (this.#motion.length !== row.length) this.#motion = new Float64Array(row.length);
    const motion = this.#motion.fill(0);
    const { v: speeds } = this.places;
    this.#clock[0] = row[0];
    motion[0] = 1;
    this.#inputs(row, accelerates && before === null);
    for (const own of this.#systems) {
      const { form, at, first, size, x, v, rate } = own;
      for (let i = 0; i < size; i++) x[i] = row[at + i];
      for (let i = 0; i < form.size; i++) v[i] = row[speeds + first + i];
      if (form.order === 1) {
        form.rate(this.#clock, x, rate);
        for (let i = 0; i < size; i++) rate[i] += this.#input[first + i];
        if (form.mass !== null) {
          const mass = (own.mass ??= new Float64Array(size * size));
          mass.set(form.mass);
          if (!eliminate(mass, rate)) return null;
        }
        motion.set(rate, at);
        continue;
      }
      if (form.kinematics === undefined) motion.set(v, at);
      else {
        form.kinematics.rate(x, v, rate);
        motion.set(rate, at);
      }
      if (!accelerates) continue;
      if (before === null) {
        if (!this.#accelerations(own, form)) return null;
        motion.set(own.force, speeds + first);
      } else {
        const h = row[0] - before[0];
        for (let i = 0; i < form.size; i++)
          motion[speeds + first + i] = h > 0 ? (v[i] - before[speeds + first + i]) / h : 0;
      }
    }
    return motion;
  }

  /** v̇ of a system into its `force`. @returns false where its mass matrix is singular */
  #accelerations(own: Own, form: LagrangianForm): boolean {
    const { x, v, force, first } = own;
    const mass = (own.mass ??= new Float64Array(force.length * force.length));
    form.force(this.#clock, x, v, force);
    for (let i = 0; i < force.length; i++) force[i] += this.#input[first + i];
    form.mass(x, mass);
    return eliminate(mass, force);
  }

  /** r of first-order relations, and ᵗC λ of others where forces are asked for, by coordinate. */
  #inputs(row: Float64Array, hasForces: boolean): void {
    this.#input.fill(0);
    for (const { relation, first, positions, coordinates, z, lambda, input, C, D } of this.#links) {
      if (relation.order === 2 && !hasForces) continue;
      for (let k = 0; k < z.length; k++) z[k] = row[this.places.q + positions[k]];
      for (let r = 0; r < lambda.length; r++) lambda[r] = row[first + r];
      if (relation.order === 1) relation.input(this.#clock, z, lambda, input);
      else {
        relation.outputJacobians(this.#clock, z, lambda, C, D);
        input.fill(0);
        for (let r = 0; r < lambda.length; r++)
          for (let k = 0; k < input.length; k++) input[k] += C[r * input.length + k] * lambda[r];
      }
      for (let k = 0; k < input.length; k++) this.#input[coordinates[k]] += input[k];
    }
  }
}

/** x ← M⁻¹ x by elimination. @param M row-major, which is used up @returns false where it is singular */
function eliminate(M: Float64Array, x: Float64Array): boolean {
  const n = x.length;
  for (let k = 0; k < n; k++) {
    let p = k;
    for (let i = k; i < n; i++) if (Math.abs(M[i * n + k]) > Math.abs(M[p * n + k])) p = i;
    if (!(Math.abs(M[p * n + k]) > 0)) return false;
    for (let j = 0; j <= n; j++) {
      const one = j < n ? M[k * n + j] : x[k];
      if (j < n) {
        M[k * n + j] = M[p * n + j];
        M[p * n + j] = one;
      } else {
        x[k] = x[p];
        x[p] = one;
      }
    }
    for (let i = 0; i < n; i++) {
      if (i === k) continue;
      const factor = M[i * n + k] / M[k * n + k];
      for (let j = k; j < n; j++) M[i * n + j] -= factor * M[k * n + j];
      x[i] -= factor * x[k];
    }
  }
  for (let k = 0; k < n; k++) x[k] /= M[k * n + k];
  return true;
}
