/**
 * One sweep of non-smooth Gauss–Seidel in the plane, as in `sweep-space.ts`. A contact that slides does so to one of two sides: with
 * friction exhausted along d = ±1, r = r_N (1, μ d) and u_N = 0,
 *
 *     r_N = −s_N/(w_NN + μ d w_NT),     u_T = s_T + r_N (w_TN + μ d w_TT),     d u_T ≤ 0.
 *
 * The side to which the reaction of sticking leaves the cone is tried first.
 */
import type { FrictionContactProblem } from '../../problems/friction-contact';
import { ANSWER, CHANGE, SIZE } from './local-slide';
import { projectOntoCone } from '../../linalg/friction-cone';

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
