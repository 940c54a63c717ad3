/** One sweep of non-smooth Gauss–Seidel with a solver of one contact of choice, in the plane or in space. */
import { projectOntoCone } from '../../linalg/friction-cone';
import type { FrictionContactProblem } from '../../problems/friction-contact';
import type { LocalSolver } from '../one-contact/local-solver';
import { CHANGE, SIZE } from './local-slide';

export class LocalSweep {
  /** [0] velocity without the contact's own reaction, [1] its reaction; both three entries */
  readonly #free = new Float64Array(3);
  readonly #force = new Float64Array(3);

  /** Parameters and what it leaves: see `sweepSpace`. Where the solver of a contact fails, the contact keeps its reaction. */
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
