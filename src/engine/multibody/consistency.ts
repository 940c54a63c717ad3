/**
 * Consistency of a state with the constraints, Φ = 0 and Φ_q q̇ = −Φ_t, without which the index-reduced
 * equations carry the violation along for ever. The DAE lecture notes, “Kinematic consistency”.
 */
import { EngineError } from '../errors';
import { type ConstrainedSystem, type MotionStatus, addConstraintRate } from './constrained-system';
import { Projection } from './projection';

/**
 * A violation below this fraction of the largest coordinate, 1 m or 1 rad at least, counts as rounding of the
 * data: it is what numbers with nine digits leave. With fewer digits the start is to be corrected.
 */
const CONSISTENT = 1e-8;

export interface ConstraintViolation {
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
      found.push({ ...label, level: 'position', size: position[r], unit });
    if (!(Math.abs(velocity[r]) <= tolerance * largest(v)))
      found.push({ ...label, level: 'velocity', size: velocity[r], unit: unit === '' ? '' : `${unit}/s` });
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
