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
import { type NonSmoothDynamicalSystem, rowName } from '../../model/nsds';
import type { StepWriter } from '../../straight-line/writer';
import type { DynamicsMemory } from '../state';

/**
 * A register of time-stepping. Each part of the certificate is one quantity: that of the equations of motion
 * by coordinate, those of laws and their bounds by row, those of resets by reset.
 */
export type StepMaxima = ResidualMaxima<'dynamics' | 'law' | 'bounds' | 'jump' | 'guard'>;

/** What resets are judged by, among the quantities. */
export const [JUMP, GUARD] = [3, 4];

export function createStepMaxima({
  systems,
  interactions,
  resets = [],
}: NonSmoothDynamicalSystem): StepMaxima {
  const coordinates = systems.flatMap(({ id, form }) => Array.from({ length: form.size }, () => id));
  const rows = interactions.flatMap((one) =>
    Array.from({ length: one.relation.size }, (_, row) => rowName(one, row)),
  );
  const jumps = resets.map(({ id }) => id);
  return new ResidualMaxima([
    { name: 'dynamics', kind: DYNAMICS, elements: coordinates },
    { name: 'law', kind: COMPLEMENTARITY, elements: rows },
    { name: 'bounds', kind: CONE, elements: rows },
    { name: 'jump', kind: DYNAMICS, elements: jumps },
    { name: 'guard', kind: COMPLEMENTARITY, elements: jumps },
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
  /** A source has jumped at the present; absent where nothing is kept of the end of a step. */
  inputsChanged?(): void;
  /**
   * Writes the positions that velocities lead to into `reached`, before `check`; where they are projected.
   */
  reach?(): void;
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
