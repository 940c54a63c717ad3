/**
 * A run as the methods of the host see it: one that is computed here, or one that was kept from an earlier
 * session.
 */
import type { RunInfo, RunState } from '@contract/methods';
import type { Expression } from '@engine/document/types';
import type { EventRecord } from '@engine/event-driven/event-record';
import type { InitialState } from '@engine/run/initial-state';
import type { RunStanding } from '@engine/run/compile-run';
import type { SavedRun } from '@engine/run/continuation';
import type { RunSpecification } from '@engine/run/session';
import type { RunRecord } from './kept/manifest';
import type { PreparedHostRun, RunTarget } from './run';
import { notPrepared } from './run-errors';

export interface HostRun {
  readonly runId: string;
  /** name, pin and what else is said of it, which changes */
  readonly record: RunRecord;
  readonly name: string;
  /** ISO 8601 */
  readonly startedAt: string;
  readonly state: RunState;
  /** whether it computes, or waits to begin or to go on */
  readonly active: boolean;
  /** null while the model is being prepared */
  readonly prepared: PreparedHostRun | null;
  /** complete rows of the recording at this moment */
  readonly rows: number;
  readonly specification: RunSpecification;
  /** what computes this run again, changes on the way included */
  readonly repetition: RunSpecification;
  /** for going on from it; of one that has not ended, from what it has reached */
  saved(): Promise<SavedRun>;
  /** where it stands, or has ended @throws {MoreauError} `no-state` */
  readonly moment: InitialState;
  readonly events: readonly EventRecord[];
  /** see `RunSession.certificateOverTime`; empty where it is not known */
  readonly certificateOverTime: Float64Array;

  /** resolves when the model has been prepared or refused */
  started(): Promise<void>;
  /** resolves when specification, moment and events are at hand */
  loaded(): Promise<void>;
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** @throws {MoreauError} `run-over` */
  go(target: RunTarget): Promise<void>;
  /** @throws {MoreauError} `run-over` */
  setSpeed(speed: number | null): void;
  /** @throws {MoreauError} `run-over`, or why it cannot go on with them */
  change(set: Record<string, Expression>): Promise<void>;
  cancel(): Promise<void>;
  dispose(): Promise<void>;
  /** a look at it a few times a second */
  watch(): void;
  info(): RunInfo;
}

/**
 * @param standing null where it is not known whole: the run is computed again then
 * @throws {MoreauError} `no-state`
 */
export function savedRun(
  specification: RunSpecification,
  { h, t0, tEnd, statistics, name }: RunInfo,
  standing: RunStanding | null,
): SavedRun {
  if (!(h > 0)) throw notPrepared(name);
  const time = statistics.simulatedTime;
  return {
    specification,
    state: standing ?? { move: 0, time, points: [], changes: 0, memory: null },
    h,
    t0,
    tEnd,
  };
}
