/** What the host and a worker of the engine say to each other about runs. */
import type { RemoteError } from '@contract/errors';
import type { CertificateSummary, RunWork } from '@contract/methods';
import type {
  DocumentIssue,
  Expression,
  ModelDocument,
  SchemeName,
  SignalInfo,
} from '@engine/document/types';
import type { MeasuredAccuracy } from '@engine/analysis/accuracy/measure';
import type { EventRecord } from '@engine/event-driven/event-record';
import type { ChunkLayout, ChunkSink } from '@engine/recording/chunks';
import type { RunConstraints } from '@engine/recording/constraints/constraint';
import type { Scene } from '@engine/scene/scene';
import type { BuiltElements } from '@engine/script/builder';
import type { ConsoleLine, ConsoleMessage, ScriptSandbox } from '@engine/script/sandbox';
import type { InitialState, SystemSignals } from '@engine/run/initial-state';
import type { Completeness } from '@engine/run/schemes/scheme';
import type { SectionSinks } from '@engine/run/sections/run-sections';
import type { SectionInfo } from '@engine/preparation/section';
import type { RunChange, ParameterChange, RunStanding } from '@engine/run/compile-run';
import type { EnergyGain, RunSession, RunSpecification } from '@engine/run/session';
import type { ChunkRing } from './chunk-file';

/** What a worker is to do; the next one is sent when it has said that it is free. */
export type WorkerTask =
  | {
      task: 'run';
      specification: RunSpecification;
      /** recording file, to be created; null: only the last rows are kept, in memory */
      file: string | null;
      counters: Int32Array<SharedArrayBuffer>;
      /** whether it waits at the start to be sent on */
      paused: boolean;
      speed: number | null;
    }
  | { task: 'build'; document: ModelDocument }
  /** `long`: whether a long run is measured, too */
  | { task: 'measure'; specification: RunSpecification; long: boolean };

/** Where a run is to go, and to pause there. */
export type RunTarget =
  /** advances by a number of steps; in the event-driven scheme, by steps or events */
  | { by: 'steps'; count: number }
  /** s */
  | { by: 'time'; time: number }
  /** goes back by a number of steps */
  | { by: 'back'; count: number }
  | { by: 'start' };

/** Host to worker. */
export type RunRequest =
  | { type: 'pause' }
  | { type: 'resume' }
  | { type: 'cancel' }
  | { type: 'go'; target: RunTarget }
  /** simulated seconds in one of wall time; null as fast as possible */
  | { type: 'speed'; speed: number | null }
  | { type: 'change'; set: Record<string, Expression> };

/** How far a run has come. */
export interface RunProgress {
  steps: number;
  work: RunWork;
  events: number;
  /** simulated time, s */
  time: number;
  /** wall time spent computing, pauses excluded, s */
  wallSeconds: number;
  /** simulated seconds that recently took one second to compute; 0 while unknown */
  pace: number;
  certificate: CertificateSummary;
  energyDrift: number | null;
  energyGain: EnergyGain | null;
  complete: Completeness;
  warnings: string[];
  /** present values of parameters, and what has changed them on the way */
  parameters: Record<string, number>;
  changes: RunChange[];
  changedParameters: ParameterChange[];
  /** s */
  tEnd: number;
}

/** What is fixed once a run has been prepared. */
export interface PreparedHostRun {
  title: string;
  signals: SignalInfo[];
  parameters: Record<string, number>;
  scheme: SchemeName;
  h: number;
  t0: number;
  tEnd: number;
  /** whether every step has the length h */
  hasConstantStep: boolean;
  /** what an animation draws; null of a model without bodies that could be drawn */
  scene: Scene | null;
  /** sections that are taken; absent of runs of older versions */
  sections?: readonly SectionInfo[];
  /** signals that hold the state of each system; absent of runs of older versions */
  states?: readonly SystemSignals[];
  /** what signals tell of contacts and other non-smooth laws; absent of runs of older versions */
  constraints?: RunConstraints;
}

/** `console` is what the builder said. */
export type BuildOutcome = ({ ok: true; built: BuiltElements } | { ok: false; error: RemoteError }) & {
  console?: ConsoleMessage[];
};

/** The current state of a run, reported while it is paused. */
export type Standing = { state: 'running' } | { state: 'paused'; moment: InitialState };

/** How a run has ended by itself. */
export type RunEnd = { state: 'done' | 'cancelled'; error: null } | { state: 'failed'; error: RemoteError };

/** Worker to host, while a task goes on. */
export type RunReport =
  /** the engine is loaded and the task begins */
  | { type: 'began' }
  | { type: 'recording'; layout: ChunkLayout; ring: ChunkRing }
  /** a section is recorded, too; sections come in their order */
  | {
      type: 'section';
      layout: ChunkLayout;
      ring: ChunkRing;
      counters: Int32Array<SharedArrayBuffer>;
    }
  | { type: 'ready'; run: PreparedHostRun; progress: RunProgress }
  | { type: 'progress'; progress: RunProgress }
  /** events of the simulation since the last such message */
  | { type: 'events'; first: number; events: EventRecord[] }
  /** the certificate over time so far, see `RunSession.certificateOverTime` */
  | { type: 'certificate'; rows: Float64Array<ArrayBuffer> }
  | ({
      type: 'state';
      progress: RunProgress;
      /** why a change of parameters has been refused */
      refusal?: RemoteError;
    } & Standing)
  | { type: 'console'; message: ConsoleMessage };

/** The last word on a task. */
export type FinalReport =
  | { type: 'refused'; error: RemoteError; issues: DocumentIssue[] }
  | ({
      type: 'ended';
      progress: RunProgress;
      /** the last complete step */
      moment: InitialState;
      /** for going on from it */
      standing: RunStanding;
    } & RunEnd)
  | { type: 'built'; outcome: BuildOutcome }
  | { type: 'measured'; outcome: MeasuredAccuracy };

/**
 * What arrives at the host. With the last word, `isFree` says whether the worker waits for another task, or
 * ends.
 */
export type WorkerMessage = RunReport | (FinalReport & { isFree: boolean });

/** The worker's end of the channel, so that the work itself can be tested without a worker. */
export interface WorkerPort {
  post(report: RunReport): void;
  onRequest(listener: (request: RunRequest) => void): void;
  /** says the last word; no more requests of this task are listened to */
  end(report: FinalReport): void;
}

/** Time source and scheduler of the slice loop. */
export interface SliceClock {
  /** milliseconds, monotonic */
  now(): number;
  /** calls back after pending messages have been delivered */
  yieldThen(callback: () => void): void;
  /** the same after some milliseconds */
  wait(milliseconds: number, callback: () => void): void;
}

/** The parts of the engine that tasks use. */
export interface RunEngine {
  prepareRun(
    specification: RunSpecification,
    environment: {
      sandbox: () => ScriptSandbox;
      sink: ChunkSink;
      sectionSinks?: SectionSinks;
      keepsHistory?: boolean;
      onSign?: () => void;
    },
  ): { ok: true; session: RunSession } | { ok: false; error: RemoteError; issues: DocumentIssue[] };
  createSandbox(log: (said: ConsoleLine) => void): ScriptSandbox;
  measureAccuracy(
    specification: RunSpecification,
    createSandbox: () => ScriptSandbox,
    long: boolean,
  ): MeasuredAccuracy;
  runBuilder(
    document: ModelDocument,
    sandbox: ScriptSandbox,
    overrides: Readonly<Record<string, Expression>>,
    withOrigins: boolean,
  ): BuildOutcome;
}
