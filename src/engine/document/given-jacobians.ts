/** Jacobians that a model gives although they could be derived: they can be compared with what would be derived. */
import type { MatrixFunction } from '../model/plugin';
import type { PluginArgument } from '../model/plugin-signatures';

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
