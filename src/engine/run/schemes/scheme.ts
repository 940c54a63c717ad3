/** What a run needs of a simulation, whatever its scheme. */
import type { SkimRequest } from '../../event-driven/skim/skimming';
import { type Certificate, COMPLEMENTARITY, type SavedMaxima } from '../../certificate/residual-maxima';
import { type SavedSampling, SamplingCheck } from '../../control/certificate/sampling-check';
import { type ControlMemory, SampledControl } from '../../control/sampled-control';
import type { SimulationSettings } from '../../document/settings';
import type { Passed } from '../../event-driven/conditions/passed-conditions';
import type { EventRecord } from '../../event-driven/event-record';
import type { EventDrivenState } from '../../event-driven/assembly';
import type { StepCounters } from '../../integrators/step';
import { larger } from '../../linalg/nan-safe';
import type { SpaceEnergies } from '../spatial/event-rows';
import type { PreparedModel } from '../../preparation/prepare';
import type { LoopChoice } from '../../time-stepping/setup';
import type { SimulationState } from '../../time-stepping/state';
import type { Section, SectionPlan } from '../../preparation/section';
import type { StateArchive } from '../../state-archive';

/** Loops of time-stepping; ways of computing the motion between events. */
export type SimulationPath = LoopChoice | 'exact' | 'integrated';

/** What a simulation leaves for another one of the same model, or of one whose numbers have changed. */
export type SimulationMemory =
  | {
      readonly of: 'time-stepping';
      readonly state: SimulationState;
      readonly passed: Passed | null;
      readonly control: RunControlMemory | null;
    }
  | { readonly of: 'event-driven'; readonly state: EventDrivenMemory }
  | { readonly of: 'space'; readonly state: SpaceMemory };

/**
 * Whether no event was missed: false where one was, and the resolution, s, at which the motion is sampled
 * where conditions in scripts cannot be followed.
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
   * State vectors that a step fills. Observables are written into them, and parameters stand in them, by the
   * caller that records; the simulation leaves both alone.
   */
  readonly rows: readonly Float64Array[];
  /**
   * how many of them, counted from the last, the last step gave, or the start: two where the state has jumped
   */
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
  /** of steps: the same with its sign, below 0 where the scheme has taken energy */
  readonly energyGain?: number | null;
  /**
   * Time-stepping looks for no event but for changes of what depends on time alone, which its steps may pass
   * over.
   */
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
   * Performs one step or more, up to `most` or the first that reaches `until`, of which rows between are not
   * seen; absent where steps are not all there is.
   * @throws {EngineError} as `advance`, with the steps before complete
   */
  stride?(most: number, until: number): void;
  /**
   * Goes on for as long as no rows are asked for, where the scheme can leave them out, perhaps not at all:
   * to be followed by `advance`. Sections and the certificate see all of it; absent where there is no such
   * way.
   * @throws {EngineError} as `advance`
   */
  skim?(request: SkimRequest): void;
  /**
   * Everything from which `create` goes on with the same bits, while this simulation goes on as well. Absent
   * where a simulation remembers what cannot be taken out of it: it is then computed again from the start.
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

interface SimulationOptions {
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

/*
 * What an event-driven simulation hands over to one whose numbers have changed; the judgement of what was
 * before goes along.
 */

export interface EventDrivenMemory {
  readonly state: EventDrivenState;
  readonly events: readonly EventRecord[];
  readonly certificate: SavedMaxima;
  /** whether an event was missed */
  readonly hasMissed: boolean;
  /** works and energies of 3D bodies; null of other models */
  readonly energies: SpaceEnergies | null;
  /** null without control blocks */
  readonly control: RunControlMemory | null;
}

/* Number of steps of length h from t₀ to the end. */

/** Fraction of a step by which an end time may miss a multiple of h before it counts as one more step. */
const STEP_ROUNDING = 1e-6;

export interface StepCount {
  readonly steps: number;
  /** whether the end time is their end, to rounding */
  readonly isExact: boolean;
}

export function countSteps({ t0, tEnd, h }: Pick<SimulationSettings, 't0' | 'tEnd' | 'h'>): StepCount {
  const exact = (tEnd - t0) / h;
  const nearest = Math.round(exact);
  if (nearest > 0 && Math.abs(exact - nearest) <= STEP_ROUNDING) return { steps: nearest, isExact: true };
  return { steps: Math.max(1, Math.ceil(exact)), isExact: false };
}

/** Message for an end that is no multiple of h. */
export function endWarnings(
  settings: Pick<SimulationSettings, 't0' | 'tEnd' | 'h'>,
  { steps, isExact }: StepCount,
): string[] {
  if (isExact) return [];
  const { t0, tEnd, h } = settings;
  // Without the last digits of a product, as in 0.10200000000000001.
  const end = Number((t0 + steps * h).toPrecision(12));
  return [`The end time is not a multiple of the step: the run ends at ${end} s instead of ${tEnd} s.`];
}

/* What a simulation of 3D bodies hands over to one whose numbers have changed. */

export interface SpaceMemory {
  readonly steps: number;
  /** s */
  readonly time: number;
  readonly q: Float64Array;
  readonly u: Float64Array;
  /** coordinates of joints, angles with whole turns */
  readonly coordinates: Float64Array;
  /** contacts that had closed */
  readonly closings: number;
  readonly solverIterations: number;
  readonly certificate: SavedMaxima;
  /** conditions of time that steps have passed over; null where none */
  readonly passed: Passed | null;
  /** null without control blocks */
  readonly control: RunControlMemory | null;
  /** from which the same model goes on with the same bits; null for one whose numbers have changed */
  readonly archive: StateArchive | null;
}

/* Control blocks of a run. */

/** What blocks, and the certificate of them, remember. */
interface RunControlMemory {
  readonly run: ControlMemory;
  readonly check: SavedSampling;
}

/** The blocks of a run as they are sampled, and their certificate. */
export class RunControl {
  readonly samples: SampledControl;
  readonly #check: SamplingCheck;

  /** @param from what they go on from; absent at the start */
  static create(prepared: PreparedModel, from: RunControlMemory | null | undefined): RunControl | null {
    return prepared.control === null ? null : new RunControl(prepared, prepared.control, from ?? null);
  }

  private constructor(
    { settings: { t0, h }, layout }: PreparedModel,
    plan: NonNullable<PreparedModel['control']>,
    from: RunControlMemory | null,
  ) {
    this.samples = new SampledControl(plan, t0, layout.held, h);
    this.#check = new SamplingCheck(plan, layout, t0);
    if (from === null) return;
    this.samples.load(from.run);
    this.#check.load(from.check);
  }

  /** See `SamplingCheck.judge`. */
  judge(before: Float64Array, row: Float64Array): void {
    this.#check.judge(before, row);
  }

  /** The certificate of a run with what is found of its blocks. */
  certificate(ofMotion: Certificate): Certificate {
    const blocks = this.#check.report;
    const { complementarity, coneViolation, dynamics } = ofMotion;
    const isWorst = !(blocks.worst <= Math.max(complementarity, coneViolation, dynamics));
    const { place } = this.#check;
    return {
      ...ofMotion,
      ...(isWorst && place !== null ? { worstTime: place.time, worstElement: place.element } : {}),
      blocks,
    };
  }

  /** Adds what has been found since this was called last to the laws. @param out by kind */
  takeRecent(out: Float64Array): void {
    out[COMPLEMENTARITY] = larger(out[COMPLEMENTARITY], this.#check.takeRecent());
  }

  save(): RunControlMemory {
    return { run: this.samples.save(), check: this.#check.save() };
  }
}
