/** Jacobians that a model gives although they could be derived: they can be compared with what would be derived. */
import type { MatrixFunction } from '../model/plugin';
import type { PluginArgument } from '../model/plugin-signatures';
import type { DocumentIssue } from './types';

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
