/**
 * The error of a run, measured by two that are finer.
 *
 * Let u be a signal of the run itself, u₁ of one with halved and u₂ of one with quartered steps. Where the
 * error of a scheme of order p goes with hᵖ, u − u* = C hᵖ, differences of the runs are
 *
 *     u − u₂ = C hᵖ (1 − 4⁻ᵖ),    u₁ − u₂ = C hᵖ (2⁻ᵖ − 4⁻ᵖ),
 *
 * so that their ratio is 2ᵖ + 1, which gives p, and the error is (u − u₂) / (1 − 4⁻ᵖ): Richardson 1911. Where
 * a motion from event to event is integrated with tolerances, the finest run has a hundredth of them, and its
 * own error counts for nothing.
 *
 * Impacts are matched first, and signals compared away from them: a jump that comes too late is an error of
 * its time, not of its size. What no run in steps knows of its time is `impact-resolution.ts`.
 *
 * Motions part where any error, however small, grows to more than it may be. In steps, the finest run is
 * computed once more with a push on it that alone would change no signal by more than PUSH of what its error
 * may be. Where the push makes of it as much as is allowed, no step that can be afforded follows the motion
 * to its end; where it does not, a run that is off is so by its own steps, and that is an error: also where
 * finer runs are as far from each other, as at impacts whose order none of them finds. Both are properties of
 * the motion, so that a coarse step excuses no run that a finer one does not.
 *
 * With tolerances, the finer runs come to differ from each other as much as the coarse run from them, after
 * an impact that one of them misses by a hair, or because any error grows exponentially. Let t(ε) be the time
 * at which the difference reaches the part ε of what it may be. Where it grows exponentially, it takes as
 * long from ε² to ε as from there to 1; where it grows with tᵐ, the second takes ε^(−1/m) times as long as
 * the first.
 */
import type { SignalInfo, SignalKind } from '../../document/types';
import { MemoryChunks } from '../../recording/chunks';
import type { ReadDocument } from '../../run/compile-run';
import { type RunSession, type RunSpecification, prepareRun } from '../../run/session';
import type { ScriptSandbox } from '../../script/sandbox';
import {
  type ContactName,
  type RecordingComparison,
  type RecordingScales,
  compareRecordings,
  impactContacts,
  scaleRecording,
} from '../comparison/compare-recordings';
import type { ComparedRecording, Span } from '../comparison/recorded-rows';
import { impactResolution } from './impact-resolution';

export type MeasuredAccuracy = { ok: true; accuracy: Accuracy } | ({ ok: false } & NotMeasured);

/**
 * Signals that are judged: the state. What a model derives from it may be a difference of large terms, such
 * as an energy that stays zero.
 */
const JUDGED_KINDS: ReadonlySet<SignalKind> = new Set(['position', 'velocity', 'state']);
/** Beside them, what impacts are found by. */
const RECORDED_KINDS: ReadonlySet<SignalKind> = new Set([...JUDGED_KINDS, 'gap', 'impulse']);

/**
 * Recorded values of a run, steps times signals, up to which it is measured unasked: the finer runs cost six
 * times as much.
 */
const MOST_ROWS_UNASKED = 400_000;
/** The same where it is asked for: the recordings of the three runs take 450 MB. */
const MOST_ROWS_ASKED = 8_000_000;

/**
 * A signal is judged by its own range, but not by less than this part of the widest of its kind: a component
 * near zero is no signal.
 */
const LEAST_RANGE = 1e-3;
/**
 * Of a quantity that rests, by this part of its largest magnitude; of velocities, by that of positions over
 * the time of the run.
 */
const AT_REST = 1e-6;
/** Changes in a step from which on there may be a jump, in parts of the range. */
const JUMP = 0.01;
/**
 * Part of the range of a signal that it must have away from jumps: else what was compared says nothing of it,
 * as where it moves only while there is a jump in each step.
 */
const SEEN = 0.1;
/** Units of rounding in which any state is known. */
const ROUNDING = 4 * Number.EPSILON;

/** Orders that an observed one is taken for: of a scheme, not of noise. */
const LEAST_ORDER = 0.5;
const LARGEST_ORDER = 4;

/** Parts ε of what an error may be from which its growth is judged: as far down as it begins below ε². */
const LEVELS: readonly number[] = [2 ** -4, 2 ** -8, 2 ** -12];
/**
 * An error that grows faster than this power of time is taken to grow exponentially; that of schemes grows
 * with the first or second.
 */
const FASTEST_POWER = 6;
/** Part of what an error may be that a push makes of each signal, where nothing makes it grow. */
const PUSH = 1e-7;
/** Steps within which a motion parts at once. */
const AT_ONCE_STEPS = 4;
/**
 * Where motions part, the coarse run is at most this many times as far from the finest as the other one is;
 * of order 1 it is three times.
 */
const AS_MUCH = 2;
/**
 * Where it is at most this many times as far, the runs do not converge to anything, however the error grows.
 */
const NEARLY_AS_MUCH = 1.25;
/**
 * Where motions part, the coarse run is so far from the finest, in parts of the range of a signal: a scheme
 * near its limit, to and fro, has not parted.
 */
const PARTED_OF_RANGE = 0.1;

/** Moves between two looks at whether the run is to be given up. */
const ADVANCES_PER_LOOK = 4096;

/**
 * Computes a run and two finer ones, and compares them.
 * @param asked whether it is measured although the run is long
 */
export function measureAccuracy(
  specification: RunSpecification,
  createSandbox: () => ScriptSandbox,
  asked: boolean,
): MeasuredAccuracy {
  if ((specification.changes?.length ?? 0) > 0)
    return refuse('changed', 'Parameters were changed while the run went on.');
  const most = asked ? MOST_ROWS_ASKED : MOST_ROWS_UNASKED;
  // A run that goes on from another one is judged as a whole: finer steps have no state to go on from.
  const whole = { ...specification, from: undefined };
  const runs: RecordedRun[] = [];
  for (const refinement of [0, 1, 2]) {
    const run = record({ ...whole, refinement }, createSandbox, most, runs.at(-1));
    if (!run.ok) return run;
    runs.push(run);
  }
  const [coarse, middle, fine] = runs;
  const pushed = (nudge: Readonly<Record<string, number>>): RecordedRun | null => {
    const run = record({ ...whole, refinement: 2, nudge }, createSandbox, most, fine);
    return run.ok ? run : null;
  };
  return { ok: true, accuracy: estimate(coarse, middle, fine, pushed) };
}

const refuse = (reason: NotMeasured['reason'], message: string): { ok: false } & NotMeasured => ({
  ok: false,
  reason,
  message,
});

interface RecordedRun {
  readonly ok: true;
  readonly session: RunSession;
  readonly source: MemoryChunks;
  readonly reading: ReadDocument;
  /** part of the range of a signal that its error may be */
  readonly accuracy: number;
}

/** @param before of the same document, and over: what it has read is not read again */
function record(
  specification: RunSpecification,
  createSandbox: () => ScriptSandbox,
  most: number,
  before: RecordedRun | undefined,
): RecordedRun | ({ ok: false } & NotMeasured) {
  const source = new MemoryChunks();
  const prepared = prepareRun(
    { ...specification, kinds: RECORDED_KINDS, every: 1 },
    { sandbox: createSandbox, sink: source, recordsTrajectory: true },
    before?.reading,
  );
  if (!prepared.ok) return refuse('failed', prepared.error.message);
  const { session, reading } = prepared;
  const size = (steps: number): number => steps * session.signals.length;
  const parts = 2 ** (specification.refinement ?? 0);
  const tooLong = refuse('too-long', 'The run is long; its accuracy is measured where it is asked for.');
  if (size(session.totalSteps) > most * parts) return tooLong;
  for (;;) {
    const state = session.advance(ADVANCES_PER_LOOK);
    if (state === 'failed') return refuse('failed', failureOf(session, specification.refinement ?? 0));
    if (state === 'done') break;
    // Events, and steps whose length is controlled, are not known beforehand.
    if (size(session.rows) > 2 * most * parts) return tooLong;
  }
  return { ok: true, session, source, reading, accuracy: session.accuracy };
}

function failureOf({ error, isStepped }: RunSession, refinement: number): string {
  const message = error?.message ?? '';
  if (refinement === 0) return message;
  const finer = isStepped ? `${refinement === 1 ? 'half' : 'a quarter of'} the step` : 'smaller tolerances';
  return `With ${finer} the run fails: ${message}`;
}

/** The columns that are compared, in all three runs the same. */
interface Compared {
  readonly signals: readonly SignalInfo[];
  readonly columns: readonly number[];
  readonly contacts: readonly ContactName[];
  readonly impulses: readonly number[];
}

function comparedOf({ signals }: RunSession): Compared {
  const columns = signals.flatMap(({ kind }, c) => (JUDGED_KINDS.has(kind) ? [c] : []));
  const contacts = impactContacts(signals);
  const places = new Map(signals.map(({ name }, c) => [name, c]));
  return {
    signals: columns.map((c) => signals[c]),
    columns,
    contacts,
    impulses: contacts.map(({ signal }) => places.get(signal) ?? 0),
  };
}

const recordingOf = (
  { session, source }: RecordedRun,
  { columns, impulses }: Compared,
): ComparedRecording => ({
  source,
  scheme: session.scheme,
  h: session.h,
  signals: columns,
  impulses,
});

/** @param pushed computes the finest run with a push, by signal; null where that fails */
function estimate(
  coarse: RecordedRun,
  middle: RecordedRun,
  fine: RecordedRun,
  pushed: (nudge: Readonly<Record<string, number>>) => RecordedRun | null,
): Accuracy {
  const compared = comparedOf(coarse.session);
  const [a, b, c] = [coarse, middle, fine].map((run) => recordingOf(run, compared));
  const names = compared.signals.map(({ name }) => name);
  const whole: Span = {
    from: coarse.session.t0,
    to: Math.min(...[coarse, middle, fine].map(({ session }) => session.time)),
  };
  const ranges = effectiveRanges(compared.signals, scaleRecording(c, a, whole), whole.to - whole.from);
  const limits = ranges.map((range) => coarse.accuracy * range);
  const jumps = ranges.map((range) => JUMP * range);
  /** How far a run is from the finest. */
  const distance = (run: ComparedRecording, span: Span, allowed: Float64Array): RecordingComparison =>
    compareRecordings(c, run, names, compared.contacts, span, allowed, jumps);
  const { isStepped } = coarse.session;
  /** Whether a push on the finest run makes as much of it as an error may be. */
  const isSensitive = ({ difference }: RecordingComparison): boolean => {
    // What no step moves is pushed by nothing: of a motion in a plane or on a line no error leaves it.
    const push = difference.signals.map(({ name, maximum }, k) => {
      const size = PUSH * Math.min(maximum, limits[k]);
      return [name, k % 2 === 0 ? size : -size] as const;
    });
    const run = pushed(Object.fromEntries(push));
    if (run === null) return false;
    return firstCrossing(distance(recordingOf(run, compared), whole, limits), whole) < Infinity;
  };
  const inSteps = isStepped ? [a, b].map((run) => distance(run, whole, limits)) : null;
  const parting =
    inSteps === null
      ? partingTime(distance, a, b, whole, limits, PARTED_OF_RANGE / coarse.accuracy)
      : partingInSteps(inSteps[0], inSteps[1], whole, isSensitive);
  // Runs that part in their first steps have not followed the motion at all: the steps are too long, and that
  // is an error.
  const isAtOnce = parting !== null && isStepped && parting - whole.from < AT_ONCE_STEPS * a.h;
  const until = isAtOnce ? null : parting;
  const span = { from: whole.from, to: until ?? whole.to };
  const [ofCoarse, ofMiddle] =
    until === null && inSteps !== null ? inSteps : [a, b].map((run) => distance(run, span, limits));
  const order = isStepped ? observedOrder(ofCoarse, ofMiddle, limits) : null;
  const factor = isStepped ? 1 / (1 - 4 ** -clamped(order ?? LEAST_ORDER)) : 1;
  const unresolved = isStepped ? impactResolution(a, compared.signals, jumps, span) : null;
  const drawn = coarse.session.drawnNames;
  const signals = ofCoarse.difference.signals.map(
    ({ name, awayMaximum, awayMaximumTime }, k): SignalAccuracy => {
      const least = Math.max(ROUNDING * ofCoarse.scales[k], unresolved?.[k] ?? 0);
      const error = Math.max(factor * awayMaximum, least);
      const range = ofCoarse.ranges[k];
      const isSeen = range <= limits[k] || ofCoarse.awayRanges[k] >= SEEN * range;
      // What is too large already is known, however little was compared.
      const time = isSeen ? awayMaximumTime : null;
      const found = { error: time === null && error <= limits[k] ? null : error, time };
      const shown = drawn.get(name);
      const unit = shown === undefined ? compared.signals[k].unit : shown.unit;
      const own = shown === undefined ? { name, unit } : { name, drawn: shown.name, unit };
      return { ...own, limit: limits[k], ...found };
    },
  );
  const impacts = ofCoarse.difference.contacts.map(
    ({ element, matched, missed, largest }): ImpactAccuracy => ({
      element,
      matched,
      missed,
      error: largest === null ? null : factor * largest,
    }),
  );
  return { order: orderToShow(order), until: span.to, parts: until !== null, signals, impacts };
}

/** The range that the error of each signal is judged by. @param duration of the run, s */
function effectiveRanges(
  signals: readonly SignalInfo[],
  { scales, ranges }: RecordingScales,
  duration: number,
): Float64Array {
  const widest = new Map<string, { range: number; scale: number }>();
  const kindOf = ({ kind, unit }: SignalInfo): string => `${kind} ${unit}`;
  let position = 0;
  signals.forEach((signal, k) => {
    const known = widest.get(kindOf(signal)) ?? { range: 0, scale: 0 };
    known.range = Math.max(known.range, ranges[k]);
    known.scale = Math.max(known.scale, scales[k]);
    widest.set(kindOf(signal), known);
    if (signal.kind === 'position') position = Math.max(position, scales[k]);
  });
  return Float64Array.from(signals, (signal, k) => {
    const { range, scale } = widest.get(kindOf(signal)) ?? { range: 0, scale: 0 };
    const rest = Math.max(scale, signal.kind === 'velocity' ? position / duration : 0);
    return Math.max(ranges[k], LEAST_RANGE * range, AT_REST * rest);
  });
}

/** First time at which one of the signals differs by more than it may, s; infinite where none does. */
function firstCrossing({ difference }: RecordingComparison, { to }: Span): number {
  const times = difference.signals.map(({ agreesUntil }) => agreesUntil).filter((time) => time < to);
  return Math.min(Infinity, ...times);
}

/** Largest difference, in parts of what it may be. */
const largest = ({ difference }: RecordingComparison, limits: Float64Array): number =>
  Math.max(
    0,
    ...difference.signals.map(({ awayMaximum }, k) => (awayMaximum === 0 ? 0 : awayMaximum / limits[k])),
  );

/** Where motions in steps part, s; null where they do not. */
function partingInSteps(
  coarse: RecordingComparison,
  middle: RecordingComparison,
  whole: Span,
  isSensitive: (coarse: RecordingComparison) => boolean,
): number | null {
  const crossing = firstCrossing(coarse, whole);
  if (crossing === Infinity || !isSensitive(coarse)) return null;
  return Math.min(crossing, firstCrossing(middle, whole));
}

/**
 * Where motions with tolerances part, s; null where they do not.
 * @param far difference of motions that have parted, in parts of what it may be
 */
function partingTime(
  distance: (run: ComparedRecording, span: Span, limits: Float64Array) => RecordingComparison,
  coarse: ComparedRecording,
  middle: ComparedRecording,
  whole: Span,
  limits: Float64Array,
  far: number,
): number | null {
  const ofCoarse = distance(coarse, whole, limits);
  const crossing = firstCrossing(ofCoarse, whole);
  if (crossing === Infinity) return null;
  const ofMiddle = distance(middle, whole, limits);
  const finerCrossing = firstCrossing(ofMiddle, whole);
  if (finerCrossing === Infinity) return null;
  const most = largest(ofCoarse, limits);
  const ofFiner = largest(ofMiddle, limits);
  if (most < far || most > AS_MUCH * ofFiner) return null;
  const at = (level: number): number => {
    const lower = limits.map((limit) => level * limit);
    return firstCrossing(distance(coarse, whole, lower), whole);
  };
  const isExponential = LEVELS.some((level) => {
    const [first, second] = [at(level ** 2), at(level)];
    return crossing - second <= level ** (-1 / FASTEST_POWER) * (second - first);
  });
  return isExponential || most < NEARLY_AS_MUCH * ofFiner ? Math.min(crossing, finerCrossing) : null;
}

/** Mean differences of all signals that are more than rounding, in parts of what they may be. */
const sumOf = ({ difference, scales }: RecordingComparison, limits: Float64Array): number =>
  difference.signals.reduce(
    (total, { mean }, k) => (mean <= ROUNDING * scales[k] ? total : total + mean / limits[k]),
    0,
  );

/** Part of what is accepted below which no order can be told from differences. */
const NEGLIGIBLE = 1e-9;

/** Null where differences are rounding. */
function observedOrder(
  coarse: RecordingComparison,
  middle: RecordingComparison,
  limits: Float64Array,
): number | null {
  // Errors of rounding do not fall with the step.
  if (sumOf(middle, limits) < NEGLIGIBLE) return null;
  const order = Math.log2(sumOf(coarse, limits) / sumOf(middle, limits) - 1);
  return Number.isFinite(order) ? order : null;
}

/** Differences that do not shrink with the step, or that grow, have none. */
const NO_ORDER = 0.1;

/**
 * An observed order, where it is one. No scheme has a larger one than is shown: one run is near by accident,
 * as where an impact falls on a point of time.
 */
export const orderToShow = (order: number | null): number | null =>
  order !== null && order >= NO_ORDER && order <= LARGEST_ORDER ? order : null;

const clamped = (order: number): number => Math.min(Math.max(order, LEAST_ORDER), LARGEST_ORDER);

/* How accurate a run is: plain data. */

/** Error of one signal. */
export interface SignalAccuracy {
  name: string;
  /** what it is called in a drawing, where that is something else: `C1.v` for `circuit.x[4]` */
  drawn?: string | undefined;
  unit: string;
  /**
   * estimate of its largest error up to `until`, away from impacts, in its unit; null where nothing, or too
   * little of its range, could be compared, and what was is not too large already
   */
  error: number | null;
  /** what it may be: the accuracy asked for, in parts of the range of the signal */
  limit: number;
  /** where the largest occurs, s; null where nothing, or too little of its range, could be compared */
  time: number | null;
}

/** Error of the times of impacts at one contact. */
interface ImpactAccuracy {
  /** id of the interaction */
  element: string;
  /**
   * impacts far enough from their neighbours that each is found again in the finest run, and those that are
   * not
   */
  matched: number;
  missed: number;
  /** estimate of the largest error of the times of those that are, s; null without any */
  error: number | null;
}

/** Estimated from runs that are finer; see `measureAccuracy`. */
export interface Accuracy {
  /**
   * observed order of convergence over the step; null where errors are rounding or do not shrink with it,
   * where it is larger than any scheme has, and of runs that have tolerances in place of steps
   */
  order: number | null;
  /**
   * the errors are those up to here, s: the end of the run, or where finer runs part from each other as well
   */
  until: number;
  /** whether motions part there: beyond, no digit of the run is known, whatever the step */
  parts: boolean;
  signals: SignalAccuracy[];
  impacts: ImpactAccuracy[];
}

/** Why the accuracy of a run is not known. */
export interface NotMeasured {
  reason: 'too-long' | 'changed' | 'failed';
  /** what has failed */
  message: string;
}
