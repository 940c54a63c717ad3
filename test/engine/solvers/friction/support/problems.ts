/** Friction-contact problems for the tests, and a measure of answers that shares nothing with the engine. */
import { FrictionContactProblem } from '@engine/problems/friction-contact';
import type { Random } from '../../../support/random';

/** All blocks of a dense W; `w` row-major. */
export function denseProblem(
  dimension: 2 | 3,
  w: readonly (readonly number[])[],
  q: readonly number[],
  mu: readonly number[],
): FrictionContactProblem {
  const n = mu.length;
  const d = dimension;
  const problem = new FrictionContactProblem(d, n, n * n);
  problem.count = n;
  problem.revision = 1;
  problem.W.rows = n;
  for (let i = 0; i < n; i++) {
    problem.W.rowStart[i + 1] = n * (i + 1);
    problem.W.diagonal[i] = n * i + i;
    for (let j = 0; j < n; j++) {
      problem.W.columns[n * i + j] = j;
      for (let k = 0; k < d * d; k++) {
        problem.W.values[d * d * (n * i + j) + k] = w[d * i + Math.floor(k / d)][d * j + (k % d)];
      }
    }
  }
  problem.q.set(q);
  problem.mu.set(mu);
  return problem;
}

/** W = G ᵗG and q = G v with `rank` freedoms: below 3 n, contacts are redundant, and a solution exists. */
export function randomContacts(
  random: Random,
  { dimension, contacts, rank, mu }: { dimension: 2 | 3; contacts: number; rank: number; mu: number },
): FrictionContactProblem {
  const rows = dimension * contacts;
  const G = Array.from({ length: rows }, () => Array.from({ length: rank }, () => random.uniform(-1, 1)));
  const v = Array.from({ length: rank }, () => random.uniform(-1, 1));
  const dot = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((sum, x, i) => sum + x * b[i], 0);
  return denseProblem(
    dimension,
    G.map((a) => G.map((b) => dot(a, b))),
    G.map((a) => dot(a, v)),
    Array.from({ length: contacts }, () => mu),
  );
}

/**
 * How far r is from the law of Signorini and Coulomb, condition by condition, without natural maps, cones or
 * û: penetration and pull, work of the normal, friction outside its bound, and friction that does not oppose
 * the slip with all it has. Relative to the sizes of what is compared.
 */
export function violation({ W, q, r, mu, dimension: d, count }: FrictionContactProblem): number {
  const u = Array.from(q.subarray(0, d * count));
  for (let i = 0; i < count; i++) {
    for (let k = W.rowStart[i]; k < W.rowStart[i + 1]; k++) {
      for (let a = 0; a < d; a++) {
        for (let b = 0; b < d; b++) u[d * i + a] += W.values[d * d * k + d * a + b] * r[d * W.columns[k] + b];
      }
    }
  }
  const sizeOfU = Math.hypot(...q.subarray(0, d * count)) || 1;
  const sizeOfR = Math.hypot(...r.subarray(0, d * count)) || 1;
  let worst = 0;
  for (let c = 0; c < count; c++) {
    const normal = r[d * c] / sizeOfR;
    const gap = u[d * c] / sizeOfU;
    const friction = Array.from(r.subarray(d * c + 1, d * c + d), (x) => x / sizeOfR);
    const slip = u.slice(d * c + 1, d * c + d).map((x) => x / sizeOfU);
    const [pulled, speed] = [Math.hypot(...friction), Math.hypot(...slip)];
    const power = friction.reduce((sum, x, k) => sum + x * slip[k], 0);
    worst = Math.max(worst, -normal, -gap, Math.min(normal, gap), pulled - mu[c] * normal);
    // Maximum dissipation: r_T · u_T = −μ r_N |u_T|.
    worst = Math.max(worst, power + mu[c] * normal * speed);
  }
  return Number.isNaN(u[0]) || Number.isNaN(r[0]) ? Number.NaN : worst;
}

/**
 * What a natural map that is off by residual · scale leaves of conditions that are relative to |r| and to
 * |q|.
 */
export function allowed({ measure, q, r }: FrictionContactProblem): number {
  const [ofQ, ofR] = [Math.hypot(...q) || 1, Math.hypot(...r) || 1];
  return 10 * (measure[0] + Number.EPSILON) * measure[1] * (1 / ofQ + 1 / ofR);
}
