/** What the host tells of runs: their state, what they have recorded, how they compare. */
import type { Accuracy, NotMeasured } from '@engine/analysis/accuracy/measure';
import type { RunDifference, StepLengthOrders } from '@engine/analysis/comparison/comparison';
import type { SchemeName, SignalInfo } from '@engine/document/types';
import type { Certificate } from '@engine/certificate/residual-maxima';
import type { EventRecord } from '@engine/event-driven/event-record';
import type { ConstraintState } from '@engine/recording/constraints/constraint';
import type { Lane, LostEnergy } from '@engine/recording/constraints/constraint-index';
import type { Loss } from '@engine/recording/constraints/tally';
import type { Portrait, Series, WindowResult } from '@engine/recording/reading';
import type { NoProblem, StepProblem } from '@engine/inspection/step-problem';
import type { Scatter } from '@engine/recording/scatter';
import type { Scene } from '@engine/scene/scene';
import type { Completeness } from '@engine/run/schemes/scheme';
import type { SectionInfo } from '@engine/preparation/section';
import type { FunctionCost } from '@engine/inspection/profile';
import type { ParameterChange } from '@engine/run/compile-run';
import type { EnergyGain } from '@engine/run/session';
import type { MomentContacts } from '@engine/inspection/contacts-at';
import type { RemoteError } from './errors';

export type { ContactDifference, StepLengthOrders } from '@engine/analysis/comparison/comparison';

export type { Accuracy, SignalAccuracy } from '@engine/analysis/accuracy/measure';

/** What is known of the accuracy of a run, which is measured when it is over. */
export type RunAccuracy =
  { state: 'measuring' } | { state: 'measured'; accuracy: Accuracy } | ({ state: 'unknown' } & NotMeasured);

/** `queued`: it waits until others have computed; `interrupted`: it was under way when its program ended */
export type RunState =
  'queued' | 'starting' | 'running' | 'paused' | 'done' | 'failed' | 'cancelled' | 'interrupted';

/** Worst violations so far. */
export type CertificateSummary = Certificate;

/**
 * The certificate along a run, by stretches of time: the worst of each, so that no maximum is lost however
 * long the run is. Empty where it is not known: of runs that were interrupted, or kept by older versions.
 */
export interface CertificateOverTime {
  runId: string;
  /** where the first stretch begins, s */
  from: number;
  /** ends of the stretches, s; ascending */
  t: Float64Array;
  dynamics: Float64Array;
  complementarity: Float64Array;
  coneViolation: Float64Array;
  /**
   * of the energy at the end of the stretch, or the largest where several became one; NaN where there is no
   * energy
   */
  energyDrift: Float64Array;
}

/** Work done so far: what a run costs beside its steps. */
export interface RunWork {
  /** factorisations of iteration matrices */
  factorisations: number;
  /** Newton iterations; one a step where everything is linear */
  newtonIterations: number;
  /** iterations of the one-step solver, in its own unit */
  solverIterations: number;
  /** steps that were taken back because their error was too large; 0 without step control */
  rejectedSteps: number;
}

interface RunStatistics extends RunWork {
  /** accepted steps */
  steps: number;
  /** recorded rows that can be read */
  rows: number;
  /** contacts that closed: transitions of a contact from open to closed */
  events: number;
  /** time the simulation has reached, s */
  simulatedTime: number;
  /** wall time spent computing, pauses and the preparation excluded, s */
  wallSeconds: number;
  /** mean rate: steps for each second of `wallSeconds`, 1/s; 0 before the first step */
  stepsPerSecond: number;
  /** estimate of the wall time still needed, s; null when unknown */
  secondsToGo: number | null;
  certificate: CertificateSummary;
  /**
   * |T + V − T₀ − V₀ − work| over the largest energy of the run, at the present time; null where the energy
   * is undefined.
   */
  energyDrift: number | null;
  /** what the steps themselves have added to the energy; absent or null where that is not known */
  energyGain?: EnergyGain | null;
  /**
   * whether no event was missed; the resolution, s, at which the motion was sampled where conditions in
   * scripts cannot be followed. Absent before a run has begun, and of runs of older versions
   */
  complete?: Completeness;
}

/** What a change of parameters did to one of them while the run went on. */
export type { ParameterChange } from '@engine/run/compile-run';

/** A section of a run and how many points it has. */
export interface RunSection extends SectionInfo {
  readonly points: number;
}

export interface RunInfo {
  runId: string;
  /** what the run list shows, e.g. `Run 3 · rpm 358` */
  name: string;
  title: string;
  /** its user keeps it: in the plots for comparison, and on the disk */
  pinned: boolean;
  /** documents it belongs to, by the names that windows give them */
  documents: readonly string[];
  /** common name of runs that were started together */
  group: string | null;
  /** of its recording on the disk */
  bytes: number;
  /** version of the program that computed it */
  engineVersion: string;
  state: RunState;
  scheme: SchemeName;
  /** present values; `changes` says which of them have been others before */
  parameters: Record<string, number>;
  /** parameters that were changed while the run went on, earliest first */
  changes: ParameterChange[];
  /** simulated seconds in one of wall time, at most; null as fast as possible */
  speed: number | null;
  /** when it was started, ISO 8601 */
  startedAt: string;
  /** time step, s; 0 while the model is being prepared, as `t0` and `tEnd` are */
  h: number;
  /** start time, s */
  t0: number;
  /** end time, s */
  tEnd: number;
  signals: SignalInfo[];
  /** Poincaré sections that it takes */
  sections: RunSection[];
  statistics: RunStatistics;
  /** absent during the run, and for runs that were not measured */
  accuracy?: RunAccuracy;
  warnings: string[];
  error?: RemoteError;
}

/** Something of kept runs that could not be read and was set aside. */
export interface KeptProblem {
  /** file, under the name it has now */
  place: string;
  reason: string;
}

/** Runs of the documents that a window has open, in the order they were started. */
export interface AttendedRuns {
  runs: RunInfo[];
  problems: KeptProblem[];
}

/** One run as it lies on the disk, of whatever document. */
export interface StoredRun {
  runId: string;
  name: string;
  title: string;
  state: RunState;
  /** ISO 8601 */
  startedAt: string;
  bytes: number;
  pinned: boolean;
  /** somebody has its model open, or computes it */
  inUse: boolean;
  isDeleted: boolean;
}

/** What kept runs take of the disk. */
export interface RunStorage {
  /** where they lie; null where nothing lasts */
  folder: string | null;
  /** oldest first */
  runs: StoredRun[];
  bytes: number;
  /** null: no limit */
  limit: number | null;
  /** on that disk; null where that cannot be known */
  free: number | null;
}

/** Runs that were removed for good. */
export interface RemovedRuns {
  runs: { runId: string; name: string; title: string }[];
  bytes: number;
}

/**
 * One signal of a windowed read: (t, y) pairs in time order, minimum and maximum of each bucket and the ends.
 */
interface SignalWindow {
  name: string;
  t: Float64Array;
  y: Float64Array;
}

export interface ReadResult extends Omit<WindowResult, 'series'> {
  runId: string;
  signals: SignalWindow[];
}

/** A contact or another row of a law over a window of time. */
export interface LaneOfConstraint extends Lane {
  /** id of the interaction, with the number of the contact where it has several */
  name: string;
  /** id of the interaction */
  element: string;
  /** in the order of the bits of `Lane.states` */
  stateNames: readonly ConstraintState[];
}

/** What all answers about constraints say. */
interface ConstraintsResult {
  runId: string;
  /** rows in the window */
  rows: number;
  /** extent of what has been recorded so far, s */
  recordedFrom: number;
  recordedTo: number;
  /** all constraints of the run whose states are known, by name */
  known: string[];
  /** those of which signals are missing in the recording */
  missing: string[];
}

export interface LanesResult extends ConstraintsResult {
  lanes: LaneOfConstraint[];
}

/** Energy that a constraint has taken since the start of a run. */
interface LostByConstraint extends LostEnergy {
  name: string;
  element: string;
  /** by single events, the largest of all the run, largest first */
  largest: Loss[];
  /** whether it has friction, or a law that resists as friction does */
  parts: ('normal' | 'tangential')[];
}

export interface LossesResult extends ConstraintsResult {
  /** times at which all states are given, s */
  t: Float64Array;
  /**
   * energies, and what forces have done where that is recorded, by signal: there and at the start of the run,
   * J
   */
  energies: {
    name: string;
    values: Float64Array;
    start: number;
    /** with the extrema between those times */
    curve: Series;
  }[];
  /** sum of the energies, with the extrema of the sum; null without them */
  total: Series | null;
  /** rows that one point of these curves stands for; 1 when every row is there */
  rowsPerBucket: number;
  lost: LostByConstraint[];
  /**
   * rows of which one was recorded: what happened in the steps between is not known where that is more than 1
   */
  every: number;
}

export type PortraitResult = Portrait;

/** The one-step problem at a moment; null if it is unknown, with the reason. */
export interface ProblemResult {
  problem: StepProblem | null;
  /** absent where there is a problem */
  reason?: 'noRows' | NoProblem['reason'] | 'failed';
  /**
   * signals that were not recorded, systems whose state the model cannot hold, or what time-stepping cannot
   * treat
   */
  names?: readonly string[];
}

/** Points of a section in the plane of two signals. */
export type SectionResult = Scatter;

/** One point of a section. */
export interface SectionPoint {
  /** its number, from 0 */
  index: number;
  /** of all recorded signals, by name */
  values: Record<string, number>;
}

/** How far two sets of points are from each other. */
export interface SectionDistance {
  /** Hausdorff distance in parts of the extents of the first set */
  distance: number;
  /** lengths of the axes that count as one */
  scale: [number, number];
  /**
   * largest distance of a point of the first set from the second one, and of one of the second from the first
   */
  fromFirst: number;
  fromSecond: number;
}

/** What happened at an event of an event-driven run. */
export type RunEvent = EventRecord;

export interface EventsResult {
  /** events of the run so far; of very many, only the first are kept */
  total: number;
  /** events that are kept */
  kept: number;
  firstEvent: number;
  events: RunEvent[];
}

/** A run as a comparison names it. */
export interface ComparedRun {
  runId: string;
  name: string;
  scheme: SchemeName;
  /** step length, s: of an event-driven run, that of its rows; null where it varies */
  h: number | null;
  /** whether the equations of its scheme hold */
  solved: boolean;
  /** whether no event was missed, as in `RunStatistics` */
  complete?: Completeness;
}

interface ComparedSignal {
  name: string;
  unit: string;
  kind: SignalInfo['kind'];
  /** largest magnitude in the reference within the time compared */
  scale: number;
}

/** Each of several runs compared with a reference, and how their differences shrink with the step. */
export interface CompareResult {
  reference: ComparedRun;
  /** the time that all of these runs have recorded and the caller asked for, s */
  from: number;
  to: number;
  /**
   * the run whose recording ends at `to` while that of another goes on; null where all end there, or the
   * caller asked for no more
   */
  endedBy: string | null;
  signals: ComparedSignal[];
  /** in the order of the call; signals in the order of `signals` */
  others: (ComparedRun & RunDifference)[];
  /**
   * between successive step lengths, coarsest first, of the others that are time-stepping with constant steps
   * and the same parameters; `coarse` and `fine` are places in `others`
   */
  orders: StepLengthOrders[];
}

export interface RowsResult {
  firstRow: number;
  /** one array for each requested signal */
  columns: Float64Array[];
}

/** Measured cost of a script function in a run. */
export interface FunctionFigures extends FunctionCost {
  /** estimate over the steps so far */
  calls: number;
  /** part of the wall time of the run; null where that is not known */
  share: number | null;
}

export interface RunProfile {
  runId: string;
  /** steps that were replayed for it */
  steps: number;
  functions: FunctionFigures[];
}

export interface SceneResult {
  /** null while the model is being prepared, and of a model without bodies that could be drawn */
  scene: Scene | null;
}

export interface ContactsResult {
  /** null where nothing is known: no 3D bodies, or not all of their state recorded */
  contacts: MomentContacts | null;
}
