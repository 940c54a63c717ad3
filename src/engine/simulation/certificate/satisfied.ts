/** Whether what a certificate has found counts as satisfied. */
import type { Certificate } from './certificate';

/** Worst violation that counts as satisfied where the solver was asked for rounding; `TOLERANCE` of the contract is the same number. */
export const SATISFIED = 1e-8;

/** What is not a number is not satisfied. */
export const isSatisfied = ({ complementarity, coneViolation, dynamics, limit = 0 }: Certificate): boolean =>
  Math.max(complementarity, coneViolation, dynamics) <= Math.max(limit, SATISFIED);
