/** Relations that change from step to step, with room for their values. */
import type { RelationForm } from '../model/forms';

/**
 * Rows to linearise: those at velocity level, the others, of these the Lagrangian ones, all of Lagrangian relations, or
 * all.
 */
export type LevelChoice = 'velocity' | 'other' | 'positions' | 'lagrangian' | 'all';

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
  readonly C: Float64Array;
  readonly D: Float64Array;
  readonly K: Float64Array;
  readonly B: Float64Array;
  readonly isVelocity: boolean;
  /** whether C or D change */
  readonly isLinearised: boolean;
  /** whether r is not B λ with constant B */
  readonly isGeneral: boolean;
}

/** Whether a choice of rows includes a relation. */
export function takes(levels: LevelChoice, { isVelocity, relation }: EvaluatedRelation): boolean {
  switch (levels) {
    case 'velocity':
      return isVelocity;
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
