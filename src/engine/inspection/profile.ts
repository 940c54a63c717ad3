/**
 * What the script functions of a run cost. The run itself measures nothing: parts of it are replayed, with
 * functions that count their calls and keep the arguments of some; each is then called with these again and
 * again, and timed. So the times are those of the functions alone, at states the run came through, in code as
 * warm as the run's. Where its recording holds whole states, parts from all over the run are replayed.
 */
import type { EngineErrorDetails } from '../errors';
import { traceLike } from '../model/conditions';
import type { ChunkLayout, ChunkSink } from '../recording/chunks';
import type { LoadedFunctions } from '../script/function-scripts';
import { isGenerated } from '../script/generated';
import type { ScriptSandbox } from '../script/sandbox';
import { type InitialState, startFrom } from '../run/initial-state';
import { prepareRun, type RunSpecification } from '../run/session';

/** Measured cost of one function, or of its derivatives taken together. */
export interface FunctionCost {
  readonly function: string;
  readonly isDerivative: boolean;
  /** mean time of a call, ns */
  readonly nanoseconds: number;
  /** mean over the replayed steps */
  readonly callsPerStep: number;
}

export interface ProfileResult {
  /** replayed steps */
  readonly steps: number;
  readonly functions: readonly FunctionCost[];
}

export interface ProfileEnvironment {
  readonly sandbox: () => ScriptSandbox;
  /** ms, monotonic */
  readonly now: () => number;
  /** Told before scripts are executed for a while. @returns false when no more may be executed */
  readonly begin: () => boolean;
}

/** Wall time of the replay, ms: some hundred thousand steps of a small model, some of a large one. */
const REPLAY_MS = 400;
/** Steps between two looks at the clock. */
const STEPS_PER_LOOK = 16;
/**
 * Argument lists that are kept of each function: from all over the replay, and few enough to stay in the
 * cache.
 */
const KEPT = 32;
/** Wall time of the measurement of one function, ms: thousands of the shortest calls. */
const MEASURE_MS = 12;
/** The part of it after which calls count: the code is compiled then. */
const WARM_UP = 0.4;
/** Calls between two looks at the clock, where the calls are short. */
const BATCH = 256;

type Call = (...args: unknown[]) => unknown;

interface Meter {
  readonly function: string;
  readonly isDerivative: boolean;
  readonly call: Call;
  calls: number;
  /** the next call whose arguments are kept */
  wanted: number;
  readonly kept: unknown[][];
}

const copied = (value: unknown): unknown => (value instanceof Float64Array ? value.slice() : value);

function counting(meter: Meter): Call {
  return (...args) => {
    if (meter.calls++ >= meter.wanted) {
      // Ever farther apart, so that the kept ones spread over the replay whatever its length.
      meter.wanted = Math.ceil(meter.calls * 1.5);
      const list = args.map(copied);
      if (meter.kept.length < KEPT) meter.kept.push(list);
      else meter.kept[meter.calls % KEPT] = list;
    }
    return meter.call(...args);
  };
}

/** Functions that count, in place of those of the scripts. */
function metered({ functions, derivatives }: LoadedFunctions, meters: Map<string, Meter>): LoadedFunctions {
  const counters = new Map<string, Call>();
  const counted = (key: string, name: string, isDerivative: boolean, call: Call): Call => {
    const present = counters.get(key);
    if (present !== undefined) return present;
    const meter: Meter = { function: name, isDerivative, call, calls: 0, wanted: 0, kept: [] };
    meters.set(key, meter);
    const made = counting(meter);
    traceLike(made, call);
    counters.set(key, made);
    return made;
  };
  return {
    functions: (name) => {
      const call = functions(name);
      // Users know no functions of their expressions.
      if (call === null || isGenerated(name)) return call;
      return counted(name, name, false, call as Call);
    },
    derivatives: (request) => {
      const result = derivatives(request);
      const { function: name, argument, result: filled } = request;
      if (!result.ok || isGenerated(name)) return result;
      return { ...result, call: counted(`${argument}:${filled}:${name}`, name, true, result.call) };
    },
  };
}

/** A recording that is thrown away. */
class Discard implements ChunkSink {
  #buffer = new Float64Array(0);
  open({ columns, rowsPerChunk }: ChunkLayout): Float64Array {
    this.#buffer = new Float64Array(columns * rowsPerChunk);
    return this.#buffer;
  }
  next(): Float64Array {
    return this.#buffer;
  }
  publish(): void {
    // Not read.
  }
}

/** Mean time of a call, ns. */
function timed({ call, kept }: Meter, now: () => number): number {
  let began = now();
  const end = began + MEASURE_MS;
  const warm = began + WARM_UP * MEASURE_MS;
  let calls = 0;
  let isWarm = false;
  for (let time = began, i = 0; time < end || calls === 0;) {
    // One call first: of a function that takes long it is enough.
    const batch = calls === 0 && !isWarm ? 1 : BATCH;
    for (let k = 0; k < batch; k++) {
      call(...kept[i]);
      i = (i + 1) % kept.length;
    }
    calls += batch;
    time = now();
    if (!isWarm && time >= warm && time < end) {
      isWarm = true;
      began = time;
      calls = 0;
    }
  }
  return ((now() - began) / calls) * 1e6;
}

/**
 * Replays a run from its beginning and from later moments of it, for a while each, and times its functions.
 * @param moments recorded states that the run came through later; one that the run cannot start from is left
 *   out
 */
export function profileRun(
  specification: RunSpecification,
  environment: ProfileEnvironment,
  moments: readonly InitialState[] = [],
): { ok: true; profile: ProfileResult } | { ok: false; error: EngineErrorDetails } {
  const none: ProfileResult = { steps: 0, functions: [] };
  if (specification.document.scripts.length === 0 || !environment.begin()) return { ok: true, profile: none };
  const replayMs = REPLAY_MS / (1 + moments.length);
  const first = replayed(specification, environment, replayMs);
  if (!first.ok) return first;
  const later = moments.flatMap((moment) => {
    const document = startFrom(specification.document, moment);
    const part = environment.begin() ? replayed({ ...specification, document }, environment, replayMs) : null;
    return part?.ok === true ? [part.profile] : [];
  });
  const parts = [first.profile, ...later];
  return {
    ok: true,
    profile: {
      steps: parts.reduce((sum, { steps }) => sum + steps, 0),
      functions: averaged(parts.map(({ functions }) => functions)),
    },
  };
}

function replayed(
  specification: RunSpecification,
  { sandbox, now, begin }: ProfileEnvironment,
  replayMs: number,
): { ok: true; profile: ProfileResult } | { ok: false; error: EngineErrorDetails } {
  const meters = new Map<string, Meter>();
  const started = prepareRun(specification, {
    sandbox,
    sink: new Discard(),
    observe: (loaded) => metered(loaded, meters),
  });
  if (!started.ok) return started;
  const { session } = started;
  // What the preparation called belongs to no step.
  for (const meter of meters.values()) meter.calls = meter.wanted = 0;
  const until = now() + replayMs;
  let status: 'running' | 'done' | 'failed' = 'running';
  while (status === 'running' && now() < until && begin()) status = session.advance(STEPS_PER_LOOK);
  const { steps } = session;
  const functions: FunctionCost[] = [];
  for (const meter of meters.values()) {
    if (meter.calls === 0 || meter.kept.length === 0 || !begin()) continue;
    try {
      const { function: name, isDerivative, calls } = meter;
      const nanoseconds = timed(meter, now);
      functions.push({ function: name, isDerivative, nanoseconds, callsPerStep: calls / Math.max(1, steps) });
    } catch {
      // A run that has failed in this function has kept the arguments of the failure, too.
    }
  }
  return { ok: true, profile: { steps, functions: merged(functions) } };
}

/**
 * Parts of a run count alike, however many steps of each were replayed; times are weighted by their calls.
 */
function averaged(parts: readonly (readonly FunctionCost[])[]): FunctionCost[] {
  return merged(
    parts.flatMap((functions) =>
      functions.map((cost) => ({ ...cost, callsPerStep: cost.callsPerStep / parts.length })),
    ),
  );
}

/**
 * Derivatives of one function by several arguments are one line: the mean of their times, weighted by their
 * calls.
 */
function merged(functions: readonly FunctionCost[]): FunctionCost[] {
  const byName = new Map<string, FunctionCost>();
  for (const cost of functions) {
    const key = `${cost.isDerivative}:${cost.function}`;
    const other = byName.get(key);
    if (other === undefined) {
      byName.set(key, cost);
      continue;
    }
    const callsPerStep = cost.callsPerStep + other.callsPerStep;
    const time = cost.nanoseconds * cost.callsPerStep + other.nanoseconds * other.callsPerStep;
    byName.set(key, { ...cost, callsPerStep, nanoseconds: time / callsPerStep });
  }
  return [...byName.values()];
}
