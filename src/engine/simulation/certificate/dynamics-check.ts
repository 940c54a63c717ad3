/** What a check of some systems' discrete equations is. */
import type { DynamicsMemory } from '../state';
import type { Ledger } from './ledger';

/**
 * Change of a state over a step, relative to the state, below which a residual is measured by the state itself: of a
 * system that rests, the change is nothing but rounding, and so is its residual.
 */
export const SMALLEST_CHANGE = 1e-6;

export interface DynamicsCheck {
  /** Takes the initial state. */
  start(): void;
  /** Follows a change of the step length, where something depends on it beforehand. */
  changeStep?(): void;
  /** Enters the residuals of one step. */
  check(ledger: Ledger): void;
  /** Writes what it remembers of its systems; see `DynamicsMemory`. */
  save(memory: DynamicsMemory): void;
  /** Takes that over, after `start`. */
  load(memory: DynamicsMemory): void;
}
