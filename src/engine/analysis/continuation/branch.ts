/** A branch of periodic orbits: what is asked for, and what is found. */
import type { EventRecord } from '../../event-driven/event-record';
import type { Eigenvalues } from '../../linalg/eigenvalues';
import type { FlowImage } from '../stability/flow-map';

export interface ContinuationSettings {
  /** whether the period is unknown; false when absent */
  readonly isAutonomous?: boolean;
  /** values of the parameter between which the branch is followed */
  readonly from: number;
  readonly to: number;
  /** first step, and longest one, as parts of the range */
  readonly firstStep?: number;
  readonly longestStep?: number;
  readonly maxPoints?: number;
  /** direction in which the branch is left at first */
  readonly direction: 1 | -1;
  /** called after each point; false ends */
  readonly progress?: (point: BranchPoint) => boolean;
}

export interface BranchPoint {
  readonly p: number;
  /** state at the start of the orbit */
  readonly x: Float64Array;
  /** s */
  readonly period: number;
  readonly multipliers: Eigenvalues;
  readonly isStable: boolean;
  readonly events: readonly EventRecord[];
  readonly nearest: FlowImage['nearest'];
}

export type SpecialKind = 'fold' | 'periodDoubling' | 'torus' | 'grazing';

export interface SpecialPoint extends BranchPoint {
  readonly kind: SpecialKind;
}

/** Why a branch ended. */
export type BranchEnd = 'range' | 'maxPoints' | 'grazing' | 'stepTooSmall' | 'cancelled' | 'noStart';

export interface Branch {
  readonly points: readonly BranchPoint[];
  readonly special: readonly SpecialPoint[];
  readonly end: BranchEnd;
}

export interface OrbitStart {
  readonly p: number;
  readonly x: Float64Array;
  /** s; of a forced model that of the forcing, which need not be said */
  readonly period?: number;
}
