/** How a definition's `build` obtains the values of its fields, already evaluated and checked for shape. */
import type { SparseRows } from '../linalg/sparse';
import type { AnalyticFunction } from './analytic-function';
import type { MatrixFunction, ModelFunction } from './plugin';
import type { ObservableFunction } from './plugin-signatures';

/** A script function together with its name, for messages. */
export interface NamedFunction<K extends 'observable' = 'observable'> {
  name: string;
  call: { observable: ObservableFunction }[K];
}

/** A number that is read off a row of the result: what it says, and where it stands in the document. */
export interface SignalExpression {
  readonly text: string;
  /** JSON pointer */
  readonly pointer: string;
}

export interface FieldReader {
  /** id of the element the fields belong to */
  readonly element: string;
  /** defects reported so far, not warnings: a check that builds on others compares it before and after */
  readonly defectCount: number;
  has(key: string): boolean;
  /** @returns the value, its default, or NaN after a reported defect */
  number(key: string): number;
  /** @returns the option chosen or the default */
  choice(key: string): string;
  text(key: string): string;
  /**
   * @returns `length` values; zeros, or the field's default in all of them, when the field is absent or a
   *   function
   */
  vector(key: string, length: number): Float64Array;
  /** Number of entries the vector field has in the document, 0 when it is absent or a function. */
  vectorLength(key: string): number;
  /** Expressions in signals that a field lists, with their places; none when it is absent. */
  signals(key: string): readonly SignalExpression[];
  /** An expression that is read while the model runs, with its place; an empty one when it is absent. */
  expression(key: string): SignalExpression;
  /** Ids of the components that a field lists. */
  components(key: string): readonly string[];
  /**
   * @returns rows × columns values, row-major, NaN after a reported defect; null when the field is absent or
   *   a function
   */
  matrix(key: string, rows: number, columns: number): Float64Array | null;
  /** The same without expanding it; columns of each row ascend, no place stands twice. */
  sparseMatrix(key: string, rows: number, columns: number): SparseRows | null;
  /** Number of rows the matrix field has in the document, 0 when it is absent or a function. */
  matrixRows(key: string): number;
  /**
   * Number of columns it has there, 0 when it is absent or a function; of a matrix by entries those up to its
   * last one.
   */
  matrixColumns(key: string): number;
  /** The elements a field lists, each with a reader of its own fields. */
  elements(key: string): readonly { readonly type: string; readonly fields: FieldReader }[];
  /** The element that a field holds, with a reader of its own fields; null when it is absent. */
  typed(key: string): { readonly type: string; readonly fields: FieldReader } | null;
  /** Whether it names a script function, known or not. */
  isFunction(key: string): boolean;
  /** @returns the script function the field names; null when it is absent or holds a constant */
  function(key: string): ModelFunction | null;
  /**
   * What is known of the script function the field names, which depends on time alone; null when it is
   * nothing but its values, depends on coordinates that it is given, and where the field names none.
   */
  analytic(key: string, length: number): AnalyticFunction | null;
  /** A matrix that the field holds or a script function fills; null when it is absent. */
  matrixFunction(key: string, rows: number, columns: number): MatrixFunction | null;
  /**
   * A Jacobian: the field itself where it is given, else the derivative of the function its definition names.
   * Where that function is a constant or absent the Jacobian is zero. A function that cannot be
   * differentiated is reported.
   */
  jacobian(key: string, rows: number, columns: number): MatrixFunction;
  /**
   * The derivative of the function of field `of` by its argument `by`, where a Jacobian consists of several.
   * @param instead key of the field in which the whole Jacobian can be given
   */
  derivative(of: string, by: string, rows: number, columns: number, instead: string): MatrixFunction;
  /**
   * The derivative of the function of field `of` by its argument `by`, to rounding; zero where it has no such
   * argument.
   * @returns null where the source cannot be differentiated or differences are chosen: that is no defect
   */
  exactDerivative(of: string, by: string, rows: number, columns: number): MatrixFunction | null;
  /** Reports a defect of a field that only the element itself can judge. */
  reject(key: string, code: string, message: string, remedy: string): void;
  /** The same for what is legal and probably not meant. */
  warn(key: string, code: string, message: string, remedy: string): void;
}
