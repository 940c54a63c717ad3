/** How a definition's `build` obtains the values of its fields, already evaluated and checked for shape. */
import type { PluginKind } from './definition';
import type { PluginFunctions } from './plugin-signatures';

/** A script function together with its name, for messages. */
export interface NamedFunction<K extends PluginKind = PluginKind> {
  name: string;
  call: PluginFunctions[K];
}

export interface FieldReader {
  /** id of the element the fields belong to */
  readonly element: string;
  /** defects reported so far: a check that builds on others compares it before and after */
  readonly issueCount: number;
  has(key: string): boolean;
  /** @returns the value, its default, or NaN after a reported defect */
  number(key: string): number;
  /** @returns the option chosen or the default */
  choice(key: string): string;
  /** @returns `length` values; zeros when the field is absent */
  vector(key: string, length: number): Float64Array;
  /** @returns rows × columns values, row-major, NaN after a reported defect; null when the field is absent */
  matrix(key: string, rows: number, columns: number): Float64Array | null;
  /** Number of rows the matrix field has in the document, 0 when it is absent. */
  matrixRows(key: string): number;
  /** @returns null when the field is absent or holds a constant */
  function<K extends PluginKind>(key: string, kind: K): NamedFunction<K> | null;
  /** Reports a defect of a field that only the element itself can judge. */
  reject(key: string, code: string, message: string, remedy: string): void;
}
