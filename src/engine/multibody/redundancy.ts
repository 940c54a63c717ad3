/**
 * Constraints that depend on others. The rows of Φ_q are taken in the order in which they are listed and made
 * orthogonal in the metric of M⁻¹ (Gram–Schmidt, twice, which is enough: Parlett 1980); a row of which
 * nothing is left is a combination Σ c_j of earlier ones. Whether it repeats them or contradicts them, the
 * right sides −Φ_t and γ say: they must be the same combination of theirs.
 */
import { EngineError } from '../errors';
import type { ConstrainedSystem } from './constrained-system';

/**
 * Part of a row that must be left for it to be independent. Positions may be consistent to 1e-8 only, and
 * dependent rows are parallel only as far.
 */
const INDEPENDENT = 1e-7;
/** Share of an earlier row above which it counts as one that the redundant row depends on. */
const SHARE = 1e-6;

interface RedundantRow {
  /** id of the constraint, and which of its equations */
  constraint: string;
  row: string;
  /** among all rows */
  index: number;
  /** ids of the earlier constraints that say the same */
  repeats: readonly string[];
  /**
   * how much the prescribed velocity (m/s or rad/s) or γ differs from what the others imply; 0 when it only
   * repeats
   */
  contradiction: number;
}

export interface RankReport {
  /** m, number of equations */
  rows: number;
  rank: number;
  redundant: readonly RedundantRow[];
}

export function findRedundancy(
  system: ConstrainedSystem,
  clock: Float64Array,
  q: Float64Array,
  v: Float64Array,
): RankReport {
  const { size, rows } = system;
  const mass = new Float64Array(size * size);
  const jacobian = new Float64Array(rows * size);
  const rates = new Float64Array(rows);
  const gamma = new Float64Array(rows);
  system.mass(clock, q, mass);
  system.jacobian(clock, q, jacobian);
  system.timeDerivative(clock, q, rates);
  system.gamma(clock, q, v, gamma);
  /** orthonormal directions, and each as a combination of the rows of Φ_q */
  const directions: { row: Float64Array; combination: Float64Array }[] = [];
  const redundant: RedundantRow[] = [];
  for (let r = 0; r < rows; r++) {
    const rest = Float64Array.from({ length: size }, (_, i) => {
      return jacobian[r * size + i] / Math.sqrt(mass[i * size + i]);
    });
    const combination = new Float64Array(rows);
    combination[r] = 1;
    const length = norm(rest);
    for (let pass = 0; pass < 2; pass++) {
      for (const direction of directions) {
        const share = rest.reduce((sum, x, i) => sum + x * direction.row[i], 0);
        for (let i = 0; i < size; i++) rest[i] -= share * direction.row[i];
        for (let j = 0; j < rows; j++) combination[j] -= share * direction.combination[j];
      }
    }
    const left = norm(rest);
    if (left > INDEPENDENT * length) {
      directions.push({ row: rest.map((x) => x / left), combination: combination.map((x) => x / left) });
      continue;
    }
    redundant.push(describe(system, r, combination, rates, gamma));
  }
  return { rows, rank: directions.length, redundant };
}

const norm = (x: Float64Array): number => Math.sqrt(x.reduce((sum, value) => sum + value * value, 0));

/** @param combination coefficients with which the rows of Φ_q add up to zero, 1 for row r */
function describe(
  system: ConstrainedSystem,
  r: number,
  combination: Float64Array,
  rates: Float64Array,
  gamma: Float64Array,
): RedundantRow {
  const { constraint, row } = system.rowLabel(r);
  const repeats = new Set<string>();
  combination.forEach((share, j) => {
    if (j !== r && Math.abs(share) > SHARE) repeats.add(system.rowLabel(j).constraint);
  });
  repeats.delete(constraint);
  const mismatch = (values: Float64Array): number => {
    let sum = 0;
    let scale = 1;
    for (let j = 0; j < combination.length; j++) {
      sum += combination[j] * values[j];
      scale = Math.max(scale, Math.abs(combination[j] * values[j]));
    }
    return Math.abs(sum) > SHARE * scale ? Math.abs(sum) : 0;
  };
  return {
    constraint,
    row,
    index: r,
    repeats: [...repeats],
    contradiction: Math.max(mismatch(rates), mismatch(gamma)),
  };
}

/** @throws {EngineError} naming rank and the first redundant constraint */
export function requireIndependent(
  system: ConstrainedSystem,
  clock: Float64Array,
  q: Float64Array,
  v: Float64Array,
): void {
  refuseRedundant(findRedundancy(system, clock, q, v), clock);
}

/** The constraint equations' rank and their first redundant one, in a sentence. */
export function describeRedundancy({ rows, rank, redundant }: RankReport): string {
  if (redundant.length === 0) return '';
  const { constraint, row, repeats, contradiction } = redundant[0];
  const others = repeats.map((id) => `“${id}”`).join(', ');
  const isContradiction = contradiction > 0;
  return (
    `The ${rows} constraint equations have rank ${rank}: “${constraint}” (${row}) ` +
    (others === '' ? 'constrains nothing' : `${isContradiction ? 'contradicts' : 'repeats'} ${others}`) +
    (isContradiction ? `, by ${contradiction.toPrecision(4)} in its rate or acceleration.` : '.')
  );
}

/** @throws {EngineError} where a constraint is redundant */
export function refuseRedundant(report: RankReport, clock: Float64Array): void {
  const { redundant } = report;
  if (redundant.length === 0) return;
  const { constraint, contradiction } = redundant[0];
  const isContradiction = contradiction > 0;
  throw new EngineError({
    code: isContradiction ? 'constraints-contradictory' : 'constraints-redundant',
    where: constraint,
    time: clock[0],
    message: describeRedundancy(report),
    remedy: isContradiction
      ? 'Remove one of them, or prescribe motions that agree.'
      : `Remove “${constraint}”, or replace it by a constraint with fewer equations; where the mechanism only stands at a dead point, start elsewhere.`,
  });
}
