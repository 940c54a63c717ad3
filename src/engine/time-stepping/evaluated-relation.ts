/** Relations that change from step to step, with room for their values. */
import type { StepContext } from '../integrators/step';
import { type SparseRows, rowDot } from '../linalg/sparse';
import type { RelationForm } from '../model/forms';

/**
 * Rows to linearise: those at velocity level before the step is known, of these the ones that may follow its
 * iterates, those that are not at velocity level, of these the Lagrangian ones, all of Lagrangian relations,
 * or all.
 */
export type LevelChoice = 'predicted' | 'velocity' | 'other' | 'positions' | 'lagrangian' | 'all';

/**
 * A relation that is evaluated at each step, with copies of its arguments: no plug-in can write into the
 * state.
 */
export interface EvaluatedRelation {
  readonly relation: RelationForm;
  /** first row */
  readonly row: number;
  readonly systems: readonly number[];
  /** coordinates of the linked systems, concatenated */
  readonly dofs: Int32Array;
  /** weight of the input by column of the relation */
  readonly weights: Float64Array;
  readonly z: Float64Array;
  readonly lambda: Float64Array;
  readonly y: Float64Array;
  readonly r: Float64Array;
  /** y and r at arguments that rounding has moved */
  readonly movedY: Float64Array;
  readonly movedR: Float64Array;
  readonly C: Float64Array;
  readonly D: Float64Array;
  readonly K: Float64Array;
  readonly B: Float64Array;
  readonly isVelocity: boolean;
  /** whether it is at velocity level and belongs to the middle of the step */
  readonly isMiddle: boolean;
  /** γ where it holds at γ q⁺ + (1−γ) q⁻ within the step, 1 at its end; see `StepRelations.share` */
  readonly share: number;
  /** [0] t_{k+γ}, s */
  readonly time: Float64Array;
  /** whether C or D change */
  readonly isLinearised: boolean;
  /** whether r is not B λ with constant B */
  readonly isGeneral: boolean;
}

/** Whether a choice of rows includes a relation. */
export function takes(levels: LevelChoice, { isVelocity, isMiddle, relation }: EvaluatedRelation): boolean {
  switch (levels) {
    case 'predicted':
      return isVelocity;
    case 'velocity':
      return isVelocity && !isMiddle;
    case 'other':
      return !isVelocity;
    case 'positions':
      return !isVelocity && relation.order === 2;
    case 'lagrangian':
      return relation.order === 2;
    case 'all':
      return true;
  }
}

/** Copies the arguments of a relation. @param positions of the end of the step, indexed like the state */
export function gather(
  { relation, dofs, z, lambda: own, row, share }: EvaluatedRelation,
  { q, start }: StepContext,
  positions: Float64Array,
  lambda: Float64Array,
): void {
  for (let k = 0; k < dofs.length; k++) {
    const end = positions[q + dofs[k]];
    z[k] = between(start[q + dofs[k]], end, share);
  }
  for (let k = 0; k < relation.size; k++) own[k] = lambda[row + k];
}

/** γ end + (1−γ) start, the middle without a rounding more than its sum has. */
function between(start: number, end: number, share: number): number {
  if (share === 1) return end;
  return share === 0.5 ? 0.5 * (start + end) : share * end + (1 - share) * start;
}

/** When a relation holds that is asked for at the end of the step. */
export function timeOf(
  { relation, share, time }: EvaluatedRelation,
  { clock0, halfClock }: StepContext,
  clock: Float64Array,
): Float64Array {
  if (share === 1) return clock;
  if (relation.order === 2) return halfClock;
  time[0] = clock0[0] + share * (clock[0] - clock0[0]);
  return time;
}

/* How far rows are from their linearisations, and what rounding alone would make of that. */

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
   * Raises residual[0] to how far the linearised rows are from their relations, relative to the largest
   * magnitude in the relation.
   * @param linear what `linearOutput` gave; velocity-level rows are compared with where they are linearised
   *   now
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
        relation.output(timeOf(evaluated, context, clock), z, own, y);
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
   * Raises floor[0] to how far outputs and inputs, measured as in `raise`, change where positions and states
   * are moved: what no iteration can get below when they are moved by their rounding, however steep the
   * functions are there.
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
      const time = timeOf(evaluated, context, clock);
      relation.output(time, z, own, movedY);
      if (isGeneral) relation.input(time, z, own, movedR);
      gather(evaluated, context, state, lambda);
      relation.output(time, z, own, y);
      for (let k = 0; k < y.length; k++) {
        const size = Math.max(
          Math.abs(y[k]),
          Math.abs(this.base[row + k]),
          Math.abs(y[k] - this.base[row + k]),
        );
        if (size > 0) floor[0] = Math.max(floor[0], Math.abs(movedY[k] - y[k]) / size);
      }
      if (!isGeneral || !(scale > 0)) continue;
      relation.input(time, z, own, r);
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
