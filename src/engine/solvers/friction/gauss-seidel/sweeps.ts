/**
 * One sweep of non-smooth Gauss–Seidel in space: each contact in turn takes the reaction that solves its own
 * problem while the others keep theirs. With s = q_c + Σ_{j≠c} W_cj r_j,
 *
 *     opens     s_N ≥ 0:                 r = 0, for which û_N = s_N + μ |s_T| ≥ μ |û_T|;
 *     sticks    r = −W_cc⁻¹ s            where that is within the cone;
 *     slides    else, see `local-slide.ts`.
 *
 * Columns of contacts with r_N = 0 are passed over: all of their reaction is zero then.
 */
import { projectOntoCone } from '../../../linalg/friction-cone';
import type { FrictionContactProblem } from '../../../problems/friction-contact';
import type { LocalSolver } from '../../one-contact/local-solver';
import { ANSWER, CHANGE, FREE, SIZE, slideInSpace } from '../local-slide';

/**
 * @param inverse of the diagonal blocks (`invertDiagonal`)
 * @param relaxation factor of each change of a reaction; other than 1, what leaves the cone is projected back
 * @param work `WORK` numbers; receives |Δr|² and |r|²
 */
export function sweepSpace(
  problem: FrictionContactProblem,
  inverse: Float64Array,
  relaxation: number,
  work: Float64Array,
): void {
  const { W, q, r, mu, count } = problem;
  const { rowStart, columns, diagonal, values } = W;
  let change = 0;
  let size = 0;
  for (let c = 0; c < count; c++) {
    const at = 3 * c;
    let s0 = q[at];
    let s1 = q[at + 1];
    let s2 = q[at + 2];
    const middle = diagonal[c];
    const end = rowStart[c + 1];
    for (let k = rowStart[c]; k < end; k++) {
      if (k === middle) continue;
      const j = 3 * columns[k];
      const x0 = r[j];
      if (x0 === 0) continue;
      const x1 = r[j + 1];
      const x2 = r[j + 2];
      const v = 9 * k;
      s0 += values[v] * x0 + values[v + 1] * x1 + values[v + 2] * x2;
      s1 += values[v + 3] * x0 + values[v + 4] * x1 + values[v + 5] * x2;
      s2 += values[v + 6] * x0 + values[v + 7] * x1 + values[v + 8] * x2;
    }
    const old0 = r[at];
    const old1 = r[at + 1];
    const old2 = r[at + 2];
    let r0 = 0;
    let r1 = 0;
    let r2 = 0;
    // NaN goes the long way, and shows in the change.
    if (!(s0 >= 0)) {
      const i = 9 * c;
      r0 = -(inverse[i] * s0 + inverse[i + 1] * s1 + inverse[i + 2] * s2);
      r1 = -(inverse[i + 3] * s0 + inverse[i + 4] * s1 + inverse[i + 5] * s2);
      r2 = -(inverse[i + 6] * s0 + inverse[i + 7] * s1 + inverse[i + 8] * s2);
      const bound = mu[c] * r0;
      if (!(bound >= 0 && r1 * r1 + r2 * r2 <= bound * bound)) {
        work[FREE] = s0;
        work[FREE + 1] = s1;
        work[FREE + 2] = s2;
        const hasSlid = old1 !== 0 || old2 !== 0;
        work[ANSWER + 1] = hasSlid ? old1 : r1;
        work[ANSWER + 2] = hasSlid ? old2 : r2;
        slideInSpace(values, 9 * middle, mu[c], work, r, at);
        r0 = work[ANSWER];
        r1 = work[ANSWER + 1];
        r2 = work[ANSWER + 2];
      }
    }
    if (relaxation !== 1) {
      work[ANSWER] = old0 + relaxation * (r0 - old0);
      work[ANSWER + 1] = old1 + relaxation * (r1 - old1);
      work[ANSWER + 2] = old2 + relaxation * (r2 - old2);
      projectOntoCone(work, ANSWER, mu[c]);
      r0 = work[ANSWER];
      r1 = work[ANSWER + 1];
      r2 = work[ANSWER + 2];
    }
    r[at] = r0;
    r[at + 1] = r1;
    r[at + 2] = r2;
    change += (r0 - old0) * (r0 - old0) + (r1 - old1) * (r1 - old1) + (r2 - old2) * (r2 - old2);
    size += r0 * r0 + r1 * r1 + r2 * r2;
  }
  work[CHANGE] = change;
  work[SIZE] = size;
}

/*
 * One sweep of non-smooth Gauss–Seidel in the plane, as below. A contact that slides does so to one of two
 * sides: with friction exhausted along d = ±1, r = r_N (1, μ d) and u_N = 0,
 *
 *     r_N = −s_N/(w_NN + μ d w_NT),     u_T = s_T + r_N (w_TN + μ d w_TT),     d u_T ≤ 0.
 *
 * The side to which the reaction of sticking leaves the cone is tried first.
 */

/** Parameters and what it leaves: see `sweepSpace`. */
export function sweepPlane(
  problem: FrictionContactProblem,
  inverse: Float64Array,
  relaxation: number,
  work: Float64Array,
): void {
  const { W, q, r, mu, count } = problem;
  const { rowStart, columns, diagonal, values: w } = W;
  let change = 0;
  let size = 0;
  for (let c = 0; c < count; c++) {
    const at = 2 * c;
    let s0 = q[at];
    let s1 = q[at + 1];
    const middle = diagonal[c];
    const end = rowStart[c + 1];
    for (let k = rowStart[c]; k < end; k++) {
      if (k === middle) continue;
      const j = 2 * columns[k];
      const x0 = r[j];
      if (x0 === 0) continue;
      const x1 = r[j + 1];
      const v = 4 * k;
      s0 += w[v] * x0 + w[v + 1] * x1;
      s1 += w[v + 2] * x0 + w[v + 3] * x1;
    }
    let r0 = 0;
    let r1 = 0;
    if (!(s0 >= 0)) {
      const i = 4 * c;
      r0 = -(inverse[i] * s0 + inverse[i + 1] * s1);
      r1 = -(inverse[i + 2] * s0 + inverse[i + 3] * s1);
      const bound = mu[c] * r0;
      if (!(Math.abs(r1) <= bound)) {
        const v = 4 * middle;
        let d = r1 >= 0 ? mu[c] : -mu[c];
        r0 = -s0 / (w[v] + d * w[v + 1]);
        const slip = s1 + r0 * (w[v + 2] + d * w[v + 3]);
        if (!(r0 >= 0 && d * slip <= 0)) {
          d = -d;
          r0 = -s0 / (w[v] + d * w[v + 1]);
        }
        r1 = d * r0;
      }
    }
    const old0 = r[at];
    const old1 = r[at + 1];
    if (relaxation !== 1) {
      work[ANSWER] = old0 + relaxation * (r0 - old0);
      work[ANSWER + 1] = old1 + relaxation * (r1 - old1);
      work[ANSWER + 2] = 0;
      projectOntoCone(work, ANSWER, mu[c]);
      r0 = work[ANSWER];
      r1 = work[ANSWER + 1];
    }
    r[at] = r0;
    r[at + 1] = r1;
    change += (r0 - old0) * (r0 - old0) + (r1 - old1) * (r1 - old1);
    size += r0 * r0 + r1 * r1;
  }
  work[CHANGE] = change;
  work[SIZE] = size;
}

/* One sweep of non-smooth Gauss–Seidel with a solver of one contact of choice, in the plane or in space. */

export class LocalSweep {
  /** [0] velocity without the contact's own reaction, [1] its reaction; both three entries */
  readonly #free = new Float64Array(3);
  readonly #force = new Float64Array(3);

  /**
   * Parameters and what it leaves: see `sweepSpace`. Where the solver of a contact fails, the contact keeps
   * its reaction.
   */
  sweep(
    { W, q, r, mu, dimension: d, count }: FrictionContactProblem,
    local: LocalSolver,
    relaxation: number,
    work: Float64Array,
  ): void {
    const s = d * d;
    const free = this.#free;
    const force = this.#force;
    let change = 0;
    let size = 0;
    for (let c = 0; c < count; c++) {
      const at = d * c;
      const middle = W.diagonal[c];
      for (let i = 0; i < d; i++) {
        let sum = q[at + i];
        for (let k = W.rowStart[c]; k < W.rowStart[c + 1]; k++) {
          if (k === middle) continue;
          const v = s * k + d * i;
          for (let j = 0; j < d; j++) sum += W.values[v + j] * r[d * W.columns[k] + j];
        }
        free[i] = sum;
        force[i] = r[at + i];
      }
      local.solve(W.values, s * middle, free, mu[c], force);
      if (relaxation !== 1) {
        force[2] = d === 3 ? force[2] : 0;
        for (let i = 0; i < d; i++) force[i] = r[at + i] + relaxation * (force[i] - r[at + i]);
        projectOntoCone(force, 0, mu[c]);
      }
      for (let i = 0; i < d; i++) {
        change += (force[i] - r[at + i]) * (force[i] - r[at + i]);
        size += force[i] * force[i];
        r[at + i] = force[i];
      }
    }
    work[CHANGE] = change;
    work[SIZE] = size;
  }
}
