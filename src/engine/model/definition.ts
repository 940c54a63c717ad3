/**
 * Definitions: what a type of model element is, said once.
 *
 * The validator, the published JSON Schema, the inspector form, the palette entry, the generated script types
 * and the reference page are all derived from these objects. A new dynamical system, relation or law is one
 * file with one definition and one line in `registry.ts`.
 */
import type { PluginArgument, PluginKind, PluginSignature, ObservableFunction } from './plugin-signatures';
import type { SparseRows } from '../linalg/sparse';
import type { AnalyticFunction } from './forms';
import type { MatrixFunction, ModelFunction } from './plugin';

/* How a definition's `build` obtains the values of its fields, already evaluated and checked for shape. */

/** A script function together with its name, for messages. */
export interface NamedFunction<K extends 'observable' = 'observable'> {
  name: string;
  call: { observable: ObservableFunction }[K];
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
  text(key: string): string;
  /**
   * @returns `length` values; zeros, or the field's default in all of them, when the field is absent or a
   *   function
   */
  vector(key: string, length: number): Float64Array;
  /** Number of entries the vector field has in the document, 0 when it is absent or a function. */
  vectorLength(key: string): number;
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
  /** Whether it names a script function, known or not. */
  isFunction(key: string): boolean;
  /** @returns the script function the field names; null when it is absent or holds a constant */
  function(key: string): ModelFunction | null;
  /**
   * What is known of the script function the field names, which depends on time alone; null when it is
   * nothing but its values, and where the field names none.
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

export type { PluginArgument, PluginKind };

/**
 * Size of a vector or matrix side, as a number or as a name that is resolved against the element it belongs
 * to.
 */
export type Dimension =
  | number
  /** components of the state x of a first-order system */
  | 'n'
  /** degrees of freedom of a Lagrangian system */
  | 'ndof'
  /** components of a system's control u */
  | 'controlSize'
  /** rows of the relation: length of y and λ */
  | 'size'
  /** components of the external variable z of a relation */
  | 'externalSize'
  /** sum of the sizes of the systems an interaction links, in the order they are listed */
  | 'linkedSize'
  /** rows a law takes at once; the field's own length decides it */
  | 'lawSize'
  /** as many as the field has */
  | 'any';

export type FieldShape =
  | { kind: 'integer'; min: number; max: number }
  | { kind: 'number'; min?: number; max?: number; exclusiveMin?: boolean }
  | { kind: 'text'; maxLength: number }
  /** id of an interaction with a law of impact, name of a parameter, id of a section of the simulation */
  | { kind: 'reference'; to: 'contact' | 'parameter' | 'section' }
  | { kind: 'vector'; length: Dimension }
  | { kind: 'matrix'; rows: Dimension; columns: Dimension }
  | { kind: 'choice'; options: readonly { value: string; label: string; help: string }[] }
  /** name of a script function */
  | { kind: 'function'; plugin: PluginKind }
  /** constant vector or script function that fills one */
  | { kind: 'vectorOrFunction'; length: Dimension; plugin: PluginKind }
  /** constant matrix or script function that fills one, row-major */
  | { kind: 'matrixOrFunction'; rows: Dimension; columns: Dimension; plugin: PluginKind }
  /**
   * list of typed elements of their own, by the key of their definitions; `one` and `many` of them in words
   */
  | { kind: 'elements'; of: 'shapes' | 'axes'; one: string; many: string };

/**
 * What equations of motion are about: states of first order, coordinates of second order, or bodies in space,
 * whose position has a quaternion.
 */
export type Order = 1 | 2 | 'body';

/** A Jacobian that is derived from a script function when its field is left out. */
interface Derivation {
  /** key of the function's field */
  readonly of: string;
  /** name of the argument it is differentiated by, as in the signature of the function */
  readonly by: PluginArgument;
}

export type FieldDefinition = FieldShape & {
  /** key in the document */
  key: string;
  label: string;
  /** LaTeX symbol, as it stands in the equations of the same definition */
  symbol: string;
  /** SI unit; `q` stands for the system's own coordinate unit */
  unit: string;
  required: boolean;
  /**
   * heading under which a form gathers this field with those next to it, closed while none of them is given
   */
  group?: string;
  /** value used when an optional field is absent; absent optional vectors and matrices are zero */
  default?: number | string;
  /** value in a new element, where neither the default nor the least value is of use */
  initial?: number;
  /** of an integrator of several orders: the systems that the field is about; all when left out */
  systems?: Order;
  /** where the field comes from when it is left out */
  derivation?: Derivation;
  help: string;
};

type ElementCategory =
  | 'system'
  | 'relation'
  | 'law'
  | 'shape'
  | 'scheme'
  | 'integrator'
  | 'problem'
  | 'solver'
  | 'impact'
  | 'flight'
  | 'formulation'
  | 'section'
  | 'analysis'
  | 'axis';

/** Serialisable part of a definition: what crosses to the window and to the documentation. */
export interface ElementDefinition {
  category: ElementCategory;
  /** value of `type` in the document */
  type: string;
  title: string;
  summary: string;
  /**
   * Order of the equations of motion: of a system, of the systems a relation may link, of the systems an
   * integrator advances, of the models that a problem or solver belongs to. Absent where it does not matter.
   */
  order?: Order;
  /** of an integrator that advances systems of several orders: all of them */
  advances?: readonly Order[];
  /** of a relation that links systems of certain types only: which, and from how many to how many */
  links?: { readonly types: readonly string[]; readonly least: number; readonly most: number };
  /**
   * of a relation: type of the law that a new interaction starts with, where that is not the first that suits
   */
  law?: string;
  /** of a law: rows it takes at once, where that is more than one and not for its fields to say */
  rows?: number;
  /** LaTeX lines, in the order they are read */
  equations: readonly string[];
  fields: readonly FieldDefinition[];
  /** document with equation number, or paper with DOI */
  source: string;
}

/** Everything the engine offers, by category: the answer of the `catalogue` method. */
export interface Catalogue {
  systems: readonly ElementDefinition[];
  relations: readonly ElementDefinition[];
  laws: readonly ElementDefinition[];
  /** of bodies in space */
  shapes: readonly ElementDefinition[];
  schemes: readonly ElementDefinition[];
  integrators: readonly ElementDefinition[];
  problems: readonly ElementDefinition[];
  solvers: readonly ElementDefinition[];
  /** laws of impacts at several contacts at once */
  impacts: readonly ElementDefinition[];
  /** how the event-driven scheme computes the motion between events */
  flights: readonly ElementDefinition[];
  /** how the event-driven scheme keeps joints together between events */
  formulations: readonly ElementDefinition[];
  /** Poincaré sections that a run takes */
  sections: readonly ElementDefinition[];
  /** what can be found out about a model beyond single runs, and how parameters are varied */
  analyses: readonly ElementDefinition[];
  axes: readonly ElementDefinition[];
  /** signatures of script functions by kind */
  plugins: Readonly<Record<PluginKind, PluginSignature>>;
}
