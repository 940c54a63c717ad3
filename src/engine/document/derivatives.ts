/** How the models obtain derivatives of script functions. */
import type { DocumentIssue } from './types';

/** What is to be differentiated: a function of the scripts, by one of its arguments. */
export interface DerivativeRequest {
  readonly function: string;
  /** number of its arguments */
  readonly arguments: number;
  /** position of the argument to differentiate by */
  readonly argument: number;
  /** whether that argument is an array of numbers or one number */
  readonly shape: 'vector' | 'scalar';
  /** position of the argument that the function fills */
  readonly result: number;
}

/**
 * A derivative as it is called: with the arguments of the function, parameters included, and then the array that takes
 * the Jacobian, row by row: as many rows as the result has entries, as many columns as the argument has (1 for a
 * number). The array of the result serves as work space.
 */
export type DerivativeFunction = (...args: unknown[]) => unknown;

export type DerivativeResult =
  | {
      readonly ok: true;
      readonly call: DerivativeFunction;
      /** whether it is derived from the source, to rounding, and not by differences */
      readonly isExact?: boolean;
    }
  | { readonly ok: false; readonly issue: DocumentIssue };

/** Finds or makes derivatives. A function that cannot be differentiated gives an issue at its line. */
export type DerivativeLookup = (request: DerivativeRequest) => DerivativeResult;
