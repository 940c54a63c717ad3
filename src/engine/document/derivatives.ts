/** How the models obtain derivatives of script functions. */
import type { LateFunction, MatrixFunction } from '../model/plugin';
import type { PluginArgument } from '../model/plugin-signatures';
import type { DocumentIssue } from './types';

/** What is to be differentiated: a function of the scripts, by one of its arguments. */
export interface DocumentDerivativeRequest {
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
 * A derivative as it is called: with the arguments of the function, parameters included, and then the array
 * that takes the Jacobian, row by row: as many rows as the result has entries, as many columns as the
 * argument has (1 for a number). The array of the result serves as work space.
 */
export type DerivativeFunction = (...args: unknown[]) => unknown;

export type DocumentDerivativeResult =
  | {
      readonly ok: true;
      readonly call: DerivativeFunction | LateFunction;
      /** whether it is derived from the source, to rounding, and not by differences */
      readonly isExact?: boolean;
    }
  | { readonly ok: false; readonly issue: DocumentIssue };

/** Finds or makes derivatives. A function that cannot be differentiated gives an issue at its line. */
export type DerivativeLookup = (request: DocumentDerivativeRequest) => DocumentDerivativeResult;

/*
 * Jacobians that a model gives although they could be derived: they can be compared with what would be
 * derived.
 */

export interface GivenJacobian {
  /** id of the system or interaction */
  readonly element: string;
  /** JSON pointer to the field it is given in */
  readonly pointer: string;
  /** script function that it is the derivative of */
  readonly function: string;
  /** argument of that function, by which it is the derivative */
  readonly by: PluginArgument;
  /** script function that fills it; null for a constant matrix */
  readonly jacobian: string | null;
  readonly rows: number;
  readonly columns: number;
  /** the matrix as the model gives it; row-major */
  readonly given: MatrixFunction;
  /** the matrix as it would be derived */
  readonly derived: MatrixFunction;
}

/** A Jacobian that the model does not give, so that it is derived. */
export interface DerivedJacobian {
  /** id of the system or interaction */
  readonly element: string;
  /** JSON pointer to the field it could be given in */
  readonly pointer: string;
  /** script function that is differentiated */
  readonly function: string;
  readonly by: PluginArgument;
  /** why it cannot be derived; null where it can */
  readonly issue: DocumentIssue | null;
}
