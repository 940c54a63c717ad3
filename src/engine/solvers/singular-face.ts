/**
 * Solutions on a face whose operator W_FF is singular. They form the polyhedron
 *
 *     P = { z_F : w_F = 0,  l_F ≤ z_F ≤ u_F,  w_i ≥ 0 at lower bounds, w_i ≤ 0 at upper bounds },
 *
 * which may be empty, a point, or larger. The point of P nearest to a given one x₀ solves a monotone problem of the
 * same kind, with multipliers μ (free) of the equations and ν ≥ 0 of the inequalities:
 *
 *     x − x₀ − W_FFᵀ μ − W_BFᵀ ν ∈ −N_[l,u](x),   W_FF x + c_F = 0,   0 ≤ W_BF x + c_B ⊥ ν ≥ 0.
 *
 * P has more than one point exactly if the nearest point moves when x₀ is displaced along some axis.
 */
import { AffineVariationalInequality } from '../problems/avi';
import { Lemke } from './lemke';
import { AT_LOWER, AT_UPPER, BETWEEN } from './row-state';
import { Scaling } from './scaling';
import { createSolverResult } from './status';

/** Residual of the nearest point: what Lemke leaves, with room. */
const TOLERANCE = 1e-10;
/** A nearest point that moves by more than this fraction of the displacement is another point. */
const MOVED = 1e-6;

export class SingularFace {
  /** whether the face that `find` looked at has more than one point */
  isContinuum = false;
  readonly #lemke = new Lemke();
  readonly #scaling = new Scaling();
  readonly #result = createSolverResult();

  /** Leaves a point of the face in `problem.z`. @returns false when the face has none */
  find(problem: AffineVariationalInequality, states: Uint8Array): boolean {
    this.#scaling.update(problem);
    const { size: n } = problem;
    const s = this.#scaling.values;
    const free: number[] = [];
    for (let i = 0; i < n; i++) if (states[i] === BETWEEN) free.push(i);
    this.#setBounds(problem, states);
    const nearest = this.#nearestProblem(problem, states, free);
    const k = free.length;
    if (!this.#solve(nearest)) return false;
    const point = nearest.z.slice(0, k);
    this.isContinuum = this.#moves(nearest, point);
    free.forEach((row, a) => (problem.z[row] = s[row] * point[a]));
    return true;
  }

  #setBounds(problem: AffineVariationalInequality, states: Uint8Array): void {
    const { size: n, z, lower, upper } = problem;
    for (let i = 0; i < n; i++) {
      if (states[i] === BETWEEN) z[i] = 0;
      else z[i] = states[i] === AT_LOWER ? lower[i] : upper[i];
    }
    problem.multiply();
  }

  /** In scaled units; unknowns x, then the multipliers of all rows. */
  #nearestProblem(
    problem: AffineVariationalInequality,
    states: Uint8Array,
    free: readonly number[],
  ): AffineVariationalInequality {
    const { size: n, rowStart, columns, values, w, lower, upper } = problem;
    const s = this.#scaling.values;
    const k = free.length;
    const size = k + n;
    const matrix = new Float64Array(size * size);
    const q = new Float64Array(size);
    const low = new Float64Array(size);
    const high = new Float64Array(size).fill(Number.POSITIVE_INFINITY);
    free.forEach((row, a) => {
      matrix[a * size + a] = 1;
      low[a] = lower[row] / s[row];
      high[a] = upper[row] / s[row];
    });
    for (let i = 0; i < n; i++) {
      // Where z is fixed, w may be any number: no condition.
      const isFixed = states[i] !== BETWEEN && lower[i] === upper[i];
      const sign = isFixed ? 0 : states[i] === AT_UPPER ? -1 : 1;
      q[k + i] = sign * s[i] * w[i];
      if (states[i] === BETWEEN) low[k + i] = Number.NEGATIVE_INFINITY;
      for (let e = rowStart[i]; e < rowStart[i + 1]; e++) {
        const a = free.indexOf(columns[e]);
        if (a < 0) continue;
        const value = sign * s[i] * values[e] * s[columns[e]];
        matrix[(k + i) * size + a] = value;
        matrix[a * size + k + i] = -value;
      }
    }
    return AffineVariationalInequality.dense(matrix, q, low, high);
  }

  #solve(nearest: AffineVariationalInequality): boolean {
    this.#lemke.solve(nearest, TOLERANCE, this.#result);
    return this.#result.status === 'converged';
  }

  #moves(nearest: AffineVariationalInequality, point: Float64Array): boolean {
    const displacement = 1 + point.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    for (let a = 0; a < point.length; a++) {
      for (const direction of [1, -1]) {
        // Stationarity reads x − x₀ + …: the target enters the right side with the opposite sign.
        for (let b = 0; b < point.length; b++) nearest.q[b] = -point[b];
        nearest.q[a] -= direction * displacement;
        if (!this.#solve(nearest)) continue;
        if (point.some((x, b) => Math.abs(nearest.z[b] - x) > MOVED * displacement)) return true;
      }
    }
    return false;
  }
}
