/** The engine as a library: no Electron, no DOM, no Node. */
export type {
  DocumentIssue,
  DocumentReport,
  InteractionDocument,
  ModelDocument,
  ObservableDocument,
  ParameterDocument,
  ScriptDocument,
  SignalInfo,
  SimulationDocument,
  SystemDocument,
} from './document/types';
export { readDocument } from './document/read';
export { FORMAT_VERSION, jsonSchema } from './document/schema';
export { writeDocument } from './document/write';
export { EventDriven } from './event-driven/event-driven';
export type { EventKind, EventRecord } from './event-driven/event-record';
export { type KinematicLevel, KinematicLevels } from './event-driven/kinematic-levels';
export type { EventDrivenSettings } from './event-driven/settings';
export type { EventDrivenState } from './event-driven/state';
export { EngineError, type EngineErrorDetails } from './errors';
export type { Catalogue, ElementDefinition, FieldDefinition } from './model/definition';
export type {
  DynamicalSystem,
  Interaction,
  NonSmoothDynamicalSystem,
  NonSmoothLaw,
  Relation,
} from './model/nsds';
export { catalogue } from './model/registry';
export { AffineVariationalInequality } from './problems/avi';
export { type ChunkSink, type ChunkSource, MemoryChunks } from './recording/chunks';
export { TrajectoryReader } from './recording/reading';
export { createSandbox, type ScriptSandbox } from './script/sandbox';
export type { IntegratorChoice, LiveInteraction } from './simulation/live-elements';
export { type InteractionGraphView, LiveSimulation, type RemovedSystem } from './simulation/live-simulation';
export { placeState, type StatePlaces } from './simulation/layout';
export { reportDocument } from './simulation/report';
export { prepareRun, RunSession, type RunSpecification } from './simulation/session';
export {
  type EnumeratedSolution,
  type Enumeration,
  type EnumerationLimits,
  enumerateSolutions,
} from './solvers/enumeration';
export type { SimulationState } from './simulation/state';
export type { TimeSteppingSettings } from './simulation/setup';
export { TimeStepping } from './simulation/time-stepping';
export { type ReportedTopology, reportTopology, type TopologyReport } from './simulation/topology-report';
export { createSolver } from './solvers/registry';
export type { Solver, SolverSettings } from './solvers/solver';
export type { SolverResult, SolverStatus } from './solvers/status';
