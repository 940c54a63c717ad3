/**
 * Faceted cones, for comparison: the circle that bounds friction is replaced by the regular polygon with f
 * corners on it, which makes the law a linear complementarity problem (Stewart and Trinkle 1996; Anitescu and
 * Potra 1997). With the corners as columns of D, r_T = D β, and e = (1, …, 1),
 *
 *     0 ≤ r_N ⊥ u_N ≥ 0,     0 ≤ β ⊥ Dᵀ u_T + λ e ≥ 0,     0 ≤ λ ⊥ μ r_N − eᵀ β ≥ 0.
 *
 * Lemke's method, here the project's own, ends in a solution of it where W is positive semidefinite. In the
 * plane two corners are the law itself. In space friction is too small by up to 1 − cos(π/f) and not opposed
 * to the slip by up to π/f, so that the answer solves another problem: it is measured by the natural map of
 * the round cone like all others, is called converged only if that agrees, and `stalled` where Lemke's method
 * did its part and the polygon is what stands in the way.
 */
import { AffineVariationalInequality } from '../../problems/avi';
import type { FrictionContactProblem } from '../../problems/friction-contact';
import { Lemke } from '../pivoting/lemke';
import { createSolverResult, type SolverResult } from '../solver';
import { concludeFriction, type FrictionSolver, isSolved } from './solver';

/** Unknowns up to which the matrix of the LCP is stored in full. */
const LARGEST = 1500;
/** Relative natural residual asked of the LCP. */
const LCP_TOLERANCE = 1e-10;

export class FacetedCone implements FrictionSolver {
  readonly #lemke = new Lemke();
  readonly #inner = createSolverResult();
  #lcp: AffineVariationalInequality | null = null;
  /** corners of the polygon in space: two entries each */
  readonly #corners: Float64Array;

  /** @param facets corners of the polygon in space; in the plane there are two */
  constructor(facets: number) {
    this.#corners = Float64Array.from({ length: 2 * facets }, (_, k) => {
      const angle = (2 * Math.PI * Math.floor(k / 2)) / facets;
      return k % 2 === 0 ? Math.cos(angle) : Math.sin(angle);
    });
  }

  solve(problem: FrictionContactProblem, tolerance: number, result: SolverResult): void {
    result.solver = 'Faceted';
    result.iterations = 0;
    const { dimension: d, count, r } = problem;
    const facets = d === 3 ? this.#corners.length / 2 : 2;
    const size = count * (facets + 2);
    if (isSolved(problem, tolerance) || size > LARGEST) {
      concludeFriction(problem, tolerance, result, size > LARGEST ? 'unsuitable' : 'converged');
      return;
    }
    const lcp = this.#prepare(size);
    this.#fill(problem, lcp, facets);
    this.#lemke.solve(lcp, LCP_TOLERANCE, this.#inner);
    for (let c = 0; c < count; c++) {
      const at = (facets + 2) * c;
      r[d * c] = lcp.z[at];
      for (let k = 1; k < d; k++) {
        let sum = 0;
        for (let j = 0; j < facets; j++) sum += this.#component(d, j, k) * lcp.z[at + 1 + j];
        r[d * c + k] = sum;
      }
    }
    result.iterations = this.#inner.iterations;
    concludeFriction(problem, tolerance, result, this.#inner.status);
  }

  #prepare(size: number): AffineVariationalInequality {
    if (this.#lcp === null || this.#lcp.q.length < size)
      this.#lcp = new AffineVariationalInequality(size, size * size, false);
    const lcp = this.#lcp;
    lcp.size = size;
    lcp.revision++;
    lcp.isFull = true;
    lcp.hasFriction = true;
    lcp.z.fill(0, 0, size);
    return lcp;
  }

  /** Component k of r_T of corner j: ±1 in the plane. */
  #component(d: number, j: number, k: number): number {
    if (d === 2) return j === 0 ? 1 : -1;
    return this.#corners[2 * j + k - 1];
  }

  /**
   * Part of component k of a contact's reaction, or of its velocity, in unknown `row` of the contact; λ has
   * none.
   */
  #part(d: number, facets: number, row: number, k: number): number {
    if (row === 0) return k === 0 ? 1 : 0;
    return row <= facets && k > 0 ? this.#component(d, row - 1, k) : 0;
  }

  #fill(
    { W, q, mu, dimension: d, count }: FrictionContactProblem,
    lcp: AffineVariationalInequality,
    facets: number,
  ): void {
    const { size, values } = lcp;
    const m = facets + 2;
    for (let i = 0; i < size; i++) {
      lcp.rowStart[i + 1] = size * (i + 1);
      for (let j = 0; j < size; j++) {
        lcp.columns[size * i + j] = j;
        values[size * i + j] = 0;
      }
    }
    for (let c = 0; c < count; c++) {
      for (let block = W.rowStart[c]; block < W.rowStart[c + 1]; block++) {
        const other = m * W.columns[block];
        for (let i = 0; i <= facets; i++)
          for (let j = 0; j <= facets; j++) {
            let sum = 0;
            for (let a = 0; a < d; a++)
              for (let b = 0; b < d; b++)
                sum +=
                  this.#part(d, facets, i, a) *
                  W.values[d * d * block + d * a + b] *
                  this.#part(d, facets, j, b);
            values[size * (m * c + i) + other + j] = sum;
          }
      }
      const last = m * c + m - 1;
      values[size * last + m * c] = mu[c];
      lcp.q[last] = 0;
      for (let i = 0; i <= facets; i++) {
        if (i > 0) {
          values[size * (m * c + i) + last] = 1;
          values[size * last + m * c + i] = -1;
        }
        let sum = 0;
        for (let a = 0; a < d; a++) sum += this.#part(d, facets, i, a) * q[d * c + a];
        lcp.q[m * c + i] = sum;
      }
    }
  }
}
