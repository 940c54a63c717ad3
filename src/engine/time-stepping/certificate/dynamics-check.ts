/**
 * What a check of some systems' discrete equations is, and the register that it hands its residuals in to.
 */
import {
  COMPLEMENTARITY,
  CONE,
  DYNAMICS,
  ResidualMaxima,
  type WrittenResidual,
} from '../../certificate/residual-maxima';
import type { NonSmoothDynamicalSystem } from '../../model/nsds';
import type { StepWriter } from '../../straight-line/writer';
import type { DynamicsMemory } from '../state';
import type { CheckContext } from './relations';

/* What of a step is not finite, found once the time loop has been told that something is not. */

export interface StepDefect {
  readonly what: 'state' | 'multiplier' | 'energy' | 'residual';
  /** id of the system or interaction; null when none can be named */
  readonly element: string | null;
  /** of which condition, in words; null unless it is a residual */
  readonly residual: string | null;
}

const hasDefect = (x: Float64Array): boolean => x.some((value) => !Number.isFinite(value));

/**
 * The first of these that is not finite, since each follows from the ones before it: state, multipliers,
 * energy, residuals.
 * @param energies of the present state, J
 */
export function findDefect(
  { systems, interactions }: NonSmoothDynamicalSystem,
  { state, offsets, q, v }: CheckContext,
  lambda: Float64Array,
  energies: readonly number[],
  maxima: StepMaxima,
): StepDefect {
  const phase = (i: number): Float64Array =>
    Float64Array.of(
      ...state.subarray(q + offsets[i], q + offsets[i + 1]),
      ...state.subarray(v + offsets[i], v + offsets[i + 1]),
    );
  const broken = systems.find((_, i) => hasDefect(phase(i)));
  if (broken !== undefined) return { what: 'state', element: broken.id, residual: null };
  let row = 0;
  for (const { id, relation } of interactions) {
    if (hasDefect(lambda.subarray(row, row + relation.size)))
      return { what: 'multiplier', element: id, residual: null };
    row += relation.size;
  }
  if (energies.some((energy) => !Number.isFinite(energy))) {
    // Squares overflow long before what is squared: the system that has grown most is the one to look at.
    const sizes = systems.map((_, i) => phase(i).reduce((most, value) => Math.max(most, Math.abs(value)), 0));
    const largest = systems.at(sizes.indexOf(Math.max(...sizes)));
    return { what: 'energy', element: largest?.id ?? null, residual: null };
  }
  return { what: 'residual', element: maxima.worstElement, residual: maxima.overflown };
}

/**
 * A register of time-stepping. Each part of the certificate is one quantity: that of the equations of motion
 * by coordinate, those of laws and their bounds by row.
 */
export type StepMaxima = ResidualMaxima<'dynamics' | 'law' | 'bounds'>;

export function createStepMaxima({ systems, interactions }: NonSmoothDynamicalSystem): StepMaxima {
  const coordinates = systems.flatMap(({ id, form }) => Array.from({ length: form.size }, () => id));
  const rows = interactions.flatMap(({ id, relation }) => Array.from({ length: relation.size }, () => id));
  return new ResidualMaxima([
    { name: 'dynamics', kind: DYNAMICS, elements: coordinates },
    { name: 'law', kind: COMPLEMENTARITY, elements: rows },
    { name: 'bounds', kind: CONE, elements: rows },
  ]);
}

/**
 * Part of |M| |u| that rounding leaves in M (u⁺ − u⁻), a few operations of half a unit each. It is taken off
 * a residual: where a system rests, or the step is so short that forces hardly change it, the residual is
 * nothing else.
 */
export const CANCELLATION = 16 * Number.EPSILON;

export interface DynamicsCheck {
  /** Takes the initial state. */
  start(): void;
  /** Follows a change of the step length, where something depends on it beforehand. */
  changeStep?(): void;
  /** Enters the residuals of one step. */
  check(maxima: StepMaxima): void;
  /**
   * Writes `check` as straight-line code: the same operations in the same order. Where it is missing, or
   * returns null without having written anything, `check` is called.
   * @returns the relative residuals to enter
   */
  write?(w: StepWriter): WrittenResidual[] | null;
  /** Writes what it remembers of its systems; see `DynamicsMemory`. */
  save(memory: DynamicsMemory): void;
  /** Takes that over, after `start`. */
  load(memory: DynamicsMemory): void;
}
