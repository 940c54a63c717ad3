/**
 * What is measured of a run: `KIND SIGNAL`, `KIND CONTACT`, or a kind that needs neither. A new measure is
 * one entry here.
 *
 * Means are over time, by the trapezoidal rule on the rows; at an event there are two rows at one time,
 * between which nothing is added.
 */
import { EngineError } from '../../errors';
import type { PreparedModel } from '../../preparation/prepare';
import type { Simulation } from '../../run/schemes/scheme';
import { eigenvalues } from '../../linalg/eigenvalues';
import { followFlow } from '../stability/flow-map';
import { isKinked } from '../stability/kink';
import { lyapunovSpectrum } from '../stability/lyapunov';
import { preparedMotion } from '../stability/motion-model';
import { replaceInitialState } from './start-state';

/* After how many points of a section a motion repeats itself. */

/**
 * Points that are as near as this to each other are one, relative to the extent of all of them: what heat
 * maps tell by their colour uses the same.
 */
const SAME = 1e-6;

/**
 * Smallest k for which points k apart are the same; NaN where there is none up to half of their number, as of
 * chaos or a motion that has not settled.
 * @param section row by row, the time first, which does not count @param width of a row
 */
function recurrence(section: Float64Array, width: number): number {
  const count = width === 0 ? 0 : section.length / width;
  const near = nearness(section, count, width);
  for (let k = 1; 2 * k <= count; k++) if (repeatsAfter(k, section, count, near)) return k;
  return NaN;
}

/** Differences that count as none, by column. */
function nearness(section: Float64Array, count: number, width: number): Float64Array {
  const near = new Float64Array(width);
  for (let c = 1; c < width; c++) {
    let low = Infinity;
    let high = -Infinity;
    for (let i = 0; i < count; i++) {
      const value = section[i * width + c];
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    // Of a fixed point nothing but rounding is left of the extent.
    near[c] = SAME * Math.max(high - low, Math.abs(high), Math.abs(low));
  }
  return near;
}

function repeatsAfter(k: number, section: Float64Array, count: number, near: Float64Array): boolean {
  const width = near.length;
  for (let i = 0; i + k < count; i++)
    for (let c = 1; c < width; c++)
      if (!(Math.abs(section[(i + k) * width + c] - section[i * width + c]) <= near[c])) return false;
  return true;
}

/** A run that is over, and what has been kept of it. */
export interface MeasuredRun {
  readonly simulation: Simulation;
  /** points of the section that are kept, row by row, the time first; none without a section */
  readonly section: Float64Array;
  /** length of a row; 0 without a section */
  readonly width: number;
  /** largest Lyapunov exponent of the measured part; computed when it is called */
  readonly exponent: () => MeasuredExponent;
}

/** A measure that is being taken. */
interface Taking {
  /** A row of the result, complete, in the order of time. */
  row(row: Float64Array): void;
  value(run: MeasuredRun): number;
  /** whether rows on the way matter; only the last one when absent */
  readonly followsRows?: boolean;
}

/** What a measure is taken of. */
interface Subject {
  /** of the signal in a row; 0 where there is none */
  readonly slot: number;
  /** id of the contact; empty where there is none */
  readonly contact: string;
  /** places of the rows of the contact in a row of the result; none where events are recorded */
  readonly places: readonly { readonly gap: number; readonly speed: number; readonly multiplier: number }[];
  /** events of the run before it was measured */
  readonly eventsBefore: number;
}

interface MeasureKind {
  readonly description: string;
  /** what its name is followed by */
  readonly of: 'signal' | 'contact' | null;
  readonly unit?: string;
  /** @throws {EngineError} for a run of which it cannot be taken */
  readonly check?: (prepared: PreparedModel, hasSection: boolean) => void;
  begin(subject: Subject): Taking;
}

const nothing = (): void => undefined;

const extreme = (sign: 1 | -1): MeasureKind['begin'] => {
  return ({ slot }) => {
    let best = -Infinity;
    return {
      followsRows: true,
      row: (row) => (best = Math.max(best, sign * row[slot])),
      value: () => sign * best,
    };
  };
};

/** ∫ f dt / ∫ dt of several functions of a signal. */
const means = (
  functions: readonly ((value: number, first: number) => number)[],
  finish: (means: readonly number[]) => number,
): MeasureKind['begin'] => {
  return ({ slot }) => {
    const sums = functions.map(() => 0);
    let last = functions.map(() => NaN);
    let [time, whole, first] = [NaN, 0, NaN];
    return {
      followsRows: true,
      row: (row) => {
        if (Number.isNaN(first)) first = row[slot];
        const values = functions.map((f) => f(row[slot], first));
        if (row[0] > time) {
          const h = row[0] - time;
          values.forEach((value, k) => (sums[k] += 0.5 * (value + last[k]) * h));
          whole += h;
        }
        time = row[0];
        last = values;
      },
      value: () => finish(sums.map((sum) => sum / whole)),
    };
  };
};

/** From event to event each impact is a record; in steps it is one in which the contact begins to push. */
function impacts({ contact, places, eventsBefore }: Subject): Taking {
  let isPushing: boolean | null = null;
  let begun = 0;
  return {
    followsRows: places.length > 0,
    row: (row) => {
      const pushes = places.some(({ multiplier }) => row[multiplier] !== 0);
      if (pushes && isPushing === false) begun++;
      // At the start multipliers are not known yet: what is closed and does not approach rests.
      const rests =
        isPushing === null && places.some(({ gap, speed }) => !(row[gap] > 0) && !(row[speed] < 0));
      isPushing = pushes || rests;
    },
    value: ({ simulation }) => {
      if (places.length > 0) return begun;
      const times = simulation.events
        .slice(eventsBefore)
        .flatMap(({ kind, element, time }) => (kind === 'impact' && element === contact ? [time] : []));
      // A contact of several rows has a record for each of them.
      return new Set(times).size;
    },
  };
}

const ofExponent = (
  name: string,
  description: string,
  read: (found: MeasuredExponent) => number,
): MeasureKind => ({
  description,
  of: null,
  unit: '1/s',
  check: (prepared) => {
    if (prepared.settings.scheme !== 'event-driven')
      throw notMeasured(
        name,
        `The measure “${name}” follows disturbances across events, which time-stepping does not find.`,
        'Compute the sweep with the event-driven scheme.',
      );
    preparedMotion(prepared);
  },
  begin: () => ({ row: nothing, value: ({ exponent }) => read(exponent()) }),
});

export const MEASURES: Readonly<Record<string, MeasureKind>> = {
  max: { description: 'largest value', of: 'signal', begin: extreme(1) },
  min: { description: 'smallest value', of: 'signal', begin: extreme(-1) },
  ripple: {
    description: 'largest value minus smallest',
    of: 'signal',
    begin: (subject) => {
      const [top, bottom] = [extreme(1)(subject), extreme(-1)(subject)];
      return {
        followsRows: true,
        row: (row) => {
          top.row(row);
          bottom.row(row);
        },
        value: (run) => top.value(run) - bottom.value(run),
      };
    },
  },
  mean: { description: 'mean over time', of: 'signal', begin: means([(v) => v], ([m]) => m) },
  rms: {
    description: 'root of the mean square',
    of: 'signal',
    begin: means([(v) => v * v], ([square]) => Math.sqrt(square)),
  },
  std: {
    description: 'standard deviation over time',
    of: 'signal',
    // Deviations from the first value: squares of a large mean would leave nothing but rounding.
    begin: means([(v, first) => v - first, (v, first) => (v - first) ** 2], ([mean, square]) =>
      Math.sqrt(Math.max(0, square - mean * mean)),
    ),
  },
  final: {
    description: 'value at the end',
    of: 'signal',
    begin: ({ slot }) => {
      let last = NaN;
      return { row: (row) => (last = row[slot]), value: () => last };
    },
  },
  events: {
    description: 'number of events',
    of: null,
    begin: ({ eventsBefore }) => ({
      row: nothing,
      value: ({ simulation }) => simulation.eventCount - eventsBefore,
    }),
  },
  impacts: { description: 'number of impacts of a contact', of: 'contact', begin: impacts },
  period: {
    description: 'number of section points after which the motion repeats itself',
    of: null,
    check: (_prepared, hasSection) => {
      if (!hasSection)
        throw notMeasured(
          'period',
          'The measure “period” counts points of a section, and there is none.',
          'Take a section, such as a stroboscopic one.',
        );
    },
    begin: () => ({ row: nothing, value: ({ section, width }) => recurrence(section, width) }),
  },
  lyapunov: ofExponent(
    'lyapunov',
    'largest Lyapunov exponent, from event to event only',
    ({ value }) => value,
  ),
  'lyapunov-error': ofExponent(
    'lyapunov-error',
    'standard error of the largest Lyapunov exponent; 0 of a motion that repeats itself',
    ({ error }) => error,
  ),
};

const notMeasured = (where: string, message: string, remedy: string): EngineError =>
  new EngineError({ code: 'not-measured', message, where, remedy });

export interface Measure {
  readonly name: string;
  readonly unit: string;
  readonly kind: MeasureKind;
  readonly subject: Omit<Subject, 'eventsBefore'>;
}

const NO_SUBJECT = { slot: 0, contact: '', places: [] } as const;

/**
 * @throws {EngineError} for a kind, a signal or a contact that does not exist, or a measure that cannot be
 *   taken
 */
export function readMeasure(text: string, prepared: PreparedModel, hasSection: boolean): Measure {
  const [name, ...rest] = text.trim().split(/[\s:]+/);
  const kind = Object.hasOwn(MEASURES, name) ? MEASURES[name] : undefined;
  if (kind === undefined)
    throw new EngineError({
      code: 'unknown-measure',
      message: `There is no measure “${name}”.`,
      remedy: `Measures are ${Object.keys(MEASURES).join(', ')}.`,
    });
  kind.check?.(prepared, hasSection);
  const wanted = rest.join(' ');
  switch (kind.of) {
    case 'signal':
      return { name: text, kind, ...ofSignal(name, wanted, prepared) };
    case 'contact':
      return { name: text, unit: '', kind, subject: ofContact(name, wanted, prepared) };
    case null:
      return { name: text, unit: kind.unit ?? '', kind, subject: NO_SUBJECT };
  }
}

function ofSignal(
  name: string,
  wanted: string,
  { layout }: PreparedModel,
): Pick<Measure, 'unit' | 'subject'> {
  const at = layout.signals.findIndex((signal) => signal.name === wanted);
  if (at < 0)
    throw new EngineError({
      code: 'unknown-signal',
      message: wanted === '' ? `The measure “${name}” needs a signal.` : `There is no signal “${wanted}”.`,
      remedy: `Write it as in “${name} ${layout.signals.at(1)?.name ?? 't'}”. Signals of this model start with ${layout.signals
        .slice(0, 12)
        .map((signal) => signal.name)
        .join(', ')}.`,
    });
  return { unit: layout.signals[at].unit, subject: { ...NO_SUBJECT, slot: layout.slots[at] } };
}

function ofContact(
  name: string,
  wanted: string,
  { model, layout, settings }: PreparedModel,
): Measure['subject'] {
  let row = 0;
  for (const { id, relation, law } of model.interactions) {
    if (id === wanted && law.restitution !== null) {
      const isStepped = settings.scheme !== 'event-driven';
      const rows = Array.from({ length: relation.size }, (_, k) => k).filter(
        (k) => isStepped && law.rows[k % law.size].kind !== 'friction',
      );
      const places = rows.map((k) => ({
        gap: layout.y + row + k,
        speed: layout.yDot + row + k,
        multiplier: layout.lambda + row + k,
      }));
      return { slot: 0, contact: id, places };
    }
    row += relation.size;
  }
  const known = model.interactions.filter(({ law }) => law.restitution !== null).map(({ id }) => id);
  throw new EngineError({
    code: 'unknown-contact',
    message:
      wanted === ''
        ? `The measure “${name}” needs a contact.`
        : `There is no contact “${wanted}” of the model.`,
    where: wanted,
    remedy:
      known.length === 0
        ? 'Leave it out: no interaction of the model has a law of impact.'
        : `Write it as in “${name} ${known[0]}”. Contacts are ${known.slice(0, 12).join(', ')}.`,
  });
}

export class TakenMeasures {
  /** whether one of them needs the rows on the way */
  readonly followsRows: boolean;
  readonly #takings: readonly Taking[];

  constructor(measures: readonly Measure[], eventsBefore: number) {
    this.#takings = measures.map(({ kind, subject }) => kind.begin({ ...subject, eventsBefore }));
    this.followsRows = this.#takings.some((taking) => taking.followsRows === true);
  }

  row(row: Float64Array): void {
    for (let k = 0; k < this.#takings.length; k++) this.#takings[k].row(row);
  }

  values(run: MeasuredRun): Float64Array {
    return Float64Array.from(this.#takings, (taking) => taking.value(run));
  }
}

/* The largest Lyapunov exponent of a run of a sweep. */

/**
 * Times at which the disturbance is made of length one again, at most: the growth between two of them is far
 * from what overflows.
 */
const INTERVALS = 2000;

/** Where the measured part of a run begins. */
export interface MeasuredStart {
  /** s */
  readonly time: number;
  /** as `stateIn` gives it */
  readonly state: Float64Array;
}

export interface MeasuredExponent {
  /** 1/s; NaN where an event has no derivative, nothing was measured, or `error` is too large */
  readonly value: number;
  /** standard error, 1/s; 0 where it follows from the multipliers of an orbit */
  readonly error: number;
}

const UNKNOWN: MeasuredExponent = { value: NaN, error: NaN };

/** Standard error of an exponent, relative to it, and in units of 1/duration, above which it is not given. */
const MOST_ERROR = 0.25;
const MOST_GROWTH = 0.25;

/**
 * λ₁ of the measured part of a run, which is computed once more, with a disturbance. The run itself must be
 * over: the model starts from elsewhere afterwards.
 *
 * Of a motion that repeats itself it is log |μ| / T with the largest multiplier μ of its period T: a mean of
 * growth over some periods depends on the units of the states, and on how far disturbances have turned. Of
 * others it is that mean, which is not given where its own scatter is as large as what it says.
 * @param end of that part, s @param period after which the motion repeats itself, s; NaN where it does not
 */
export function measuredExponent(
  prepared: PreparedModel,
  { time, state }: MeasuredStart,
  end: number,
  period: number,
): MeasuredExponent {
  const duration = end - time;
  if (!(duration > 0)) return UNKNOWN;
  replaceInitialState(prepared.model, state);
  const motion = preparedMotion(prepared);
  if (period > 0) {
    const image = followFlow(motion, time, period, motion.initialState);
    if (!image.ok || image.broken !== null) return UNKNOWN;
    const { graze, sizes } = image;
    if (graze !== null && isKinked(motion, time, motion.initialState, sizes, graze)) return UNKNOWN;
    const { real, imaginary } = eigenvalues(image.matrix, motion.size);
    const largest = real.reduce((most, part, i) => Math.max(most, Math.hypot(part, imaginary[i])), 0);
    return { value: Math.log(largest) / period, error: 0 };
  }
  const interval = Math.max(prepared.settings.h, duration / INTERVALS);
  const found = lyapunovSpectrum(motion, motion.initialState, {
    t0: time,
    transient: 0,
    duration,
    interval,
    count: 1,
  });
  if (found.status !== 'done') return UNKNOWN;
  const [[value], [error]] = [found.exponents, found.errors];
  const isKnown = error <= Math.max(MOST_ERROR * Math.abs(value), MOST_GROWTH / duration);
  return { value: isKnown ? value : NaN, error };
}

/**
 * Time after which a motion repeats itself by its points of a stroboscopic section; NaN where it does not, or
 * what is between other points may begin or end with an event.
 */
export function repeatedPeriod(section: Float64Array, width: number): number {
  const points = recurrence(section, width);
  return Number.isNaN(points) ? NaN : section[points * width] - section[0];
}
