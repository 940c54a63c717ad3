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
export type { Branch, ContinuationSettings } from './analysis/continuation/branch';
export { followBranch } from './analysis/continuation/continuation';
export type { ForcedMotion } from './analysis/continuation/branch';
export { followFlow, type FlowImage, type FlowResult } from './analysis/stability/flow-map';
export { lyapunovSpectrum, type LyapunovResult, type LyapunovSettings } from './analysis/stability/lyapunov';
export { MotionModel, type MotionSettings } from './analysis/stability/motion-model';
export {
  findOrbit,
  type OrbitResult,
  type OrbitSettings,
  type PeriodicOrbit,
} from './analysis/stability/periodic-orbit';
export type { MappedPoint as SectionPoint, ShootingSection } from './analysis/stability/section-map';
export {
  findSectionOrbit,
  type SectionOrbit,
  type SectionOrbitResult,
  type SectionOrbitSettings,
} from './analysis/stability/section-orbit';
export { computePoint, type PointResult, sweepColumns } from './analysis/sweep/compute-point';
export type { SectionRequest, SweepJob, SweepPlan } from './analysis/sweep/job';
export { sweepChains, sweepPoints } from './analysis/sweep/job';
export { type Overlap, overlaps } from './collision/contact-detection';
export { ContactDetection, type DetectionSettings, GROUND } from './collision/contact-detection';
export { box } from './model/shapes/box';
export { capsule } from './model/shapes/capsule';
export { convexHull } from './collision/shapes/convex-hull';
export { cylinder } from './model/shapes/cylinder';
export { ellipsoid } from './model/shapes/ellipsoid';
export { heightField } from './model/shapes/height-field';
export { plane } from './model/shapes/plane';
export { polyhedron } from './model/shapes/polyhedron';
export type { Shape } from './collision/shapes/shape';
export { sphere } from './model/shapes/sphere';
export { ContactDynamicsCertificate } from './contact-dynamics/certificate/certificate';
export {
  ContactDynamics,
  type ContactDynamicsSettings,
  type ContactDynamicsStatus,
} from './contact-dynamics/contact-dynamics';
export type { ContactMaterial } from './model/contact-laws/registry';
export type { ContactList, ContactSource } from './contact-dynamics/contacts/contact-list';
export { DetectedContacts, type PairMaterials } from './contact-dynamics/contacts/detected-contacts';
export { ENERGY } from './contact-dynamics/energy-terms';
export { rankOf } from './linalg/cholesky';
export { readDocument } from './document/read';
export { FORMAT_VERSION, jsonSchema } from './document/schema';
export { writeDocument } from './document/write';
export { EventDriven } from './event-driven/event-driven';
export type { EventKind, EventRecord } from './event-driven/event-record';
export { type KinematicLevel, KinematicLevels } from './event-driven/rows/kinematic-levels';
export type { EventDrivenSettings } from './event-driven/settings';
export type { EventDrivenState } from './event-driven/assembly';
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
export { FrictionContactProblem } from './problems/friction-contact';
export { type ChunkSink, type ChunkSource, MemoryChunks } from './recording/chunks';
export { TrajectoryReader } from './recording/reading';
export { createSandbox, type ScriptSandbox } from './script/sandbox';
export type { IntegratorChoice, LiveInteraction } from './time-stepping/live-simulation';
export {
  type InteractionGraphView,
  LiveSimulation,
  type RemovedSystem,
} from './time-stepping/live-simulation';
export { placeState, type StatePlaces } from './model/state-places';
export { reportDocument } from './preparation/report';
export {
  changedParameters,
  type ContinuationChoice,
  continuedRun,
  readState,
  type SavedRun,
  writeState,
} from './run/continuation';
export { prepareRun, RunSession, type RunSpecification } from './run/session';
export {
  type EnumeratedSolution,
  type Enumeration,
  type EnumerationLimits,
  enumerateSolutions,
} from './solvers/pivoting/enumeration';
export type { SimulationState } from './time-stepping/state';
export type { TimeSteppingSettings } from './time-stepping/setup';
export { TimeStepping } from './time-stepping/time-stepping';
export { type ReportedTopology, reportTopology, type TopologyReport } from './inspection/topology-report';
export type { Scene } from './scene/scene';
export { createFrictionSolver, frictionSolvers } from './solvers/friction/registry';
export type { FrictionSolver } from './solvers/friction/solver';
export {
  type OneContactAnswer,
  type OneContactProblem,
  solveOneContact,
} from './solvers/one-contact/one-contact';
export { createSolver } from './solvers/registry';
export type { Solver, SolverSettings } from './solvers/solver';
export type { SolverResult, SolverStatus } from './solvers/solver';
export { compileSpatial, type SpatialModel } from './spatial/compile';
export { PositionProjection } from './spatial/projection';
export type { SpatialSystem } from './spatial/system';
