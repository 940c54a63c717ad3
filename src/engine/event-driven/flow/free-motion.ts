/**
 * The motion without interactions. Of a Lagrangian system q̇ = v, v̇ = M(q)⁻¹ F(t, q, v); of a first-order
 * one ẋ = M⁻¹ f(t, x). Where coordinates are measured from a base c(t), v̇ = M⁻¹F − c̈. Masses are factored
 * once where they are constant, and at each call where they depend on q.
 */
import { factorDense, solveDense } from '../../linalg/lu';
import { expandInto, type SparseRows } from '../../linalg/sparse';
import {
  type BaseMotion,
  type FirstOrderForm,
  type Kinematics,
  type LagrangianForm,
  positionsOf,
} from '../../model/forms';
import { type NonSmoothDynamicalSystem, offsetsOf } from '../../model/nsds';
import { extrapolated } from '../../model/relation-drift';
import type { StepWriter } from '../../straight-line/writer';

/*
 * Acceleration c̈ of a base that coordinates are measured from. Where a form gives only c and ċ, c̈ is the
 * derivative of ċ by two central differences, with the same choice between them as in `relation-drift.ts`,
 *
 *     D₁ = (ċ(t + δ) − ċ(t − δ)) / 2δ,     D₂ = (ċ(t + 2δ) − ċ(t − 2δ)) / 4δ,
 *     c̈ = D₁ + (D₁ − D₂)/3  (order 4).
 *
 * Across a jump of c̈ it is D₁, the mean of c̈ over 2δ: velocity and position behind the jump are what they
 * are with the jump itself, because the mean is symmetric about it. That fails where the motion begins within
 * 2δ of a jump, as a cam does that starts at the end of a piece; so up to 2δ behind the start nothing from
 * before it is used,
 *
 *     c̈ = (−25 ċ(t) + 48 ċ(t + δ) − 36 ċ(t + 2δ) + 16 ċ(t + 3δ) − 3 ċ(t + 4δ)) / 12δ  (order 4).
 */

/** Weights of the differences from the start, to be divided by δ. */
const FORWARD = Float64Array.of(-25 / 12, 4, -3, 4 / 3, -1 / 4);

class BaseAcceleration {
  readonly #before: Float64Array;
  readonly #near: Float64Array;
  readonly #far: Float64Array;
  readonly #clock = new Float64Array(1);

  constructor(
    private readonly base: BaseMotion,
    size: number,
    /** δ, s */
    private readonly difference: number,
    /** time at which the motion begins, s */
    private readonly start: number,
  ) {
    this.#before = new Float64Array(size);
    this.#near = new Float64Array(size);
    this.#far = new Float64Array(size);
  }

  /** out −= c̈(t) */
  subtract(clock: Float64Array, out: Float64Array): void {
    const { acceleration } = this.base;
    if (acceleration !== undefined) {
      acceleration(clock, this.#near);
      for (let k = 0; k < out.length; k++) out[k] -= this.#near[k];
      return;
    }
    if (clock[0] - this.start < 2 * this.difference) {
      this.#subtractForward(clock, out);
      return;
    }
    const near = this.#near;
    const far = this.#far;
    this.#differentiate(clock, 2 * this.difference, far);
    this.#differentiate(clock, this.difference, near);
    for (let k = 0; k < out.length; k++) out[k] -= extrapolated(near[k], far[k]);
  }

  #subtractForward(clock: Float64Array, out: Float64Array): void {
    const values = this.#near;
    for (let step = 0; step < FORWARD.length; step++) {
      this.#clock[0] = clock[0] + step * this.difference;
      this.base.velocity(this.#clock, values);
      for (let k = 0; k < out.length; k++) out[k] -= (FORWARD[step] * values[k]) / this.difference;
    }
  }

  #differentiate(clock: Float64Array, s: number, out: Float64Array): void {
    const before = this.#before;
    this.#clock[0] = clock[0] - s;
    const start = this.#clock[0];
    this.base.velocity(this.#clock, before);
    this.#clock[0] = clock[0] + s;
    this.base.velocity(this.#clock, out);
    // Divided by the distance that rounding of the times has left.
    const distance = this.#clock[0] - start;
    for (let k = 0; k < out.length; k++) out[k] = (out[k] - before[k]) / distance;
  }
}

/** One system with its workspace. */
interface Member {
  readonly form: FirstOrderForm | LagrangianForm;
  /** the form without the forces of time of which it says what they are */
  readonly steady: FirstOrderForm | LagrangianForm;
  /** place in x of its first position */
  readonly first: number;
  /** its first coordinate */
  readonly coordinate: number;
  /** place in x of its rates of velocity, or of state */
  readonly rate: number;
  /** null where q̇ = v */
  readonly kinematics: Kinematics | null;
  readonly size: number;
  /** a constant diagonal mass; null when the mass is none */
  readonly diagonal: Float64Array | null;
  /** reciprocals of it */
  readonly inverse: Float64Array | null;
  /** factors, column by column; empty where `inverse` is used */
  readonly factors: Float64Array;
  readonly pivots: Int32Array;
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly work: Float64Array;
  readonly rates: Float64Array;
  /** room for Jacobians by position and by velocity; null until they are asked for */
  jacobians: readonly [Float64Array, Float64Array] | null;
  readonly isConstant: boolean;
  /** null where coordinates are not measured from a base that moves */
  readonly base: BaseAcceleration | null;
}

/** Diagonal of a matrix without other entries; null when it has some. @param a n × n */
function diagonalOf(a: Float64Array, n: number): Float64Array | null {
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) if (i !== j && a[i * n + j] !== 0) return null;
  return Float64Array.from({ length: n }, (_, i) => a[i * n + i]);
}

function transpose(a: Float64Array, n: number): Float64Array {
  return Float64Array.from({ length: n * n }, (_, k) => a[(k % n) * n + Math.floor(k / n)]);
}

/** The mass where it is constant, row-major, else null. */
function constantMass(form: FirstOrderForm | LagrangianForm): Float64Array | null {
  const n = form.size;
  if (form.order === 2) {
    if (form.constantMass === null) return null;
    const dense = new Float64Array(n * n);
    expandInto(form.constantMass, n, dense);
    return dense;
  }
  return form.mass ?? Float64Array.from({ length: n * n }, (_, k) => (k % (n + 1) === 0 ? 1 : 0));
}

export class FreeMotion {
  /** whether no mass depends on q */
  readonly isConstant: boolean;
  /** whether `rateJacobian` knows ∂ẋ/∂x: no mass depends on q, and q̇ = v */
  readonly hasJacobian: boolean;
  /** number of the system whose mass is singular; −1 when none is */
  singular = -1;
  /**
   * forces by coordinate in place of those of which the forms say what they are, where their effect is asked
   * for; null otherwise
   */
  probe: Float64Array | null = null;
  readonly #members: readonly Member[];
  #dense = new Float64Array(0);

  constructor(
    model: NonSmoothDynamicalSystem,
    places: IntegratedPlaces,
    /** δ of the differences that replace derivatives which no form gives, s */
    private readonly difference: number,
    /** time at which the motion begins, s */
    private readonly start: number,
  ) {
    this.#members = model.systems.map(({ form }, s) => this.#prepare(form, s, places));
    this.isConstant = this.#members.every(({ isConstant }) => isConstant);
    this.hasJacobian = this.isConstant && this.#members.every(({ kinematics }) => kinematics === null);
  }

  #prepare(form: FirstOrderForm | LagrangianForm, s: number, places: IntegratedPlaces): Member {
    const n = form.size;
    const first = places.positionOffsets[s];
    const coordinate = places.offsets[s];
    const mass = constantMass(form);
    const base = form.order === 2 && form.linear !== null ? form.linear.base : null;
    const diagonal = mass === null ? null : diagonalOf(mass, n);
    const factors = mass === null || diagonal !== null ? new Float64Array(0) : transpose(mass, n);
    const pivots = new Int32Array(n);
    if (diagonal?.some((m) => m === 0) === true) this.singular = s;
    if (factors.length > 0 && factorDense(factors, 0, n, pivots, 0) >= 0) this.singular = s;
    return {
      form,
      steady: form.analytic?.steady ?? form,
      first,
      coordinate,
      rate: n > 0 ? places.velocity[coordinate] : 0,
      kinematics: form.order === 2 ? (form.kinematics ?? null) : null,
      size: n,
      diagonal,
      inverse: diagonal === null ? null : diagonal.map((m) => 1 / m),
      factors: mass === null ? new Float64Array(n * n) : factors,
      pivots,
      q: new Float64Array(positionsOf(form)),
      v: new Float64Array(n),
      work: new Float64Array(n),
      rates: new Float64Array(positionsOf(form)),
      jacobians: null,
      isConstant: mass !== null,
      base: base === null ? null : new BaseAcceleration(base, n, this.difference, this.start),
    };
  }

  /**
   * Factors the masses that depend on q, at the state x.
   * @returns whether all are regular; otherwise `singular` says which is not
   */
  updateMasses(x: Float64Array): boolean {
    for (let s = 0; s < this.#members.length; s++) {
      const { form, isConstant, factors, pivots, q, first, size } = this.#members[s];
      if (isConstant || form.order === 1) continue;
      for (let k = 0; k < q.length; k++) q[k] = x[first + k];
      form.mass(q, factors);
      if (factorDense(factors, 0, size, pivots, 0) < 0) continue;
      this.singular = s;
      return false;
    }
    return true;
  }

  /** The form of a model that is one system ẋ = f(t, x); null of others. */
  get single(): FirstOrderForm | null {
    if (this.#members.length !== 1) return null;
    const [{ form, inverse }] = this.#members;
    const isPlain =
      form.order === 1 && form.analytic === undefined && inverse?.every((m) => m === 1) === true;
    return isPlain ? form : null;
  }

  /** ẋ without interactions into `out`, with the masses of the last `updateMasses`. */
  rate(clock: Float64Array, x: Float64Array, out: Float64Array): void {
    for (let s = 0; s < this.#members.length; s++) {
      const member = this.#members[s];
      const { first, coordinate, rate, size, q, v, work, kinematics } = member;
      const { probe } = this;
      const form = probe === null ? member.form : member.steady;
      for (let k = 0; k < q.length; k++) q[k] = x[first + k];
      if (form.order === 2) {
        for (let k = 0; k < size; k++) v[k] = x[rate + k];
        if (kinematics === null) for (let k = 0; k < size; k++) out[first + k] = v[k];
        else this.#turn(member, kinematics, out);
        form.force(clock, q, v, work);
      } else {
        form.rate(clock, q, work);
      }
      if (probe !== null) for (let k = 0; k < size; k++) work[k] += probe[coordinate + k];
      this.#solve(member, work);
      member.base?.subtract(clock, work);
      for (let k = 0; k < size; k++) out[rate + k] = work[k];
    }
  }

  /** Writes q̇ = T(q) v. */
  #turn({ first, q, v, rates }: Member, kinematics: Kinematics, out: Float64Array): void {
    kinematics.rate(q, v, rates);
    for (let k = 0; k < rates.length; k++) out[first + k] = rates[k];
  }

  /**
   * ∂ẋ/∂x without interactions, where no mass depends on q and q̇ = v.
   * @param out entry [i, j] at [i + n j], n the length of x
   */
  rateJacobian(clock: Float64Array, x: Float64Array, out: Float64Array): void {
    const n = x.length;
    out.fill(0);
    for (let s = 0; s < this.#members.length; s++) {
      const member = this.#members[s];
      const { form, first, rate, size, q, v, work } = member;
      for (let k = 0; k < size; k++) q[k] = x[first + k];
      member.jacobians ??= [new Float64Array(size * size), new Float64Array(size * size)];
      const [byPosition, byVelocity] = member.jacobians;
      if (form.order === 1) {
        form.rateJacobian(clock, q, byPosition);
        if (member.inverse !== null) {
          for (let k = 0; k < size; k++)
            for (let j = 0; j < size; j++)
              out[rate + k + n * (first + j)] = member.inverse[k] * byPosition[k * size + j];
          continue;
        }
      } else {
        for (let k = 0; k < size; k++) {
          v[k] = x[rate + k];
          out[first + k + n * (rate + k)] = 1;
        }
        form.forceJacobians(clock, q, v, byPosition, byVelocity);
      }
      for (let j = 0; j < size; j++) {
        for (let k = 0; k < size; k++) work[k] = byPosition[k * size + j];
        this.#solve(member, work);
        for (let k = 0; k < size; k++) out[rate + k + n * (first + j)] = work[k];
        if (form.order === 1) continue;
        for (let k = 0; k < size; k++) work[k] = byVelocity[k * size + j];
        this.#solve(member, work);
        for (let k = 0; k < size; k++) out[rate + k + n * (rate + j)] = work[k];
      }
    }
  }

  #solve({ inverse, factors, pivots, size }: Member, b: Float64Array): void {
    if (inverse === null) solveDense(factors, 0, size, pivots, 0, b);
    else for (let k = 0; k < size; k++) b[k] *= inverse[k];
  }

  /**
   * M⁻¹ of one system applied to a part of an array.
   * @param values replaced from `at` on, as many as the system has coordinates
   */
  applyInverse(system: number, values: Float64Array, at: number): void {
    const member = this.#members[system];
    const { work, size } = member;
    for (let k = 0; k < size; k++) work[k] = values[at + k];
    this.#solve(member, work);
    for (let k = 0; k < size; k++) values[at + k] = work[k];
  }

  /**
   * ½ vᵗ M v of the Lagrangian systems into `out[0]`, v with the velocity of the base motion where there is
   * one.
   */
  kineticEnergy(clock: Float64Array, x: Float64Array, out: Float64Array): void {
    let sum = 0;
    for (let s = 0; s < this.#members.length; s++) {
      const { form, first, rate, size, q, v, work, diagonal } = this.#members[s];
      if (form.order === 1) continue;
      const { constantMass: mass } = form;
      for (let k = 0; k < size; k++) v[k] = x[rate + k];
      const base = form.linear === null ? null : form.linear.base;
      if (base !== null) {
        base.velocity(clock, work);
        for (let k = 0; k < size; k++) v[k] += work[k];
      }
      if (diagonal !== null) {
        for (let k = 0; k < size; k++) sum += 0.5 * diagonal[k] * v[k] * v[k];
        continue;
      }
      if (mass !== null) {
        for (let i = 0; i < size; i++) {
          for (let k = mass.rowStart[i]; k < mass.rowStart[i + 1]; k++)
            sum += 0.5 * v[i] * mass.values[k] * v[mass.columns[k]];
        }
        continue;
      }
      for (let k = 0; k < q.length; k++) q[k] = x[first + k];
      const dense = this.#massOf(form, q);
      for (let i = 0; i < size; i++) {
        work[i] = 0;
        for (let j = 0; j < size; j++) work[i] += dense[i * size + j] * v[j];
        sum += 0.5 * v[i] * work[i];
      }
    }
    out[0] = sum;
  }

  #massOf(form: LagrangianForm, q: Float64Array): Float64Array {
    const length = form.size * form.size;
    if (this.#dense.length !== length) this.#dense = new Float64Array(length);
    form.mass(q, this.#dense);
    return this.#dense;
  }

  /**
   * Elastic energy ½ uᵗ K u of the Lagrangian systems with linear forces into `out[0]`, u with the base
   * motion.
   */
  potentialEnergy(clock: Float64Array, x: Float64Array, out: Float64Array): void {
    let sum = 0;
    for (let s = 0; s < this.#members.length; s++) {
      const { form, first, size, q, work } = this.#members[s];
      if (form.order === 1 || form.linear === null || form.linear.stiffness === null) continue;
      const { stiffness, base } = form.linear;
      for (let k = 0; k < size; k++) q[k] = x[first + k];
      if (base !== null) {
        base.position(clock, work);
        for (let k = 0; k < size; k++) q[k] += work[k];
      }
      for (let i = 0; i < size; i++) {
        for (let k = stiffness.rowStart[i]; k < stiffness.rowStart[i + 1]; k++)
          sum += 0.5 * q[i] * stiffness.values[k] * q[stiffness.columns[k]];
      }
    }
    out[0] = sum;
  }

  /**
   * Writes both energies.
   * @param x names of the components of the state
   * @returns their names; null where masses or forces are not constant in coordinates at rest
   */
  writeEnergies(w: StepWriter, x: readonly string[]): { kinetic: string; potential: string } | null {
    const kinetic: string[] = [];
    const potential: string[] = [];
    for (const { form, first, rate, size, diagonal } of this.#members) {
      if (form.order === 1) continue;
      const { constantMass: mass, linear } = form;
      if (mass === null || linear === null || linear.base !== null) return null;
      for (let i = 0; i < size; i++) {
        const v = x[rate + i];
        if (diagonal !== null) kinetic.push(`0.5 * ${w.literal(diagonal[i])} * ${v} * ${v}`);
        else addProducts(w, kinetic, mass, i, (k) => x[rate + k]);
        if (linear.stiffness !== null) addProducts(w, potential, linear.stiffness, i, (k) => x[first + k]);
      }
    }
    const sum = (terms: readonly string[]): string => w.constant(terms.join(' + ') || '0');
    return { kinetic: sum(kinetic), potential: sum(potential) };
  }
}

/** ½ z_i a_ij z_j of a row of a matrix. */
function addProducts(
  w: StepWriter,
  terms: string[],
  { rowStart, columns, values }: SparseRows,
  i: number,
  name: (k: number) => string,
): void {
  for (let k = rowStart[i]; k < rowStart[i + 1]; k++)
    terms.push(`0.5 * ${name(i)} * ${w.literal(values[k])} * ${name(columns[k])}`);
}

/*
 * The state that is integrated between events: positions q of all systems (first-order states among them),
 * followed by the velocities of the Lagrangian ones,
 *
 *     x = q | v,   x length = number of positions + degrees of freedom of Lagrangian systems.
 *
 * Coordinates are counted by velocities, and first-order states count as one each. Where q̇ = v, which is
 * everywhere but in bodies with an orientation, a coordinate is a position, too, and its place in x.
 */

export interface IntegratedPlaces {
  /** length of x */
  readonly size: number;
  /** number of coordinates */
  readonly coordinates: number;
  /** number of positions, which stand first in x */
  readonly positions: number;
  /** first coordinate of each system; one more entry at the end */
  readonly offsets: Int32Array;
  /** place in x of the first position of each system; one more entry at the end */
  readonly positionOffsets: Int32Array;
  /** place in x of the position that is a coordinate; −1 of a coordinate that has none */
  readonly position: Int32Array;
  /** place in x of the velocity of each coordinate; of a first-order state, its own place */
  readonly velocity: Int32Array;
}

export function placeIntegrated(model: NonSmoothDynamicalSystem): IntegratedPlaces {
  const { positions: positionOffsets, velocities: offsets } = offsetsOf(model);
  const coordinates = offsets[model.systems.length];
  const positions = positionOffsets[model.systems.length];
  const position = new Int32Array(coordinates);
  const velocity = new Int32Array(coordinates);
  let size = positions;
  model.systems.forEach(({ form }, s) => {
    const kinematics = form.order === 2 ? form.kinematics : undefined;
    for (let k = 0; k < form.size; k++) {
      const own = kinematics === undefined ? k : kinematics.position[k];
      const dof = offsets[s] + k;
      position[dof] = own < 0 ? -1 : positionOffsets[s] + own;
      velocity[dof] = form.order === 2 ? size++ : position[dof];
    }
  });
  return { size, coordinates, positions, offsets, positionOffsets, position, velocity };
}
