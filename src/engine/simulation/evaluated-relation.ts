/** Relations that change from step to step, with room for their values. */
import type { StepContext } from '../integrators/step';
import type { RelationForm } from '../model/forms';

/**
 * Rows to linearise: those at velocity level before the step is known, of these the ones that may follow its iterates, those that
 * are not at velocity level, of these the Lagrangian ones, all of Lagrangian relations, or all.
 */
export type LevelChoice = 'predicted' | 'velocity' | 'other' | 'positions' | 'lagrangian' | 'all';

/** A relation that is evaluated at each step, with copies of its arguments: no plug-in can write into the state. */
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
  /** whether it holds at ½ (q⁻ + q⁺) in the middle of the step: a row that yields, of systems that are advanced by half steps */
  readonly isMean: boolean;
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
  { relation, dofs, z, lambda: own, row, isMean }: EvaluatedRelation,
  { q, start }: StepContext,
  positions: Float64Array,
  lambda: Float64Array,
): void {
  for (let k = 0; k < dofs.length; k++) {
    const end = positions[q + dofs[k]];
    z[k] = isMean ? 0.5 * (start[q + dofs[k]] + end) : end;
  }
  for (let k = 0; k < relation.size; k++) own[k] = lambda[row + k];
}
