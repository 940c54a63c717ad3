/**
 * The model document as TypeScript sees it. `schema.ts` derives the validating schema; this file is its
 * shape.
 */

import type { ScriptPlace } from '../errors';
import type { PowerTaken } from '../model/definition';
import type { Scene } from '../scene/scene';
import type { DashboardDocument } from './views/dashboards';
import type { ViewDocument } from '../../views/documents';

/** A number, or an expression in the model's parameters such as `"2*pi*rpm/60"`. */
export type Expression = number | string;

export interface FunctionReference {
  function: string;
}

/** Outputs of control blocks that a field follows, as expressions of them: constant from sample to sample. */
export interface SignalReference {
  signals: Expression[];
}

/** A matrix by its entries; entries of one place add up, as in finite-element assembly. */
export interface SparseMatrixValue {
  /** number of rows where nothing else decides it; one more than the last row used when absent */
  rows?: number;
  /** [row, column, value], counted from 0 */
  entries: [number, number, Expression][];
}

/** When rows of an interaction are there. */
export interface PresenceDocument {
  type: string;
  condition?: Expression[];
  hysteresis?: Expression;
  start?: string;
  carries?: string;
  /** name of the part that it is the opposite of */
  part?: string;
}

/** Value of a definition's field in the document. */
export type FieldValue =
  | Expression
  | Expression[]
  | Expression[][]
  | SparseMatrixValue
  | FunctionReference
  | SignalReference
  | PresenceDocument
  | TypedElement[];

export interface ParameterDocument {
  name: string;
  value: Expression;
  unit?: string;
  /** slider range; a parameter without one gets no slider */
  min?: number;
  max?: number;
  description?: string;
}

/** Points of measured or computed data, which `table(id, t)` in an expression reads. */
export interface TableDocument {
  id: string;
  description?: string;
  /** unit of the values */
  unit?: string;
  /** after which the points repeat; without one the first and the last value last */
  period?: number;
  /** abscissae, rising; two at one place are a jump */
  t: number[];
  /** values, one for each */
  y: number[];
}

/** A typed element: `type` selects the definition that names the remaining keys. */
export interface TypedElement {
  type: string;
  [field: string]: FieldValue | undefined;
}

export interface SystemDocument extends TypedElement {
  id: string;
}

export interface InteractionDocument {
  id: string;
  /** ids of the linked systems; their coordinates are concatenated in this order */
  systems: string[];
  relation: TypedElement;
  law: TypedElement;
  /** when it is there; absent: always */
  while?: TypedElement;
}

/** A component of a drawn circuit or mechanism; its type says what pins it has. */
export interface ComponentDocument extends TypedElement {
  id: string;
}

/** A sub-model in a drawing: what its definition draws, with values of its own for the parameters. */
export interface InstanceDocument {
  id: string;
  /** id of the definition */
  of: string;
  /** expressions in place of those of the definition, by name of the parameter */
  values?: Record<string, Expression>;
  /** as many of them as an array, `beads[0]`, `beads[1]` …; `index` in values is the place in it */
  count?: number;
  /** of an array: what joins neighbours, one pair of pins or several */
  chain?: ChainDocument | ChainDocument[];
}

/** The pin `from` of each member of an array is joined with the pin `to` of the next. */
export interface ChainDocument {
  from: string;
  to: string;
}

/** What a pin of a sub-model is inside. */
export interface PortDocument {
  /** name of the pin */
  name: string;
  /** id of the wire inside */
  wire: string;
  /** in words */
  label?: string;
  /** side of the box that it stands at; the first half left, the others right where it is left out */
  side?: 'left' | 'right' | 'top' | 'bottom';
}

/** A parameter of a sub-model. */
export interface SubmodelParameter {
  name: string;
  /** where an instance gives none */
  value: Expression;
  unit?: string;
  description?: string;
}

/** A component of one’s own: components and wires behind pins, with parameters. */
export interface SubmodelDocument {
  id: string;
  title?: string;
  description?: string;
  /** type of the component whose symbol stands in its box */
  icon?: string;
  ports: PortDocument[];
  parameters: SubmodelParameter[];
  components: ComponentDocument[];
  /** sub-models inside */
  instances?: InstanceDocument[];
  wires: WireDocument[];
  layout?: LayoutDocument;
}

/** A library that definitions of the document are copies of. */
export interface LibraryDocument {
  /** what it calls itself */
  name: string;
  /** SHA-256 of its content, which tells whether the copies are what it holds */
  hash: string;
  /** ids of its definitions */
  submodels: string[];
}

/** A wire: all pins in its list are joined. */
export interface WireDocument {
  id: string;
  /** `component.pin`; a pin is at one wire at most */
  ends: string[];
}

export interface ObservableDocument {
  name: string;
  unit?: string;
  description?: string;
  /** expression of signals and parameters, e.g. `"follower.q - cam.gap"` */
  expression?: string;
  /** script function (t, q, v, p) => number of one system */
  function?: string;
  system?: string;
}

export interface ScriptDocument {
  name: string;
  /**
   * `functions`: plug-in functions called during the run; `builder`: adds systems and interactions before it
   */
  role: 'functions' | 'builder';
  /** source text, one entry a line, so that a diff of the document shows the lines that changed */
  source: string[];
}

/** An integrator and the systems it advances. */
export interface IntegratorDocument extends TypedElement {
  /** ids of its systems; without them it takes every system of its order that no other integrator names */
  systems?: string[];
}

/** Newton's method on the equations of one step. */
interface NewtonDocument {
  /** largest residual accepted, relative to the terms of the equation */
  tolerance?: Expression;
  maxIterations?: number;
}

/** Choice of the step by an estimate of its error. */
export interface StepControlDocument {
  /** error accepted in a step, relative to the state */
  tolerance: Expression;
  /** s */
  hMin: Expression;
  /** s */
  hMax: Expression;
}

/** Where Jacobians come from that the model does not give. */
export type Derivatives = 'automatic' | 'finite-differences';

/** Schemes a model can be simulated by; each has its definition in `model/settings/schemes.ts`. */
export type SchemeName = 'time-stepping' | 'event-driven';

/** Settings of the event-driven scheme; what is left out has a default. */
export interface EventDrivenDocument {
  /** how the motion between events is computed */
  flight?: TypedElement;
  /** how joints are kept together between events */
  constraints?: TypedElement;
  /** height of a bounce, relative to the lengths at hand, below which a contact stays closed */
  smallestBounce?: Expression;
  /** events within one step h before they count as infinitely many */
  maxEventsPerStep?: number;
  /**
   * times at which forces or functions of time jump, s, one by one or with a period: the integration stops
   * there and starts afresh
   */
  jumps?: (Expression | PeriodicJumpsDocument)[];
  /** s: longest step of the integration where conditions in scripts cannot be followed; h when absent */
  fastest?: Expression;
}

/** Jumps at from, from + every, from + 2 every, …, up to `until` or the end of the run; s. */
export interface PeriodicJumpsDocument {
  from: Expression;
  every: Expression;
  until?: Expression;
}

/** Something to be found out about the model; its kinds have their definitions in `model/analyses`. */
export interface AnalysisDocument extends TypedElement {
  id: string;
  title?: string;
}

/** A Poincaré section; its kinds have their definitions in `model/settings/sections.ts`. */
export interface SectionDocument extends TypedElement {
  id: string;
  title?: string;
}

export interface SimulationDocument {
  scheme: SchemeName;
  t0: Expression;
  tEnd: Expression;
  /** time step, s */
  h: Expression;
  /** largest error of a signal of a run that counts as accurate, in parts of its range; 0.01 when absent */
  accuracy?: Expression;
  /** systems that none of them takes get the default of their order */
  integrators: IntegratorDocument[];
  problem: TypedElement;
  solver: TypedElement;
  /** law of impacts at several contacts at once; Newton’s when absent */
  impacts?: TypedElement;
  newton?: NewtonDocument;
  stepControl?: StepControlDocument;
  derivatives?: Derivatives;
  eventDriven?: EventDrivenDocument;
  recording?: {
    /** keep every n-th step, default 1 */
    every?: number;
    /** names of the recorded signals; absent means all */
    signals?: string[];
    /** false keeps the first and the last row only, and the sections; default true */
    trajectory?: boolean;
  };
  /** Poincaré sections that a run takes */
  sections?: SectionDocument[];
}

export type { AnimationCamera, AnimationOverlay, AnimationView } from '../../views/animation/document';
export type { BasinsView } from '../../views/basins/document';
export type { ColourOptions, ColourScale, HeatMapView } from '../../views/heat-map/document';
export type { BifurcationView, DiagramPartName } from '../../views/bifurcation/document';
export type {
  Annotation,
  CurveStyle,
  FixedRange,
  LegendPlace,
  LineStyle,
  PlaneAnnotation,
  PlaneEnds,
  PlaneMarks,
  PlaneOptions,
  PlotAxis,
} from './views/common';
export type { PhasePortraitView } from '../../views/phase-portrait/document';
export type { DashboardDocument, DashboardLayout, DashboardTabs } from './views/dashboards';
export type { ViewDocument } from '../../views/documents';
export type { SectionView } from '../../views/section/document';
export type { AttractorView } from '../../views/attractor/document';
export type { CertificateView, ResidualKind } from '../../views/certificate/document';
export type { EnergyLedgerView } from '../../views/energy-ledger/document';
export type { IndexSetsView } from '../../views/index-sets/document';
export type { MatrixLook, MatrixStyle, MatrixView } from '../../views/matrix/document';
export type { SpectrumView } from '../../views/spectrum/document';
export type { NumberStyle, TableView } from '../../views/table/document';
export type { TimeSeriesView } from '../../views/time-series/document';

/** Units that values are shown in. Their numbers stay in the units of the model. */
interface DisplayUnitsDocument {
  /** shown unit by the model’s, such as mm by m */
  units?: Record<string, string>;
  /** of single parameters, by name, in place of the others */
  parameters?: Record<string, string>;
}

/** Colours of groups and notes; the theme says what they look like. */
export type LayoutColour = 'grey' | 'blue' | 'green' | 'yellow' | 'red' | 'purple';

/** A named frame around nodes of the graph. */
export interface GroupDocument {
  id: string;
  name: string;
  /** absent: grey */
  colour?: LayoutColour;
  /** ids of systems, interactions and notes */
  members: string[];
  /** one card stands for its members; default false */
  collapsed?: boolean;
}

/** A text card in the graph. */
export interface NoteDocument {
  id: string;
  /** Markdown */
  text: string;
  /** absent: yellow */
  colour?: LayoutColour;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Where an element is drawn. */
export interface NodePlace {
  x: number;
  y: number;
  /** of a component: quarter turns clockwise; default 0 */
  turns?: number;
  /** of a component: left and right exchanged before it is turned; default false */
  mirrored?: boolean;
}

/** How the graph is drawn. */
export interface LayoutDocument {
  /** node positions by element id; of components the centre of the symbol */
  nodes: Record<string, NodePlace>;
  /** of wires that have been laid by hand: polylines with right angles, by id of the wire */
  wires?: Record<string, { x: number; y: number }[][]>;
  groups?: GroupDocument[];
  notes?: NoteDocument[];
}

export interface ModelDocument {
  formatVersion: number;
  title: string;
  description?: string;
  references?: string[];
  parameters: ParameterDocument[];
  /** data that expressions read */
  tables?: TableDocument[];
  systems: SystemDocument[];
  interactions: InteractionDocument[];
  /** what is drawn of components; they become systems and interactions before a run */
  components?: ComponentDocument[];
  /** sub-models that are drawn */
  instances?: InstanceDocument[];
  wires?: WireDocument[];
  /** components of one’s own */
  submodels?: SubmodelDocument[];
  /** libraries that some of these are of */
  libraries?: LibraryDocument[];
  simulation: SimulationDocument;
  observables: ObservableDocument[];
  scripts: ScriptDocument[];
  /** what is found out about the model beyond single runs */
  analyses?: AnalysisDocument[];
  /** what is looked at; physics never reads them */
  views: ViewDocument[];
  /** where the views are shown; absent: one below the other */
  dashboards?: DashboardDocument[];
  /** units on the screen; physics never reads them */
  displayUnits?: DisplayUnitsDocument;
  /** the graph; physics never reads it */
  layout: LayoutDocument;
}

/** One defect of a document: where, what and how to mend it. */
export interface DocumentIssue {
  severity: 'error' | 'warning';
  /** stable identifier of the rule, e.g. `matrix-shape` */
  code: string;
  /** JSON pointer (RFC 6901) into the document */
  pointer: string;
  /** id of the system, interaction, parameter, observable or script concerned */
  element?: string;
  message: string;
  remedy: string;
  /** for defects inside a script: 1-based position in it */
  script?: { name: string; line: number; column: number };
  /** edits of the document, each of which mends it; the one that changes least first */
  mends?: Mend[];
}

/** An edit of the document that mends a defect. */
export interface Mend {
  /** what it does, as on a button: “Place a ground at “n1”” */
  label: string;
  steps: MendStep[];
  /** id of the sub-model that it changes; its ids and pointers are those inside */
  inside?: string;
}

export type MendStep =
  /** near: a pin that it is drawn beside */
  | { do: 'add'; component: ComponentDocument; near: string }
  | { do: 'join'; ends: [string, string] }
  /** takes a pin off its wire, which stays */
  | { do: 'release'; end: string }
  | { do: 'remove'; id: string }
  /** null takes away what is there */
  | { do: 'set'; pointer: string; value: FieldValue | null }
  /** list: pointer to the parameters it comes to */
  | { do: 'parameter'; list: string; parameter: ParameterDocument };

export type SignalKind =
  | 'time'
  | 'state'
  | 'position'
  | 'velocity'
  | 'gap'
  | 'gapVelocity'
  | 'output'
  | 'outputVelocity'
  | 'impulse'
  | 'multiplier'
  | 'energy'
  | 'held'
  | 'presence'
  | 'component'
  | 'observable';

/** A recorded or recordable quantity. */
export interface SignalInfo {
  name: string;
  /** SI unit, empty when dimensionless */
  unit: string;
  kind: SignalKind;
  /** id of the system or interaction it belongs to */
  element?: string;
  description: string;
  /** of the power that a component takes: whether that is stored and given back */
  power?: PowerTaken;
}

/** What is known of a document without running it: the live feedback of every view. */
export interface DocumentReport {
  issues: DocumentIssue[];
  /** value of every parameter whose expression can be evaluated */
  parameters: Record<string, number>;
  /** value of every expression string in the document by JSON pointer */
  values: Record<string, number>;
  /** signals a run of this document records, in recording order; empty while it has errors */
  signals: SignalInfo[];
  /** exported names of each script that compiles, by script name */
  exports: Record<string, string[]>;
  /** generated TypeScript declarations for the script editor */
  typings: string;
  /**
   * 3D bodies as an animation draws them, at the start; absent where there are none, or while it has
   * errors
   */
  scene?: Scene;
  /** what components have become; absent where there are none, or while they have errors */
  drawn?: {
    systems: SystemDocument[];
    interactions: InteractionDocument[];
    /** names of states and sources of each system, and of rows of each interaction, by their ids */
    labels: Record<
      string,
      {
        rows: readonly string[];
        /** of a system: paths of the components that move in it, and of the instances around them */
        names?: readonly string[];
        of?: 'states' | 'coordinates' | 'rows';
        units?: readonly (string | null)[];
        sources?: readonly string[];
      }
    >;
  };
  /** elements a builder script added; absent without one */
  built?: {
    systems: SystemDocument[];
    interactions: InteractionDocument[];
    /** line of the script that added each of them, in the same order */
    origins?: { systems: (ScriptPlace | null)[]; interactions: (ScriptPlace | null)[] };
    /** what each script draws; a wire that is there already gets these ends, too */
    drawings?: {
      script: string;
      components: ComponentDocument[];
      instances: InstanceDocument[];
      wires: WireDocument[];
    }[];
  };
}
