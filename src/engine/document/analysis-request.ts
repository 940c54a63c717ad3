/** What analyses of a document ask for, evaluated; expressions are left where they follow the parameter that is varied. */
import type { Expression, SchemeName, SectionDocument } from './types';

/** What an axis varies: a parameter, or the initial value of a state by the name of its signal. */
type Varied = { readonly parameter: string } | { readonly initial: string };

/** Values of one parameter or initial value. */
export type AxisRequest = Varied &
  (
    | /** @property count values from `from` to `to`, both included */
      { readonly from: number; readonly to: number; readonly count: number }
    | { readonly values: readonly number[] }
  );

export interface SweepRequest {
  readonly kind: 'sweep';
  readonly plan:
    | { readonly kind: 'grid'; readonly axes: readonly AxisRequest[] }
    | {
        readonly kind: 'random' | 'latinHypercube';
        readonly axes: readonly AxisRequest[];
        readonly count: number;
        readonly seed: number;
      };
  readonly section?: {
    readonly section: SectionDocument;
    readonly signals?: readonly string[];
    readonly transient: number;
    readonly count: number;
  };
  readonly measures: readonly string[];
  readonly skip: number;
  readonly start: 'initial' | 'up' | 'down' | 'both';
  readonly scheme?: SchemeName;
  /** s */
  readonly tEnd?: number;
  /** whether the accuracy of each run is measured */
  readonly accuracy?: true;
}

interface OrbitSearch {
  /** of the forcing, s; of an autonomous model a guess */
  readonly period: Expression;
  /** periods of the forcing that make one of the orbit; null: to be found */
  readonly multiple: number | null;
  /** part of the period, counted from t = 0 */
  readonly phase: number;
  /** periods */
  readonly settle: number;
}

interface FromSection {
  /** where orbits start and are shot from; absent: at the phase */
  readonly section?: OrbitSection;
  /** returns to the section that make one orbit; absent: to be found */
  readonly returns?: number;
}

/** A section of the document that an orbit starts on. */
export type OrbitSection = { readonly id: string } & (
  | { readonly kind: 'impact'; readonly contact: string; readonly state: 'before' | 'after' }
  | { readonly kind: 'surface'; readonly g: string; readonly direction: 'rising' | 'falling' | 'both' }
);

export interface OrbitRequest extends OrbitSearch, FromSection {
  readonly kind: 'orbit';
  readonly isAutonomous: boolean;
}

export interface BranchRequest extends OrbitSearch, FromSection {
  readonly kind: 'branch';
  readonly isAutonomous: boolean;
  readonly parameter: string;
  readonly from: number;
  readonly to: number;
  readonly at: Expression;
  readonly longestStep: number;
  readonly maxPoints: number;
}

export interface LyapunovRequest {
  readonly kind: 'lyapunov';
  /** s */
  readonly transient: number;
  readonly duration: number;
  readonly interval: number;
  /** null: all exponents */
  readonly count: number | null;
}

/** Values of one component of the initial state, or of a parameter, along one side of a plane. */
export type BasinAxis = (
  | {
      /** name of the signal */
      readonly state: string;
    }
  | { readonly parameter: string }
) & {
  readonly from: number;
  readonly to: number;
  readonly count: number;
};

export interface BasinsRequest {
  readonly kind: 'basins';
  readonly x: BasinAxis;
  readonly y: BasinAxis;
  /** absent of a forced model */
  readonly isAutonomous?: true;
  /** of the forcing, s; of an autonomous model a guess of its cycles’ */
  readonly period: Expression;
  readonly phase: number;
  readonly maxPeriods: number;
  readonly longestCycle: number;
  readonly tolerance: number;
  readonly confirm: number;
  /** every n-th start is looked at for attractors */
  readonly stride: number;
}

export type AnalysisRequest = SweepRequest | OrbitRequest | BranchRequest | LyapunovRequest | BasinsRequest;
