/** A branch of periodic orbits: what is asked for, and what is found. */
import type { EventRecord } from '../../event-driven/event-record';
import type { Eigenvalues } from '../../linalg/eigenvalues';
import type { FlowImage } from '../stability/flow-map';
import type { MotionModel } from '../stability/motion-model';

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

/* The contacts and switches of orbits, one after the other, whatever their times. */

type Events = readonly EventRecord[];

const same = (a: EventRecord, b: EventRecord): boolean => a.kind === b.kind && a.element === b.element;

export function sameEvents(a: Events, b: Events): boolean {
  return a.length === b.length && a.every((event, k) => same(event, b[k]));
}

/** Whether one sequence is the other with one event put in. */
export function differByOne(a: Events, b: Events): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (long.length !== short.length + 1) return false;
  let k = 0;
  while (k < short.length && same(short[k], long[k])) k++;
  return short.slice(k).every((event, l) => same(event, long[k + l + 1]));
}

/** The model at a value of the parameter; forced with a period. */
export interface ForcedMotion {
  readonly motion: MotionModel;
  /** s; of an orbit of several periods of the forcing, all of them */
  readonly period: number;
  /** start of the orbit, s: the same phase of the forcing at all values */
  readonly t0: number;
}

/* What multipliers of orbits say of their branch. */

/** Those of an autonomous orbit without the one that stands for its free phase: the nearest to 1. */
export function withoutNeutral({ real, imaginary, isComplete }: Eigenvalues): Eigenvalues {
  const apart = Array.from(real, (re, k) => Math.hypot(re - 1, imaginary[k]));
  const neutral = apart.indexOf(Math.min(...apart));
  return {
    real: real.filter((_, k) => k !== neutral),
    imaginary: imaginary.filter((_, k) => k !== neutral),
    isComplete,
  };
}

/** Largest modulus; 0 where there is none. */
export const modulus = ({ real, imaginary }: Eigenvalues): number =>
  Math.max(0, ...Array.from(real, (re, k) => Math.hypot(re, imaginary[k])));

/** Π (μ + shift), which is real. */
export function productWith({ real, imaginary }: Eigenvalues, shift: number): number {
  let product = 1;
  for (let k = 0; k < real.length; k++) {
    if (imaginary[k] === 0) product *= real[k] + shift;
    else if (imaginary[k] > 0) product *= (real[k] + shift) ** 2 + imaginary[k] ** 2;
  }
  return product;
}

/** Largest modulus of a complex pair; NaN where there is none. */
export function largestPair({ real, imaginary }: Eigenvalues): number {
  let largest = NaN;
  for (let k = 0; k < real.length; k++) {
    const size = Math.hypot(real[k], imaginary[k]);
    if (imaginary[k] !== 0 && !(size <= largest)) largest = size;
  }
  return largest;
}
