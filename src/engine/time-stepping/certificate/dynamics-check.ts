/** What a check of some systems' discrete equations is. */
import type { DynamicsMemory } from '../state';
import type { StepWriter } from '../../straight-line/writer';
import type { Ledger, Residual } from './ledger';

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
  check(ledger: Ledger): void;
  /**
   * Writes `check` as straight-line code: the same operations in the same order. Where it is missing, or
   * returns null without having written anything, `check` is called.
   * @returns the relative residuals to enter
   */
  write?(w: StepWriter): Residual[] | null;
  /** Writes what it remembers of its systems; see `DynamicsMemory`. */
  save(memory: DynamicsMemory): void;
  /** Takes that over, after `start`. */
  load(memory: DynamicsMemory): void;
}
