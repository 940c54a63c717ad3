/**
 * Definitions: what a type of model element is, said once.
 *
 * The validator, the published JSON Schema, the inspector form, the palette entry, the generated script types and
 * the reference page are all derived from these objects. A new dynamical system, relation or law is one file with
 * one definition and one line in `registry.ts`.
 */

/** Symbolic size of a vector or matrix side, resolved against the element it belongs to. */
export type Dimension =
  /** degrees of freedom of the system itself */
  | 'ndof'
  /** rows of the relation: number of gap functions */
  | 'size'
  /** sum of the degrees of freedom of the systems an interaction links, in the order they are listed */
  | 'linkedNdof';

/** Signatures a script function can have; `PLUGIN_SIGNATURES` in `plugin-signatures.ts` gives each its parameters. */
export type PluginKind =
  | 'externalForce'
  | 'prescribedMotion'
  | 'constraint'
  | 'constraintTimeDerivative'
  | 'constraintJacobian'
  | 'observable';

export type FieldShape =
  | { kind: 'integer'; min: number; max: number }
  | { kind: 'number'; min?: number; max?: number; exclusiveMin?: boolean }
  | { kind: 'vector'; length: Dimension }
  | { kind: 'matrix'; rows: Dimension; columns: Dimension }
  | { kind: 'choice'; options: readonly { value: string; label: string; help: string }[] }
  /** name of a script function */
  | { kind: 'function'; plugin: PluginKind }
  /** constant vector or script function that fills one */
  | { kind: 'vectorOrFunction'; length: Dimension; plugin: PluginKind }
  /** constant matrix or script function that fills one, row-major */
  | { kind: 'matrixOrFunction'; rows: Dimension; columns: Dimension; plugin: PluginKind };

export type FieldDefinition = FieldShape & {
  /** key in the document */
  key: string;
  label: string;
  /** LaTeX symbol, as it stands in the equations of the same definition */
  symbol: string;
  /** SI unit; `q` stands for the system's own coordinate unit */
  unit: string;
  required: boolean;
  /** value used when an optional field is absent; absent optional vectors and matrices are zero */
  default?: number | string;
  help: string;
};

export type ElementCategory = 'system' | 'relation' | 'law' | 'integrator' | 'problem' | 'solver';

/** Serialisable part of a definition: what crosses to the window and to the documentation. */
export interface ElementDefinition {
  category: ElementCategory;
  /** value of `type` in the document */
  type: string;
  title: string;
  summary: string;
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
  integrators: readonly ElementDefinition[];
  problems: readonly ElementDefinition[];
  solvers: readonly ElementDefinition[];
}
