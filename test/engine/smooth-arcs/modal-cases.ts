/**
 * Random linear systems that are made from their modes, so that every form along them is a sum of known
 * functions.
 */
import type { LinearSystem } from '@engine/smooth-arcs/linear-system';
import type { Random } from '../support/random';

export interface ModalCase {
  readonly system: LinearSystem;
  readonly start: Float64Array;
  /** g = weights · z + constant */
  readonly weights: Float64Array;
  readonly constant: number;
  readonly value: (t: number) => number;
  readonly slope: (t: number) => number;
  /** largest sum of the terms of g */
  readonly scale: number;
  readonly tEnd: number;
  /** a stretch on which no mode turns far */
  readonly spacing: number;
}

/** One mode of g: e^(σt) (p cos ωt + q sin ωt). */
interface Mode {
  readonly sigma: number;
  readonly omega: number;
  readonly p: number;
  readonly q: number;
}

type Matrix = number[][];

const multiply = (a: Matrix, b: Matrix): Matrix =>
  a.map((row) => b[0].map((_, j) => row.reduce((sum, value, k) => sum + value * b[k][j], 0)));

const identity = (n: number): Matrix =>
  Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => (i === j ? 1 : 0)));

/** V and V⁻¹ from plane rotations, a shear and a change of units, each of which has a known inverse. */
function basis(n: number, random: Random): { v: Matrix; inverse: Matrix } {
  let v = identity(n);
  let inverse = identity(n);
  const apply = (factor: Matrix, back: Matrix): void => {
    v = multiply(factor, v);
    inverse = multiply(inverse, back);
  };
  for (let k = 0; n > 1 && k < 2 * n; k++) {
    const [i, j] = random.sample(2, n);
    const angle = random.uniform(0, 2 * Math.PI);
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const turn = identity(n);
    turn[i][i] = turn[j][j] = c;
    turn[i][j] = -s;
    turn[j][i] = s;
    apply(
      turn,
      turn[0].map((_, column) => turn.map((row) => row[column])),
    );
    if (k !== n) continue;
    const shear = identity(n);
    shear[i][j] = random.uniform(-2, 2);
    const back = identity(n);
    back[i][j] = -shear[i][j];
    apply(shear, back);
  }
  const units = identity(n);
  const back = identity(n);
  for (let i = 0; i < n; i++) {
    const unit = 2 ** random.integer(-12, 12);
    units[i][i] = unit;
    back[i][i] = 1 / unit;
  }
  apply(units, back);
  return { v, inverse };
}

/**
 * One to three modes, oscillating or not, about a rest that is not zero; in one case of three with a nearly
 * tangent form.
 */
export function modalCase(random: Random): ModalCase {
  const blocks = Array.from({ length: random.integer(1, 3) }, () => ({
    isPair: random.chance(0.7),
    sigma: random.chance(0.25) ? 0 : random.uniform(-0.6, 0.1),
    omega: random.uniform(0.3, 6),
  }));
  const n = blocks.reduce((sum, { isPair }) => sum + (isPair ? 2 : 1), 0);
  const lambda = identity(n).map((row) => row.map(() => 0));
  const y0 = Array.from({ length: n }, () => random.uniform(-1, 1));
  const w = Array.from({ length: n }, () => random.uniform(-1, 1));
  const modes: Mode[] = [];
  let at = 0;
  for (const { isPair, sigma, omega } of blocks) {
    lambda[at][at] = sigma;
    if (isPair) {
      lambda[at + 1][at + 1] = sigma;
      lambda[at][at + 1] = omega;
      lambda[at + 1][at] = -omega;
      const p = w[at] * y0[at] + w[at + 1] * y0[at + 1];
      const q = w[at] * y0[at + 1] - w[at + 1] * y0[at];
      modes.push({ sigma, omega, p, q });
      at += 2;
    } else {
      modes.push({ sigma, omega: 0, p: w[at] * y0[at], q: 0 });
      at += 1;
    }
  }
  const { v, inverse } = basis(n, random);
  const a = multiply(multiply(v, lambda), inverse);
  const times = (m: Matrix, x: readonly number[]): number[] =>
    m.map((row) => row.reduce((sum, value, k) => sum + value * x[k], 0));
  const rest = times(
    v,
    y0.map(() => random.uniform(-1, 1)),
  );
  const start = times(v, y0).map((value, i) => value + rest[i]);
  const constant = times(a, rest).map((value) => -value);
  const weights = Array.from({ length: n }, (_, j) =>
    w.reduce((sum, value, k) => sum + value * inverse[k][j], 0),
  );
  const motion = (t: number): number =>
    modes.reduce(
      (sum, { sigma, omega, p, q }) =>
        sum + Math.exp(sigma * t) * (p * Math.cos(omega * t) + q * Math.sin(omega * t)),
      0,
    );
  const slope = (t: number): number =>
    modes.reduce(
      (sum, { sigma, omega, p, q }) =>
        sum +
        Math.exp(sigma * t) *
          ((sigma * p + omega * q) * Math.cos(omega * t) + (sigma * q - omega * p) * Math.sin(omega * t)),
      0,
    );
  const tEnd = random.uniform(3, 20);
  const size = modes.reduce(
    (sum, { sigma, p, q }) => sum + Math.hypot(p, q) * Math.max(1, Math.exp(sigma * tEnd)),
    0,
  );
  let offset = random.uniform(-0.5, 0.5) * size;
  if (random.chance(0.4)) {
    // Zero is put a little beside an extremum, on either side of it.
    const extremum = someExtremum(slope, tEnd, random);
    offset = -motion(extremum) + (random.chance(0.5) ? 1 : -1) * 10 ** random.uniform(-10, -4) * size;
  }
  const restPart = weights.reduce((sum, value, i) => sum + value * rest[i], 0);
  const restSize = weights.reduce((sum, value, i) => sum + Math.abs(value * rest[i]), 0);
  return {
    system: { size: n, matrix: Float64Array.from(a.flat()), constant: Float64Array.from(constant) },
    start: Float64Array.from(start),
    weights: Float64Array.from(weights),
    constant: offset - restPart,
    value: (t) => motion(t) + offset,
    slope,
    scale: size + Math.abs(offset) + restSize,
    tEnd,
    spacing: 0.05,
  };
}

/** A place where the slope changes sign, or any place where it does not. */
function someExtremum(slope: (t: number) => number, tEnd: number, random: Random): number {
  const from = random.uniform(0, 0.7) * tEnd;
  for (let t = from; t < tEnd; t += 0.05) {
    if (slope(t) > 0 === slope(t + 0.05) > 0) continue;
    let [left, right] = [t, t + 0.05];
    for (let k = 0; k < 60; k++) {
      const middle = (left + right) / 2;
      if (slope(middle) > 0 === slope(left) > 0) left = middle;
      else right = middle;
    }
    return left;
  }
  return from;
}
