/**
 * Equations of motion in the independent coordinates alone. From Φ_u ü + Φ_v v̈ = γ,
 *
 *     ü = Φ_u⁻¹ (γ − Φ_v v̈) = g + H v̈,   g = Φ_u⁻¹ γ,   H = −Φ_u⁻¹ Φ_v.
 *
 * The rows of M q̈ + ᵗΦ_q λ = Q for u give λ = ᵗΦ_u⁻¹ (Q_u − M_uu ü − M_uv v̈); put into those for v, with
 * ᵗΦ_v ᵗΦ_u⁻¹ = −ᵗH, they become
 *
 *     (M_vv + M_vu H + ᵗH (M_uv + M_uu H)) v̈ = Q_v + ᵗH Q_u − (M_vu + ᵗH M_uu) g.
 *
 * The DAE lecture notes, “Full Partitioning”. With N = [H; I], the velocities that the constraints allow,
 * this is ᵗN M N v̈ = ᵗN (Q − M [g; 0]), and that is how it is computed.
 */
import { factorLU, solveLU } from '../linalg/lu';
import {
  type Accelerations,
  type ConstrainedSystem,
  type MotionStatus,
  MotionTerms,
  allFinite,
} from './constrained-system';
import type { Partition } from './partition';

/* Blocks of a row-major matrix by lists of rows and columns, and the transposed solve of their factors. */

/** out ← a[rows, columns]. @param width columns of `a` @param rows null for 0 … rowCount − 1 */
function gatherBlock(
  a: Float64Array,
  width: number,
  rows: Int32Array | null,
  rowCount: number,
  columns: Int32Array,
  out: Float64Array,
): void {
  const count = columns.length;
  for (let i = 0; i < rowCount; i++) {
    const at = (rows === null ? i : rows[i]) * width;
    for (let j = 0; j < count; j++) out[i * count + j] = a[at + columns[j]];
  }
}

/**
 * Solves Aᵗ x = b in place with the factors P A = L U of `factorLU` at the start of `a`: Uᵗ y = b, Lᵗ P
 * x = y.
 * @param a n × n, row-major
 */
function solveTransposedLU(a: Float64Array, n: number, pivots: Int32Array, x: Float64Array): void {
  for (let i = 0; i < n; i++) {
    let sum = x[i];
    for (let j = 0; j < i; j++) sum -= a[j * n + i] * x[j];
    x[i] = sum / a[i * n + i];
  }
  for (let i = n - 1; i >= 0; i--) {
    let sum = x[i];
    for (let j = i + 1; j < n; j++) sum -= a[j * n + i] * x[j];
    x[i] = sum;
  }
  for (let i = n - 1; i >= 0; i--) {
    const pivot = pivots[i];
    if (pivot === i) continue;
    const value = x[i];
    x[i] = x[pivot];
    x[pivot] = value;
  }
}

export class ReducedAccelerations implements Accelerations {
  readonly #terms: MotionTerms;
  readonly #block: Float64Array;
  readonly #pivots: Int32Array;
  /** g, and columns of H while they are computed */
  readonly #column: Float64Array;
  /** N, n × f with f degrees of freedom, rows by coordinate */
  readonly #directions: Float64Array;
  /** M N */
  readonly #momenta: Float64Array;
  readonly #reduced: Float64Array;
  readonly #reducedPivots: Int32Array;
  readonly #right: Float64Array;

  constructor(
    readonly system: ConstrainedSystem,
    readonly partition: Partition,
  ) {
    const { size, rows } = system;
    const freedoms = size - rows;
    this.#terms = new MotionTerms(system);
    this.#block = new Float64Array(rows * rows);
    this.#pivots = new Int32Array(rows);
    this.#column = new Float64Array(rows);
    this.#directions = new Float64Array(size * freedoms);
    this.#momenta = new Float64Array(size * freedoms);
    this.#reduced = new Float64Array(freedoms * freedoms);
    this.#reducedPivots = new Int32Array(freedoms);
    this.#right = new Float64Array(freedoms);
  }

  solve(
    clock: Float64Array,
    q: Float64Array,
    v: Float64Array,
    acceleration: Float64Array,
    multipliers: Float64Array,
  ): MotionStatus {
    this.#terms.evaluate(clock, q, v);
    const status = this.#solveTerms(acceleration);
    if (status === 'ok') this.#findMultipliers(acceleration, multipliers);
    return status;
  }

  /**
   * Accelerations with the constraints from those without, a = M⁻¹ Q, where Q is known in this form only.
   * @param acceleration a on entry
   */
  constrain(clock: Float64Array, q: Float64Array, v: Float64Array, acceleration: Float64Array): MotionStatus {
    const { system } = this;
    const { size } = system;
    const { mass, jacobian, gamma, force } = this.#terms;
    system.mass(clock, q, mass);
    system.jacobian(clock, q, jacobian);
    system.gamma(clock, q, v, gamma);
    for (let i = 0; i < size; i++) {
      let sum = 0;
      for (let j = 0; j < size; j++) sum += mass[i * size + j] * acceleration[j];
      force[i] = sum;
    }
    return this.#solveTerms(acceleration);
  }

  /** q̈ of the terms that have been evaluated. */
  #solveTerms(acceleration: Float64Array): MotionStatus {
    const { size, rows } = this.system;
    const { dependent, independent } = this.partition;
    const freedoms = size - rows;
    const terms = this.#terms;
    const right = this.#right;
    if (!allFinite(terms.force) || !allFinite(terms.gamma) || !allFinite(terms.jacobian)) return 'notFinite';
    gatherBlock(terms.jacobian, size, null, rows, dependent, this.#block);
    if (!factorLU(this.#block, 0, rows, this.#pivots, 0)) return 'singularDependentBlock';
    this.#findDirections();
    // acceleration ← [g; 0]
    acceleration.fill(0);
    this.#column.set(terms.gamma);
    solveLU(this.#block, 0, rows, this.#pivots, 0, this.#column, 0);
    for (let k = 0; k < rows; k++) acceleration[dependent[k]] = this.#column[k];
    this.#reduce(acceleration);
    if (!factorLU(this.#reduced, 0, freedoms, this.#reducedPivots, 0)) return 'singularConstraints';
    solveLU(this.#reduced, 0, freedoms, this.#reducedPivots, 0, right, 0);
    for (let k = 0; k < freedoms; k++) acceleration[independent[k]] = right[k];
    for (let k = 0; k < rows; k++) {
      const i = dependent[k];
      for (let f = 0; f < freedoms; f++) acceleration[i] += this.#directions[i * freedoms + f] * right[f];
    }
    return allFinite(acceleration) ? 'ok' : 'notFinite';
  }

  /** N = [H; I] */
  #findDirections(): void {
    const { size, rows } = this.system;
    const { dependent, independent } = this.partition;
    const freedoms = size - rows;
    const column = this.#column;
    const directions = this.#directions;
    const { jacobian } = this.#terms;
    directions.fill(0);
    for (let f = 0; f < freedoms; f++) {
      for (let r = 0; r < rows; r++) column[r] = -jacobian[r * size + independent[f]];
      solveLU(this.#block, 0, rows, this.#pivots, 0, column, 0);
      for (let k = 0; k < rows; k++) directions[dependent[k] * freedoms + f] = column[k];
      directions[independent[f] * freedoms + f] = 1;
    }
  }

  /** ᵗN M N, and ᵗN (Q − M [g; 0]) as the right side. @param start [g; 0] */
  #reduce(start: Float64Array): void {
    const { size, rows } = this.system;
    const freedoms = size - rows;
    const { mass, force } = this.#terms;
    const directions = this.#directions;
    const momenta = this.#momenta;
    const right = this.#right;
    momenta.fill(0);
    right.fill(0);
    for (let i = 0; i < size; i++) {
      let rest = force[i];
      for (let j = 0; j < size; j++) {
        const entry = mass[i * size + j];
        if (entry === 0) continue;
        rest -= entry * start[j];
        for (let f = 0; f < freedoms; f++) momenta[i * freedoms + f] += entry * directions[j * freedoms + f];
      }
      for (let f = 0; f < freedoms; f++) right[f] += directions[i * freedoms + f] * rest;
    }
    const reduced = this.#reduced;
    reduced.fill(0);
    for (let i = 0; i < size; i++) {
      for (let f = 0; f < freedoms; f++) {
        const direction = directions[i * freedoms + f];
        if (direction === 0) continue;
        for (let g = 0; g < freedoms; g++) reduced[f * freedoms + g] += direction * momenta[i * freedoms + g];
      }
    }
  }

  /** λ = ᵗΦ_u⁻¹ (Q_u − M_uu ü − M_uv v̈) */
  #findMultipliers(acceleration: Float64Array, multipliers: Float64Array): void {
    const { size, rows } = this.system;
    const { dependent } = this.partition;
    const { mass, force } = this.#terms;
    for (let k = 0; k < rows; k++) {
      const i = dependent[k];
      let rest = force[i];
      for (let j = 0; j < size; j++) rest -= mass[i * size + j] * acceleration[j];
      multipliers[k] = rest;
    }
    solveTransposedLU(this.#block, rows, this.#pivots, multipliers);
  }
}

/*
 * Dependent positions and velocities from the independent ones:
 *
 *     Φ(u, v, t) = 0             by Newton's method, Φ_u Δu = −Φ
 *     Φ_u u̇ = −Φ_t − Φ_v v̇       one linear system
 *
 * The DAE lecture notes, “Simple Partitioning”.
 */

/**
 * A correction below this fraction of the largest coordinate, 1 m or 1 rad at least, is the last one:
 * convergence is quadratic, so that what it leaves is rounding.
 */
const LAST_CORRECTION = 1e-10;
/**
 * From the end of the last step Newton's method takes three to four iterations; one that takes this many does
 * not converge.
 */
const MAX_ITERATIONS = 25;

export class DependentCoordinates {
  readonly #jacobian: Float64Array;
  readonly #block: Float64Array;
  readonly #pivots: Int32Array;
  readonly #right: Float64Array;

  constructor(
    readonly system: ConstrainedSystem,
    readonly partition: Partition,
  ) {
    const { size, rows } = system;
    this.#jacobian = new Float64Array(rows * size);
    this.#block = new Float64Array(rows * rows);
    this.#pivots = new Int32Array(rows);
    this.#right = new Float64Array(rows);
  }

  /** Factorises Φ_u at q. */
  #factor(clock: Float64Array, q: Float64Array): boolean {
    const { size, rows } = this.system;
    this.system.jacobian(clock, q, this.#jacobian);
    gatherBlock(this.#jacobian, size, null, rows, this.partition.dependent, this.#block);
    return factorLU(this.#block, 0, rows, this.#pivots, 0);
  }

  /** @param q independent positions, and a guess of the dependent ones, which become the solution */
  position(clock: Float64Array, q: Float64Array): MotionStatus {
    const { rows, size } = this.system;
    const { dependent } = this.partition;
    const right = this.#right;
    for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
      this.system.position(clock, q, right);
      if (!allFinite(right) || !allFinite(q)) return 'notFinite';
      if (!this.#factor(clock, q)) return 'singularDependentBlock';
      solveLU(this.#block, 0, rows, this.#pivots, 0, right, 0);
      let scale = 1;
      for (let i = 0; i < size; i++) scale = Math.max(scale, Math.abs(q[i]));
      let correction = 0;
      for (let k = 0; k < rows; k++) {
        q[dependent[k]] -= right[k];
        correction = Math.max(correction, Math.abs(right[k]));
      }
      if (correction <= LAST_CORRECTION * scale) return 'ok';
    }
    return 'positionNotConverged';
  }

  /** @param v independent velocities; the dependent ones are filled in */
  velocity(clock: Float64Array, q: Float64Array, v: Float64Array): MotionStatus {
    const { rows, size } = this.system;
    const { dependent, independent } = this.partition;
    const right = this.#right;
    if (!this.#factor(clock, q)) return 'singularDependentBlock';
    this.system.timeDerivative(clock, q, right);
    for (let r = 0; r < rows; r++) {
      let sum = -right[r];
      for (let k = 0; k < independent.length; k++) {
        const i = independent[k];
        sum -= this.#jacobian[r * size + i] * v[i];
      }
      right[r] = sum;
    }
    solveLU(this.#block, 0, rows, this.#pivots, 0, right, 0);
    for (let k = 0; k < rows; k++) v[dependent[k]] = right[k];
    return allFinite(v) ? 'ok' : 'notFinite';
  }
}
