/** What a run needs of a simulation, whatever its scheme. */
import type { EventRecord } from '../../event-driven/event-record';
import type { StepCounters } from '../../integrators/step';
import type { Certificate } from '../certificate/certificate';
import type { PreparedModel } from '../prepare';
import type { LoopChoice } from '../setup';

/** Loops of time-stepping; ways of computing the motion between events. */
export type SimulationPath = LoopChoice | 'exact' | 'integrated';

/** A simulation in steps. A step gives the rows of the result that belong to it. */
export interface Simulation {
  /**
   * State vectors that a step fills. Observables are written into them, and parameters stand in them, by whoever records; the
   * simulation leaves both alone.
   */
  readonly rows: readonly Float64Array[];
  /** how many of them, counted from the last, the last step gave, or the start: two where the state has jumped */
  readonly rowCount: number;
  /** whether they are kept however seldom rows are recorded: those of events */
  readonly isKept: boolean;
  /** s */
  readonly time: number;
  /** steps performed; where there are events between steps, these do not count */
  readonly step: number;
  /** steps of the whole run; of steps that vary, as many as of the first one's length */
  readonly totalSteps: number;
  /** whether the time follows from the number of steps */
  readonly hasConstantStep: boolean;
  readonly isAtEnd: boolean;
  /** events so far */
  readonly eventCount: number;
  /** what is known of each event; empty where the scheme only counts them */
  readonly events: readonly EventRecord[];
  readonly certificate: Certificate;
  /** |T + V − T₀ − V₀ − work| over the largest energy so far; null where the energy is not defined */
  readonly energyDrift: number | null;
  readonly counters: StepCounters;
  /** steps that were taken back because their error was too large */
  readonly rejectedSteps: number;
  /** how the last step was computed */
  readonly path: SimulationPath;
  /** what the user should know from the start */
  readonly warnings: readonly string[];
  /** what the user should know of the steps so far; nothing where absent */
  readonly findings?: readonly string[];
  /** Performs one step. @throws {EngineError} when it cannot be completed */
  advance(): void;
}

export interface Scheme {
  /** @throws {EngineError} when the model cannot be simulated by the scheme */
  create(prepared: PreparedModel, options: { readonly loop: LoopChoice | undefined }): Simulation;
}
