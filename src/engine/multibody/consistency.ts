/**
 * Consistency of a state with the constraints, Φ = 0 and Φ_q q̇ = −Φ_t, without which the index-reduced
 * equations carry the violation along for ever. The DAE lecture notes, “Kinematic consistency”.
 */
import { EngineError } from '../errors';
import { factorLU, solveLU } from '../linalg/lu';
import {
  type ConstrainedSystem,
  type MotionStatus,
  addConstraintRate,
  allFinite,
} from './constrained-system';

/*
 * Projection onto the constraints in the metric of M, which moves heavy bodies less than light ones:
 *
 *     positions   min ½ (q − q̃)ᵗ M (q − q̃)   subject to Φ(t, q) = 0
 *     velocities  min ½ (q̇ − ṽ)ᵗ M (q̇ − ṽ)   subject to Φ_q q̇ = −Φ_t
 *
 * The velocity is one linear system. The position is iterated on the conditions M (q − q̃) + ᵗΦ_q μ = 0,
 * Φ = 0, in which the second derivative of Φ is left out of the matrix: it is multiplied by μ, which is as
 * small as the violation. Hairer and Wanner 1996 §VII.2.
 */

/*
 * The linear system of everything that is constrained,
 *
 *     [ M   ᵗΦ_q ] [x]   [a]
 *     [ Φ_q  0   ] [μ] = [b]
 *
 * accelerations and joint forces (the DAE lecture notes, “Forward Dynamics”), and projections in the metric
 * of M. It is scaled before it is factorised: with D = diag(M)^(−½) the masses become 1, and with R the rows
 * of Φ_q D get the length 1, so that what counts as singular depends neither on units nor on how a constraint
 * is written:
 *
 *     [ D M D   Dᵗ Φ_q R ] [D⁻¹ x]   [D a]
 *     [ R Φ_q D   0      ] [R⁻¹ μ] = [R b].
 */

/**
 * Pivots of the scaled matrix are of the order 1, but for constraints that depend on one another; below this
 * one, no more than four digits of the answer are left.
 */
const SINGULAR = 1e-12;

export class SaddlePoint {
  readonly #matrix: Float64Array;
  readonly #right: Float64Array;
  readonly #pivots: Int32Array;
  /** diagonals of D and R */
  readonly #scale: Float64Array;

  /** @param size n, length of x @param rows m, length of μ */
  constructor(
    readonly size: number,
    readonly rows: number,
  ) {
    const all = size + rows;
    this.#matrix = new Float64Array(all * all);
    this.#right = new Float64Array(all);
    this.#pivots = new Int32Array(all);
    this.#scale = new Float64Array(all);
  }

  /**
   * @param mass n × n @param jacobian m × n, both row-major
   * @returns false when the constraints depend on one another to rounding, or M is not positive
   */
  factor(mass: Float64Array, jacobian: Float64Array): boolean {
    const { size, rows } = this;
    const all = size + rows;
    const matrix = this.#matrix;
    const scale = this.#scale;
    for (let i = 0; i < size; i++) {
      const diagonal = mass[i * size + i];
      if (!(diagonal > 0)) return false;
      scale[i] = 1 / Math.sqrt(diagonal);
    }
    for (let r = 0; r < rows; r++) {
      let sum = 0;
      for (let i = 0; i < size; i++) {
        const value = jacobian[r * size + i] * scale[i];
        sum += value * value;
      }
      if (!(sum > 0)) return false;
      scale[size + r] = 1 / Math.sqrt(sum);
    }
    matrix.fill(0);
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < size; j++) matrix[i * all + j] = mass[i * size + j] * scale[i] * scale[j];
      for (let r = 0; r < rows; r++) {
        const value = jacobian[r * size + i] * scale[i] * scale[size + r];
        matrix[i * all + size + r] = value;
        matrix[(size + r) * all + i] = value;
      }
    }
    if (!factorLU(matrix, 0, all, this.#pivots, 0)) return false;
    for (let i = 0; i < all; i++) if (!(Math.abs(matrix[i * all + i]) > SINGULAR)) return false;
    return true;
  }

  /**
   * @param top a
   * @param bottom b
   * @param x,multipliers the answer; may be the same arrays as the right sides
   */
  solve(top: Float64Array, bottom: Float64Array, x: Float64Array, multipliers: Float64Array): void {
    const { size, rows } = this;
    const right = this.#right;
    const scale = this.#scale;
    for (let i = 0; i < size; i++) right[i] = top[i] * scale[i];
    for (let r = 0; r < rows; r++) right[size + r] = bottom[r] * scale[size + r];
    solveLU(this.#matrix, 0, size + rows, this.#pivots, 0, right, 0);
    for (let i = 0; i < size; i++) x[i] = right[i] * scale[i];
    for (let r = 0; r < rows; r++) multipliers[r] = right[size + r] * scale[size + r];
  }
}

/**
 * A correction below this fraction of the largest coordinate, 1 m or 1 rad at least, is rounding or near it.
 */
const LAST_CORRECTION = 1e-13;
/**
 * Next to a dead point rounding is larger: there a correction below this that is no longer halved is the last
 * one.
 */
const STAGNANT_CORRECTION = 1e-8;
/**
 * After a step one to three iterations are enough; a start given by hand may take more, as convergence is
 * linear.
 */
const MAX_ITERATIONS = 100;

export class Projection {
  readonly #mass: Float64Array;
  readonly #jacobian: Float64Array;
  readonly #saddle: SaddlePoint;
  readonly #given: Float64Array;
  readonly #top: Float64Array;
  readonly #bottom: Float64Array;

  constructor(readonly system: ConstrainedSystem) {
    const { size, rows } = system;
    this.#mass = new Float64Array(size * size);
    this.#jacobian = new Float64Array(rows * size);
    this.#saddle = new SaddlePoint(size, rows);
    this.#given = new Float64Array(size);
    this.#top = new Float64Array(size);
    this.#bottom = new Float64Array(rows);
  }

  /** M and Φ_q at q, factorised. */
  #factor(clock: Float64Array, q: Float64Array): MotionStatus {
    this.system.mass(clock, q, this.#mass);
    this.system.jacobian(clock, q, this.#jacobian);
    if (!allFinite(this.#jacobian)) return 'notFinite';
    return this.#saddle.factor(this.#mass, this.#jacobian) ? 'ok' : 'singularConstraints';
  }

  /** @param q is moved onto Φ = 0; what it is on failure has no meaning */
  position(clock: Float64Array, q: Float64Array): MotionStatus {
    const { size, rows } = this.system;
    const top = this.#top;
    const bottom = this.#bottom;
    const given = this.#given;
    given.set(q);
    let previous = Number.POSITIVE_INFINITY;
    for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
      const status = this.#factor(clock, q);
      if (status !== 'ok') return status;
      this.system.position(clock, q, bottom);
      for (let r = 0; r < rows; r++) bottom[r] = -bottom[r];
      for (let i = 0; i < size; i++) {
        let sum = 0;
        for (let j = 0; j < size; j++) sum -= this.#mass[i * size + j] * (q[j] - given[j]);
        top[i] = sum;
      }
      this.#saddle.solve(top, bottom, top, bottom);
      let scale = 1;
      let correction = 0;
      for (let i = 0; i < size; i++) {
        q[i] += top[i];
        scale = Math.max(scale, Math.abs(q[i]));
        correction = Math.max(correction, Math.abs(top[i]));
      }
      if (!allFinite(q)) return 'notFinite';
      if (correction <= LAST_CORRECTION * scale) return 'ok';
      if (correction <= STAGNANT_CORRECTION * scale && correction > 0.5 * previous) return 'ok';
      previous = correction;
    }
    return 'positionNotConverged';
  }

  /** @param v is moved onto Φ_q q̇ = −Φ_t */
  velocity(clock: Float64Array, q: Float64Array, v: Float64Array): MotionStatus {
    const { size, rows } = this.system;
    const status = this.#factor(clock, q);
    if (status !== 'ok') return status;
    // The correction of v, not v itself: a velocity that is consistent already stays as it is.
    this.system.timeDerivative(clock, q, this.#bottom);
    addConstraintRate(this.#jacobian, v, rows, size, this.#bottom);
    for (let r = 0; r < rows; r++) this.#bottom[r] = -this.#bottom[r];
    this.#top.fill(0);
    this.#saddle.solve(this.#top, this.#bottom, this.#top, this.#bottom);
    for (let i = 0; i < size; i++) v[i] += this.#top[i];
    return allFinite(v) ? 'ok' : 'notFinite';
  }
}

/**
 * A violation below this fraction of the largest coordinate, 1 m or 1 rad at least, counts as rounding of the
 * data: it is what numbers with nine digits leave. With fewer digits the start is to be corrected.
 */
const CONSISTENT = 1e-8;

export interface ConstraintViolation {
  /** among all rows */
  index: number;
  /** id of the constraint, and which of its equations */
  constraint: string;
  row: string;
  level: 'position' | 'velocity';
  /** Φ or Φ_q q̇ + Φ_t, with sign */
  size: number;
  /** m, rad, m/s or rad/s */
  unit: string;
}

const largest = (values: Float64Array): number =>
  values.reduce((worst, x) => Math.max(worst, Math.abs(x)), 1);

/** Violations beyond the tolerance, largest first; NaN counts as a violation. */
export function findViolations(
  system: ConstrainedSystem,
  clock: Float64Array,
  q: Float64Array,
  v: Float64Array,
  tolerance = CONSISTENT,
): ConstraintViolation[] {
  const { size, rows } = system;
  const position = new Float64Array(rows);
  const velocity = new Float64Array(rows);
  const jacobian = new Float64Array(rows * size);
  system.position(clock, q, position);
  system.jacobian(clock, q, jacobian);
  system.timeDerivative(clock, q, velocity);
  addConstraintRate(jacobian, v, rows, size, velocity);
  const found: ConstraintViolation[] = [];
  for (let r = 0; r < rows; r++) {
    const { unit, ...label } = system.rowLabel(r);
    if (!(Math.abs(position[r]) <= tolerance * largest(q)))
      found.push({ ...label, index: r, level: 'position', size: position[r], unit });
    if (!(Math.abs(velocity[r]) <= tolerance * largest(v)))
      found.push({
        ...label,
        index: r,
        level: 'velocity',
        size: velocity[r],
        unit: unit === '' ? '' : `${unit}/s`,
      });
  }
  const magnitude = ({ size: x }: ConstraintViolation): number =>
    Number.isNaN(x) ? Number.POSITIVE_INFINITY : Math.abs(x);
  return found.sort((a, b) => magnitude(b) - magnitude(a));
}

/**
 * @throws {EngineError} naming the worst violation of positions, or of velocities if only these are
 *   inconsistent
 */
export function requireConsistent(
  system: ConstrainedSystem,
  clock: Float64Array,
  q: Float64Array,
  v: Float64Array,
): void {
  const violations = findViolations(system, clock, q, v);
  const worst = violations.find(({ level }) => level === 'position') ?? violations[0];
  if (worst === undefined) return;
  const { constraint, row, level, size, unit } = worst;
  const others = new Set(violations.map((violation) => violation.constraint)).size - 1;
  throw new EngineError({
    code: `initial-${level}-inconsistent`,
    where: constraint,
    time: clock[0],
    message:
      `The initial ${level === 'position' ? 'positions' : 'velocities'} violate “${constraint}” (${row}) by ` +
      `${size.toPrecision(4)} ${unit}${alsoViolated(others)}.`,
    remedy:
      'Let the initial state be projected onto the constraints, or give positions and velocities that satisfy them.',
  });
}

const alsoViolated = (count: number): string =>
  count === 0
    ? ''
    : count === 1
      ? '; one more constraint is violated'
      : `; ${count} more constraints are violated`;

/** What a correction of the initial state did. */
export interface Correction {
  status: MotionStatus;
  /**
   * largest change of a position and of a velocity, m or rad, and per second, and the coordinates they belong
   * to
   */
  position: { size: number; coordinate: string };
  velocity: { size: number; coordinate: string };
}

/**
 * Projects positions and then velocities onto the constraints in the metric of M.
 * @param q,v are changed where the status is `ok`, and kept otherwise
 */
export function correctInitialState(
  system: ConstrainedSystem,
  clock: Float64Array,
  q: Float64Array,
  v: Float64Array,
): Correction {
  const projection = new Projection(system);
  const position = q.slice();
  const velocity = v.slice();
  let status = projection.position(clock, position);
  if (status === 'ok') status = projection.velocity(clock, position, velocity);
  const report: Correction = {
    status,
    position: largestChange(system, q, position),
    velocity: largestChange(system, v, velocity),
  };
  if (status === 'ok') {
    q.set(position);
    v.set(velocity);
  }
  return report;
}

function largestChange(
  system: ConstrainedSystem,
  before: Float64Array,
  after: Float64Array,
): { size: number; coordinate: string } {
  let worst = 0;
  for (let i = 1; i < before.length; i++)
    if (Math.abs(after[i] - before[i]) > Math.abs(after[worst] - before[worst])) worst = i;
  return before.length === 0
    ? { size: 0, coordinate: '' }
    : { size: Math.abs(after[worst] - before[worst]), coordinate: system.coordinateLabel(worst) };
}
