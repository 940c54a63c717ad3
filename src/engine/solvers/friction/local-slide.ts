/**
 * One contact in space that presses and does not stick: the direction in which its reaction acts.
 *
 * With s the velocity without this reaction, s_N < 0, w the 3 × 3 block and d a unit vector of the tangent
 * plane, friction that is exhausted along d, r = r_N (1, μ d), keeps the contact closed if
 *
 *     u_N = 0:   r_N = −s_N/a,   a = w_NN + μ w_NT · d.
 *
 * The contact slides against its friction, u_T = −α d with α ≥ 0, so that d is a root of the scalar function
 * of its angle
 *
 *     f = d × u_T,   u_T = s_T + r_N p,   p = w_TN + μ w_TT d.
 *
 * With e = ∂d/∂θ, d turned by a right angle, and a' = μ w_NT · e, r_N' = −r_N a'/a,
 *
 *     f' = e × u_T + d × (r_N' p + μ r_N w_TT e) = α + r_N (μ eᵀ w_TT e − (a'/a) d × p),   α = −d · u_T,
 *
 * since e × x = −d · x and d × x = e · x. Newton's method for f, whose step t turns d to the direction of
 * d + t e (by arctan t, less than a right angle), begins at the direction of the last sweep and rarely needs
 * more than two steps. At the root that is sought α ≥ 0 and, for a definite w, f' > 0; where that is not what
 * Newton finds, the circle is scanned for a root that rises through zero, and it is found by bisection.
 */
import { projectOntoCone } from '../../linalg/friction-cone';

/**
 * Places in the working vector of a sweep: s, then the answer r, on entry with the direction to begin at in
 * its last two entries.
 */
export const FREE = 0;
export const ANSWER = 3;
/** what a sweep leaves: |Δr|², |r|² */
export const CHANGE = 6;
export const SIZE = 7;
/** f and α at the direction last evaluated */
const DEFECT = 8;
const RATE = 9;
/** an angle's direction */
const DIRECTION = 10;
export const WORK = 12;

const NEWTON_STEPS = 12;
/**
 * tan² of the last turn that counts as none: Newton is quadratic, and what is left of it is corrected in the
 * next sweep.
 */
const SMALL_TURN = 1e-10;
const SCAN = 32;
const BISECTIONS = 60;
const PROJECTIONS = 30;

/**
 * @param w, at the 3 × 3 block, row-major from entry `at`
 * @param work s at `FREE` with s_N < 0, a direction to begin at in the last two entries at `ANSWER`, of any
 *   length; the answer is left at `ANSWER`
 * @param last, from the reaction before, for contacts that neither method closes: three entries from `from`
 */
export function slideInSpace(
  w: Float64Array,
  at: number,
  mu: number,
  work: Float64Array,
  last: Float64Array,
  from: number,
): void {
  if (mu > 0 && (newton(w, at, mu, work) || scan(w, at, mu, work))) return;
  if (mu === 0 && w[at] > 0) {
    work[ANSWER] = -work[FREE] / w[at];
    work[ANSWER + 1] = 0;
    work[ANSWER + 2] = 0;
    return;
  }
  project(w, at, mu, work, last, from);
}

function newton(w: Float64Array, at: number, mu: number, work: Float64Array): boolean {
  const s0 = work[FREE];
  const s1 = work[FREE + 1];
  const s2 = work[FREE + 2];
  let d1 = work[ANSWER + 1];
  let d2 = work[ANSWER + 2];
  const length = Math.sqrt(d1 * d1 + d2 * d2);
  if (!(length > 0)) return false;
  const unit = 1 / length;
  d1 *= unit;
  d2 *= unit;
  const w11 = w[at + 4];
  const w12 = w[at + 5];
  const w21 = w[at + 7];
  const w22 = w[at + 8];
  for (let k = 0; k < NEWTON_STEPS; k++) {
    const a = w[at] + mu * (w[at + 1] * d1 + w[at + 2] * d2);
    if (!(a > 0)) return false;
    const normal = -s0 / a;
    const p1 = w[at + 3] + mu * (w11 * d1 + w12 * d2);
    const p2 = w[at + 6] + mu * (w21 * d1 + w22 * d2);
    const u1 = s1 + normal * p1;
    const u2 = s2 + normal * p2;
    const rate = -(d1 * u1 + d2 * u2);
    const across = d1 * (d1 * w22 - d2 * w21) - d2 * (d1 * w12 - d2 * w11);
    const turned = (mu * (w[at + 2] * d1 - w[at + 1] * d2)) / a;
    const slope = rate + normal * (mu * across - turned * (d1 * p2 - d2 * p1));
    if (!(slope > 0)) return false;
    const t = (d2 * u1 - d1 * u2) / slope;
    const isLast = t * t <= SMALL_TURN;
    // Of small turns 1/√(1 + t²) is 1 − ½ t² to rounding.
    const factor = isLast ? 1 - 0.5 * t * t : 1 / Math.sqrt(1 + t * t);
    const n1 = d1 - d2 * t;
    const n2 = d2 + d1 * t;
    d1 = n1 * factor;
    d2 = n2 * factor;
    if (!isLast) continue;
    if (!(rate >= 0)) return false;
    return finish(w, at, mu, work, d1, d2);
  }
  return false;
}

/** r for a direction of unit length. @returns whether it presses */
function finish(
  w: Float64Array,
  at: number,
  mu: number,
  work: Float64Array,
  d1: number,
  d2: number,
): boolean {
  const normal = -work[FREE] / (w[at] + mu * (w[at + 1] * d1 + w[at + 2] * d2));
  work[ANSWER] = normal;
  work[ANSWER + 1] = mu * normal * d1;
  work[ANSWER + 2] = mu * normal * d2;
  return normal >= 0;
}

/** f and α at an angle; NaN where friction along it would wedge the contact, a ≤ 0. */
function evaluate(w: Float64Array, at: number, mu: number, work: Float64Array, angle: number): void {
  const d1 = Math.cos(angle);
  const d2 = Math.sin(angle);
  const a = w[at] + mu * (w[at + 1] * d1 + w[at + 2] * d2);
  const normal = a > 0 ? -work[FREE] / a : Number.NaN;
  const u1 = work[FREE + 1] + normal * (w[at + 3] + mu * (w[at + 4] * d1 + w[at + 5] * d2));
  const u2 = work[FREE + 2] + normal * (w[at + 6] + mu * (w[at + 7] * d1 + w[at + 8] * d2));
  work[DEFECT] = d1 * u2 - d2 * u1;
  work[RATE] = -(d1 * u1 + d2 * u2);
  work[DIRECTION] = d1;
  work[DIRECTION + 1] = d2;
}

function scan(w: Float64Array, at: number, mu: number, work: Float64Array): boolean {
  const step = (2 * Math.PI) / SCAN;
  evaluate(w, at, mu, work, 0);
  for (let k = 1; k <= SCAN; k++) {
    const isBelow = work[DEFECT] <= 0;
    evaluate(w, at, mu, work, k * step);
    if (!(isBelow && work[DEFECT] > 0)) continue;
    let lower = (k - 1) * step;
    let upper = k * step;
    for (let halving = 0; halving < BISECTIONS; halving++) {
      const middle = 0.5 * (lower + upper);
      evaluate(w, at, mu, work, middle);
      if (work[DEFECT] > 0) upper = middle;
      else lower = middle;
    }
    if (work[RATE] >= 0 && finish(w, at, mu, work, work[DIRECTION], work[DIRECTION + 1])) return true;
    evaluate(w, at, mu, work, k * step);
  }
  return false;
}

/**
 * Steps r ← P_K(r − ρ û) of the natural map, with ρ from the block's norm: for blocks that are singular or
 * wedge.
 */
function project(
  w: Float64Array,
  at: number,
  mu: number,
  work: Float64Array,
  last: Float64Array,
  from: number,
): void {
  let norm = 0;
  for (let k = 0; k < 9; k++) norm += w[at + k] * w[at + k];
  const rho = norm > 0 ? 1 / Math.sqrt(norm) : 0;
  for (let k = 0; k < 3; k++) work[ANSWER + k] = last[from + k];
  for (let step = 0; step < PROJECTIONS; step++) {
    const r0 = work[ANSWER];
    const r1 = work[ANSWER + 1];
    const r2 = work[ANSWER + 2];
    const u0 = work[FREE] + w[at] * r0 + w[at + 1] * r1 + w[at + 2] * r2;
    const u1 = work[FREE + 1] + w[at + 3] * r0 + w[at + 4] * r1 + w[at + 5] * r2;
    const u2 = work[FREE + 2] + w[at + 6] * r0 + w[at + 7] * r1 + w[at + 8] * r2;
    work[ANSWER] = r0 - rho * (u0 + mu * Math.sqrt(u1 * u1 + u2 * u2));
    work[ANSWER + 1] = r1 - rho * u1;
    work[ANSWER + 2] = r2 - rho * u2;
    projectOntoCone(work, ANSWER, mu);
  }
}
