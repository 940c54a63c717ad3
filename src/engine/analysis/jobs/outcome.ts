/**
 * What analyses come to, as they are kept and sent: null stands for numbers there are none of, as JSON has no
 * word for NaN. States are positions, velocities and first-order states, in this order of their names.
 */
import type { EngineErrorDetails } from '../../errors';
import type { InitialState } from '../../run/initial-state';
import type { SpecialKind, BranchEnd } from '../continuation/branch';
import type { PointVerdict, PointVerdicts } from '../point-verdict';

export type { PointVerdict, PointVerdicts } from '../point-verdict';

export interface NamedQuantity {
  readonly name: string;
  readonly unit: string;
}

/** An event on an orbit. */
interface OrbitEvent {
  /** s, since the orbit began */
  readonly time: number;
  readonly kind: string;
  readonly element: string;
}

interface Failed {
  readonly status: 'failed';
  readonly error: EngineErrorDetails;
}

export interface FoundOrbit {
  readonly kind: 'orbit';
  readonly status: 'done';
  readonly states: readonly NamedQuantity[];
  /** state at the start */
  readonly x: Float64Array;
  /** the same as initial values of the document, with its time */
  readonly start: InitialState;
  /** s */
  readonly t0: number;
  readonly period: number;
  /** periods of the forcing in one of the orbit; 1 of an autonomous model */
  readonly multiple: number;
  readonly isAutonomous: boolean;
  /** the section it starts on, and its returns to it in one period; null where it starts at a phase */
  readonly section: {
    readonly id: string;
    readonly kind: 'impact' | 'surface';
    readonly returns: number;
  } | null;
  /** impacts in one period */
  readonly impacts: number;
  /** |P(x) − x| relative to the sizes of the components */
  readonly residual: number;
  readonly iterations: number;
  /**
   * Floquet multipliers, the largest first; on a section those of its return map, which an autonomous model
   * has one less of
   */
  readonly real: Float64Array;
  readonly imaginary: Float64Array;
  readonly isStable: boolean;
  readonly events: readonly OrbitEvent[];
  /**
   * smallest gap of a contact that turns round without touching, and smallest speed of one that touches; null
   * where there is none
   */
  readonly nearestGap: number | null;
  readonly nearestSpeed: number | null;
  /**
   * states over one period, row by row with the time first: enough points for a smooth curve, jumps with two
   * rows
   */
  readonly curve: Float64Array;
  /** of the motion over one period; absent of results of older versions */
  readonly verdict?: PointVerdict;
}

interface FoundSpecial {
  readonly kind: SpecialKind;
  readonly p: number;
  /** s */
  readonly period: number;
  /** as of a branch */
  readonly x: Float64Array;
  readonly others: Float64Array;
}

export interface FoundBranch {
  readonly kind: 'branch';
  readonly status: 'done';
  readonly parameter: NamedQuantity;
  readonly states: readonly NamedQuantity[];
  /** periods of the forcing in one of the orbit; 1 of an autonomous model */
  readonly multiple: number;
  readonly isAutonomous: boolean;
  /**
   * the section whose points stand for orbits, and on how many curves over the parameter they are; absent of
   * orbits that start at a phase
   */
  readonly section?: { readonly id: string; readonly kind: 'impact' | 'surface'; readonly curves: number };
  /** of each point: the parameter; period, s; 1 where it is stable */
  readonly p: Float64Array;
  readonly period: Float64Array;
  readonly isStable: Uint8Array;
  /**
   * the state at the start; of an autonomous model, whose orbits begin anywhere, the largest value of each
   * state on the orbit; on a section the point of the first curve, NaN where there is none
   */
  readonly x: Float64Array;
  /**
   * the other section points of each orbit, one period of the forcing after the other: multiple − 1 states
   * each, or those of the other curves; NaN where there are none
   */
  readonly others: Float64Array;
  /** modulus of the largest multiplier, of an autonomous model without the one that is 1 */
  readonly largest: Float64Array;
  /** number of impacts and switches in one period */
  readonly events: Float64Array;
  readonly special: readonly FoundSpecial[];
  /** why it ended, at its lower and its upper end */
  readonly ends: readonly [BranchEnd, BranchEnd];
  /** what the motion over a period of each point is worth; absent of results of older versions */
  readonly verdicts?: PointVerdicts;
}

export interface FoundExponents {
  readonly kind: 'lyapunov';
  readonly status: 'done';
  /** 1/s */
  readonly exponents: Float64Array;
  readonly errors: Float64Array;
  /** s, and exponents up to then, row by row */
  readonly times: Float64Array;
  readonly history: Float64Array;
  /** Kaplan and Yorke's dimension of the attractor; null where not all exponents are known */
  readonly dimension: number | null;
  /** of the motion that disturbances were followed along; absent of results of older versions */
  readonly verdict?: PointVerdict;
}

/** One direction of a sweep. */
export interface SweptPoints {
  readonly start: 'initial' | 'up' | 'down';
  /** points that are computed: their numbers in the plan, in ascending order */
  readonly index: Float64Array;
  /** measures of each */
  readonly measures: Float64Array;
  /** numbers of section points of each */
  readonly counts: Float64Array;
  /** all section points, one after the other, row by row: time, then the signals */
  readonly section: Float64Array;
  /** points that failed, and why */
  readonly failures: readonly { readonly index: number; readonly message: string }[];
  /** what each point is worth; absent of results of older versions */
  readonly verdicts?: PointVerdicts;
}

export interface SweepOutcome {
  readonly kind: 'sweep';
  readonly status: 'done';
  readonly parameters: readonly NamedQuantity[];
  readonly measures: readonly NamedQuantity[];
  /** columns of section points, the first of which is the time; none without a section */
  readonly signals: readonly NamedQuantity[];
  /** values along each axis of a grid; empty for points that lie anywhere */
  readonly axes: readonly Float64Array[];
  /** values of the parameters of all points, row by row */
  readonly values: Float64Array;
  readonly directions: readonly SweptPoints[];
}

/** An attractor of a plane of starts. */
export interface FoundAttractor {
  /** periods after which it repeats; 1 of an autonomous model */
  readonly cycle: number;
  /** of an autonomous model: which of the two it is */
  readonly limit?: 'rest' | 'cycle';
  /** of a limit cycle, s; absent where it is the kind of many */
  readonly period?: number;
  /**
   * modulus of the largest multiplier of its orbit, of a limit cycle but that of its phase; null where it is
   * not known
   */
  readonly largest: number | null;
  /**
   * its section points, one after the other, of a limit cycle the corners of a closed polyline; none of a
   * plane with parameters, where it is the kind of many
   */
  readonly points: Float64Array;
  /**
   * of a plane with parameters: events while it repeats once, which with the cycle tell its kind; null where
   * impacts accumulate
   */
  readonly events?: number | null;
  /** part of the starts that come to it */
  readonly share: number;
}

export interface FoundBasins {
  readonly kind: 'basins';
  readonly status: 'done';
  readonly x: NamedQuantity;
  readonly y: NamedQuantity;
  /** values of what is varied across and upwards */
  readonly xValues: Float64Array;
  readonly yValues: Float64Array;
  readonly states: readonly NamedQuantity[];
  /** places of x and y among the states; −1 of parameters */
  readonly places: readonly [number, number];
  /** start of all motions, s; null where it depends on parameters that are varied */
  readonly t0: number | null;
  readonly attractors: readonly FoundAttractor[];
  /** of each start, row by row from below: number of its attractor, or one of the two codes that follow */
  readonly codes: Uint8Array;
  readonly undecided: number;
  readonly notSimulated: number;
  /** periods until it was there */
  readonly periods: Uint32Array;
  /** why the first start that could not be simulated could not */
  readonly failure: string;
  /**
   * of each start: whether no event was missed on its way, and whether the equations hold on the attractor
   * that it comes to, or where it is when the time is over. Absent of results of older versions
   */
  readonly verdicts?: PointVerdicts;
}

export type SingleOutcome =
  FoundOrbit | FoundBranch | FoundExponents | (Failed & { readonly kind: 'orbit' | 'branch' | 'lyapunov' });

export type AnalysisOutcome = SweepOutcome | FoundBasins | SingleOutcome;
