/** How far rows are from their linearisations, and what rounding alone would make of that. */
import { rowDot, type SparseRows } from '../linalg/csr';
import type { StepContext } from '../integrators/step';
import { type EvaluatedRelation, gather } from './evaluated-relation';

export class RowResiduals {
  /**
   * @param base constants of the linearised rows
   * @param reading C by row over state slots
   */
  constructor(
    private readonly evaluated: readonly EvaluatedRelation[],
    private readonly context: StepContext,
    private readonly base: Float64Array,
    private readonly reading: SparseRows,
  ) {}

  /**
   * Raises residual[0] to how far the linearised rows are from their relations, relative to the largest magnitude in
   * the relation.
   * @param linear what `linearOutput` gave; velocity-level rows are compared with where they are linearised now
   */
  raise(
    clock: Float64Array,
    state: Float64Array,
    lambda: Float64Array,
    linear: Float64Array,
    residual: Float64Array,
  ): void {
    const { context } = this;
    for (let e = 0; e < this.evaluated.length; e++) {
      const evaluated = this.evaluated[e];
      const { relation, row, y, z, lambda: own, isVelocity } = evaluated;
      if (relation.isAffine && !isVelocity) continue;
      if (isVelocity) {
        for (let k = 0; k < y.length; k++) y[k] = this.base[row + k] + rowDot(this.reading, row + k, state);
      } else {
        gather(evaluated, context, state, lambda);
        relation.output(evaluated.isMean ? context.halfClock : clock, z, own, y);
      }
      let scale = 0;
      let worst = 0;
      for (let k = 0; k < y.length; k++) {
        const constant = this.base[row + k];
        scale = Math.max(scale, Math.abs(y[k]), Math.abs(constant), Math.abs(y[k] - constant));
        // In a closed joint C v cancels to rounding; its terms say what is small.
        if (isVelocity) scale = Math.max(scale, this.#magnitude(row + k, state));
        const value = Math.abs(y[k] - linear[row + k]);
        if (!(value <= worst) && !Number.isNaN(worst)) worst = value;
      }
      const relative = scale > 0 ? worst / scale : worst;
      if (!(relative <= residual[0]) && !Number.isNaN(residual[0])) residual[0] = relative;
    }
  }

  /**
   * Raises floor[0] to how far outputs and inputs, measured as in `raise`, change where positions and states are moved: what no
   * iteration can get below when they are moved by their rounding, however steep the functions are there.
   * @param moved indexed like the state
   * @param scale largest weighted input
   */
  measureRounding(
    clock: Float64Array,
    state: Float64Array,
    moved: Float64Array,
    lambda: Float64Array,
    scale: number,
    floor: Float64Array,
  ): void {
    const { context } = this;
    for (let e = 0; e < this.evaluated.length; e++) {
      const evaluated = this.evaluated[e];
      const {
        relation,
        row,
        y,
        r,
        z,
        lambda: own,
        isVelocity,
        isGeneral,
        weights,
        movedY,
        movedR,
      } = evaluated;
      if (isVelocity || relation.isAffine) continue;
      gather(evaluated, context, moved, lambda);
      relation.output(evaluated.isMean ? context.halfClock : clock, z, own, movedY);
      if (isGeneral) relation.input(clock, z, own, movedR);
      gather(evaluated, context, state, lambda);
      relation.output(evaluated.isMean ? context.halfClock : clock, z, own, y);
      for (let k = 0; k < y.length; k++) {
        const size = Math.max(
          Math.abs(y[k]),
          Math.abs(this.base[row + k]),
          Math.abs(y[k] - this.base[row + k]),
        );
        if (size > 0) floor[0] = Math.max(floor[0], Math.abs(movedY[k] - y[k]) / size);
      }
      if (!isGeneral || !(scale > 0)) continue;
      relation.input(clock, z, own, r);
      for (let k = 0; k < r.length; k++)
        floor[0] = Math.max(floor[0], (weights[k] * Math.abs(movedR[k] - r[k])) / scale);
    }
  }

  /** Σ |C_j z_j| of a row. */
  #magnitude(row: number, state: Float64Array): number {
    const { rowStart, columns, values } = this.reading;
    let sum = 0;
    for (let k = rowStart[row]; k < rowStart[row + 1]; k++) sum += Math.abs(values[k] * state[columns[k]]);
    return sum;
  }
}
