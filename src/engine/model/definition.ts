/**
 * Definitions: what a type of model element is, said once.
 *
 * The validator, the published JSON Schema, the inspector form, the palette entry, the generated script types
 * and the reference page are all derived from these objects. A new dynamical system, relation or law is one
 * file with one definition and one line in `registry.ts`.
 */
import type { PluginArgument, PluginKind, PluginSignature } from './plugin-signatures';

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
  /**
   * id of an interaction with a law of impact, name of a parameter, id of a section of the simulation, id of
   * a first-order system, id of a table
   */
  | { kind: 'reference'; to: 'contact' | 'parameter' | 'section' | 'firstOrderSystem' | 'table' }
  | { kind: 'vector'; length: Dimension }
  /** list of expressions in signals and parameters, read when a control block is sampled */
  | { kind: 'signals'; length: Dimension }
  /** expression that is read while the model runs: of time and parameters, or of signals, too */
  | { kind: 'expression'; of: 'time' | 'signals' }
  /** ids of other components */
  | { kind: 'components'; of: string }
  | { kind: 'matrix'; rows: Dimension; columns: Dimension }
  | { kind: 'choice'; options: readonly { value: string; label: string; help: string }[] }
  /** name of a script function; where it has a length, expressions of the time as well */
  | { kind: 'function'; plugin: PluginKind; length?: Dimension }
  /**
   * vector of numbers, or of expressions of the time where its function takes it; script function that fills
   * one; or expressions of outputs of control blocks
   */
  | { kind: 'vectorOrFunction'; length: Dimension; plugin: PluginKind }
  /** the same of a matrix, row-major */
  | { kind: 'matrixOrFunction'; rows: Dimension; columns: Dimension; plugin: PluginKind }
  /**
   * list of typed elements of their own, `of` a group of the catalogue; `one` and `many` of them in words
   */
  | { kind: 'elements'; of: 'shapes' | 'axes' | 'rowLaws'; one: string; many: string }
  /** one typed element of its own, of a group of the catalogue */
  | { kind: 'element'; of: 'presences' };

/**
 * What equations of motion are about: states of first order, coordinates of second order, 3D bodies, whose
 * position has a quaternion, or signals that change at samples only.
 */
export type Order = 1 | 2 | 'body' | 'signal';

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

/** What flows through a pin, and what is the same at all pins of a wire. */
export type Domain = 'electrical' | 'translational' | 'rotational' | 'signal';

/** Where a wire is attached to a component. */
export interface PinDefinition {
  /** key in the ends of wires, as in `R1.a` */
  readonly name: string;
  readonly label: string;
  readonly domain: Domain;
  /** of signals only */
  readonly direction?: 'in' | 'out';
  /** whether nothing is missing where no wire is at it, as at the free side of a mass */
  readonly isFree?: true;
  /** in the grid of the symbol, from its centre, y downwards */
  readonly x: number;
  readonly y: number;
}

/** How a component is drawn: lines in a grid whose pins are at multiples of 20, from its centre. */
export interface ComponentSymbol {
  /** half of its width and height */
  readonly width: number;
  readonly height: number;
  /** SVG paths that are stroked */
  readonly lines: readonly string[];
  /** place among them of a body that is seen to move */
  readonly moves?: number;
  /** SVG paths that are filled */
  readonly areas?: readonly string[];
  readonly texts?: readonly { readonly x: number; readonly y: number; readonly text: string }[];
}

/** A quantity of a component that is recorded as `id.name`. */
/** What becomes of the power that a component takes. */
export type PowerTaken = 'taken' | 'stored';

export interface ComponentQuantity {
  readonly name: string;
  readonly unit: string;
  readonly description: string;
  /** of the power that the component takes: whether that is stored and given back, zero over a period */
  readonly power?: PowerTaken;
}

type ElementCategory =
  | 'component'
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
  | 'axis'
  | 'presence';

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
  /** of a control block: its output, a signal of this name */
  output?: { readonly name: string; readonly symbol: string; readonly description: string };
  /** of a relation that links systems of certain types only: which, and from how many to how many */
  links?: { readonly types: readonly string[]; readonly least: number; readonly most: number };
  /**
   * of a relation: type of the law that a new interaction starts with, where that is not the first that suits
   */
  law?: string;
  /** of a law: rows it takes at once, where that is more than one and not for its fields to say */
  rows?: number;
  /** of a component: where wires are attached */
  pins?: readonly PinDefinition[];
  /** of a component */
  symbol?: ComponentSymbol;
  /** of a component: heading under which the palette has it */
  family?: string;
  /** of a component: what is recorded of it */
  quantities?: readonly ComponentQuantity[];
  /** words by which users look for it, beside those of its title */
  words?: readonly string[];
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
  /** what the law `PerRow` is a list of */
  rowLaws: readonly ElementDefinition[];
  /** of 3D bodies */
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
  /** what circuits and mechanisms are drawn of */
  components: readonly ElementDefinition[];
  /** when an interaction is there */
  presences: readonly ElementDefinition[];
  /** signatures of script functions by kind */
  plugins: Readonly<Record<PluginKind, PluginSignature>>;
}
