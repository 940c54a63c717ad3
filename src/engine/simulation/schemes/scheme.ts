/** What a run needs of a simulation, whatever its scheme. */
import type { Passed } from '../../event-driven/conditions/passed-conditions';
import type { EventRecord } from '../../event-driven/event-record';
import type { StepCounters } from '../../integrators/step';
import type { Certificate } from '../certificate/certificate';
import type { PreparedModel } from '../prepare';
import type { LoopChoice } from '../setup';
import type { EventDrivenMemory } from './event-driven-memory';
import type { Section, SectionPlan } from '../sections/section';
import type { SpaceMemory } from '../space/memory';
import type { SimulationState } from '../state';

/** Loops of time-stepping; ways of computing the motion between events. */
export type SimulationPath = LoopChoice | 'exact' | 'integrated';

/** What a simulation leaves for another one of the same model, or of one whose numbers have changed. */
export type SimulationMemory =
  | { readonly of: 'time-stepping'; readonly state: SimulationState; readonly passed: Passed | null }
  | { readonly of: 'event-driven'; readonly state: EventDrivenMemory }
  | { readonly of: 'space'; readonly state: SpaceMemory };

/**
 * Whether no event was missed: false where one was, and the resolution, s, at which the motion is sampled where conditions in scripts
 * cannot be followed.
 */
export type Completeness = boolean | { readonly resolution: number };

/** Positions and velocities at a moment, as they stand in a row. */
export interface Moment {
  /** s */
  readonly time: number;
  readonly row: Float64Array;
}

/** A simulation in steps. A step gives the rows of the result that belong to it. */
export interface Simulation {
  /**
   * State vectors that a step fills. Observables are written into them, and parameters stand in them, by the caller that records; the
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
  /** Worst residuals since this was called last: dynamics, complementarity, cone. @param out 3 numbers */
  takeRecent(out: Float64Array): void;
  /** |T + V − T₀ − V₀ − work| over the largest energy so far; null where the energy is not defined */
  readonly energyDrift: number | null;
  /** Time-stepping looks for no event but for changes of what depends on time alone, which its steps may pass over. */
  readonly complete: Completeness;
  readonly counters: StepCounters;
  /** steps that were taken back because their error was too large */
  readonly rejectedSteps: number;
  /** how the last step was computed */
  readonly path: SimulationPath;
  /** what the user should know from the start */
  readonly warnings: readonly string[];
  /** what the user should know of the steps so far; nothing where absent */
  readonly findings?: readonly string[];
  /** the last complete step; after one that failed, where it began */
  readonly moment: Moment;
  /** Performs one step. @throws {EngineError} when it cannot be completed */
  advance(): void;
  /**
   * Everything from which `create` goes on with the same bits, while this simulation goes on as well. Absent where a simulation
   * remembers what cannot be taken out of it: it is then computed again from the start.
   */
  save?(): SimulationMemory;
  /**
   * Takes a section from here on. Taking one changes no bit of the result.
   * @param createRow a state vector with parameters in place
   */
  takeSection(plan: SectionPlan, createRow: () => Float64Array): Section;
  /**
   * Hands the state over to a simulation of a changed model; this one is of no use afterwards.
   * @throws {EngineError} where it cannot be carried over
   */
  handOver(): SimulationMemory;
}

export interface SimulationOptions {
  readonly loop: LoopChoice | undefined;
  /** what to go on from; absent starts at t₀ */
  readonly from?: SimulationMemory | undefined;
  /** whether the certificate judges the motion between events; true when absent */
  readonly certify?: boolean | undefined;
}

/** @throws {Error} for what another scheme has left */
export function wrongMemory({ of }: SimulationMemory): never {
  throw new Error(`the state is one of ${of}`);
}

export interface Scheme {
  /** @throws {EngineError} when the model cannot be simulated by the scheme */
  create(prepared: PreparedModel, options: SimulationOptions): Simulation;
}
