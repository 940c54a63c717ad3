/**
 * Lyapunov exponents: mean rates at which disturbances of a motion grow. A frame of disturbances is carried
 * along, across events too, and made orthonormal again after each interval; the logarithms of what that
 * divides by add up (Benettin et al. 1980),
 *
 *     Φ_k Q_{k−1} = Q_k R_k,     λ_i = lim 1/t Σ_k log R_k,ii.
 *
 * A motion that comes to rest on a contact without restitution forgets where it came from: R_ii is 0 then,
 * and the exponent −∞. What is left of a disturbance there is rounding of the others, which would count as
 * one that shrinks to rounding in each interval. Therefore the frame is orthonormal just before each event,
 * so that after it rounding can be distinguished from what is small.
 *
 * All disturbances are followed, however few exponents are asked for: a single one may lie where nothing is
 * left of it, or among parts of a model that do not act on the others.
 */
import type { TangentBreak, TangentMotion, TangentWatch } from '../../event-driven/tangent/tangent-motion';
import type { EngineErrorDetails } from '../../errors';
import { EngineError } from '../../errors';
import type { EventDriven } from '../../event-driven/event-driven';
import { type PointVerdict, verdictOfMotion } from '../point-verdict';
import { isKinked } from './kink';
import { goOn, type MotionModel } from './motion-model';

export interface LyapunovSettings {
  readonly t0: number;
  /** motion that is left out before disturbances are measured, s */
  readonly transient: number;
  /** motion that is measured, s */
  readonly duration: number;
  /** from one orthonormalisation to the next, s */
  readonly interval: number;
  /** exponents asked for, the largest first; all when absent */
  readonly count?: number;
  /** called after each interval: a long computation may be ended from there */
  readonly progress?: (part: number) => boolean;
}

export interface LyapunovSpectrum {
  readonly status: 'done' | 'cancelled';
  /** λ, 1/s, the largest first */
  readonly exponents: Float64Array;
  /** standard error of each, from the scatter of ten successive parts, 1/s */
  readonly errors: Float64Array;
  /** how they have converged: times since disturbances are counted, s, and exponents at each, row by row */
  readonly times: Float64Array;
  readonly history: Float64Array;
  /** state at the end */
  readonly x: Float64Array;
  /** of the motion that disturbances were followed along */
  readonly verdict: PointVerdict;
}

export type LyapunovResult =
  | LyapunovSpectrum
  | { readonly status: 'notDifferentiable'; readonly broken: TangentBreak }
  | { readonly status: 'simulationFailed'; readonly error: EngineErrorDetails };

/** Parts of the motion whose scatter says how well the mean is known. */
const PARTS = 10;
/**
 * Part of the measured motion before which disturbances turn into their directions, and are not counted yet.
 */
const ALIGNMENT = 0.05;
/**
 * Entries of unit vectors along what is kept at the start up to which they count as dependent on the others.
 */
const DEPENDENT = 1e-10;
/**
 * Grazes, also as a part of all events, of a motion that is at a border: one that is irregular comes by one
 * now and then.
 */
const GRAZES = 3;
const OF_EVENTS = 0.01;
/** Times at which the convergence is kept. */
const MOST_HISTORY = 2000;

/** @param start state at t₀; not changed */
export function lyapunovSpectrum(
  model: MotionModel,
  start: Float64Array,
  settings: LyapunovSettings,
): LyapunovResult {
  const { t0, transient, duration, interval, progress } = settings;
  try {
    let x = start;
    if (transient > 0) {
      const before = model.simulate(t0, transient, start);
      goOn(before, {
        until: () => Infinity,
        arrive: () => undefined,
        isWanted: () => true,
        period: interval,
      });
      x = before.x.slice(0, model.size);
    }
    const begin = t0 + transient;
    const intervals = Math.max(1, Math.round(duration / interval));
    const aligned = Math.ceil(ALIGNMENT * intervals);
    const whole = duration * (1 + aligned / intervals);
    const simulation = model.simulate(begin, whole, x, undefined, true);
    const sums = new Sums(model.tangent(simulation));
    const { tangent } = sums;
    const keptEvery = Math.ceil(intervals / MOST_HISTORY);
    let next = 1;
    let isCancelled = false;
    const until = (): number => begin + (next * duration) / intervals;
    goOn(simulation, {
      until,
      arrive: (time) => {
        while (time >= until()) next++;
        const isLast = !simulation.hasNextEvent;
        if (next - 1 <= aligned) sums.begin(time);
        else sums.take(time, isLast || (next - 1) % keptEvery === 0);
        isCancelled = progress?.((time - begin) / whole) === false;
      },
      isWanted: () => tangent.broken === null && !isCancelled,
      period: interval,
    });
    if (tangent.broken !== null) return { status: 'notDifferentiable', broken: tangent.broken };
    if (isCancelled) return sums.result('cancelled', simulation, settings.count);
    const { first, count } = sums.tangent.grazes;
    const isOften = count >= Math.max(GRAZES, OF_EVENTS * simulation.events.length);
    if (first !== null && isOften && isKinked(model, begin, x, sums.tangent.sizes, first))
      return { status: 'notDifferentiable', broken: first };
    return sums.result('done', simulation, settings.count);
  } catch (error) {
    if (error instanceof EngineError) return { status: 'simulationFailed', error: error.details };
    throw error;
  }
}

class Sums implements TangentWatch {
  readonly #logarithms: Float64Array;
  readonly #times: number[] = [];
  readonly #history: number[] = [];
  #begun = 0;

  constructor(readonly tangent: TangentMotion) {
    this.#logarithms = new Float64Array(tangent.count);
    tangent.watch = this;
    if (!tangent.isKept) return;
    this.#orthonormalise(new Float64Array(tangent.frame.length).fill(DEPENDENT));
    for (let i = 0; i < this.#logarithms.length; i++)
      if (this.#logarithms[i] > -Infinity) this.#logarithms[i] = 0;
  }

  eventBegins(): void {
    this.#orthonormalise();
  }

  eventEnded(rounding: Float64Array): void {
    this.#orthonormalise(rounding);
  }

  #orthonormalise(rounding?: Float64Array): void {
    const { frame, size } = this.tangent;
    orthonormalise(frame, size, this.#logarithms, rounding);
  }

  /** Disturbances have turned so far: what they have grown by is forgotten. */
  begin(time: number): void {
    this.take(time, false);
    this.#logarithms.fill(0);
    this.#begun = time;
  }

  /** @param isKept whether the exponents so far belong to the history */
  take(time: number, isKept: boolean): void {
    this.tangent.passed();
    this.#orthonormalise();
    if (!isKept) return;
    const since = time - this.#begun;
    this.#times.push(since);
    for (const logarithm of this.#logarithms) this.#history.push(logarithm / since);
  }

  /** @param count exponents asked for */
  result(
    status: LyapunovSpectrum['status'],
    simulation: EventDriven,
    count = this.tangent.count,
  ): LyapunovSpectrum {
    const times = Float64Array.from(this.#times);
    const all = this.#logarithms.length;
    const last = this.#history.slice(this.#history.length - all);
    // Disturbances that vanish, and those of parts that do not act on each other, need not be in order.
    const order = last.map((_, i) => i).sort((a, b) => descending(last[a], last[b]));
    const kept = order.slice(0, count);
    const k = kept.length;
    const history = Float64Array.from({ length: k * times.length }, (_, at) => {
      const row = Math.floor(at / k);
      return this.#history[row * all + kept[at - row * k]];
    });
    const exponents = history.slice(history.length - k);
    const errors = exponents.map((value, i) =>
      value === -Infinity ? 0 : standardError(times, history, k, i),
    );
    const [x, verdict] = [simulation.x.slice(0, this.tangent.size), verdictOfMotion(simulation)];
    return { status, exponents, errors, times, history, x, verdict };
  }
}

/** −∞ is the same as −∞, and what is no number is last. */
const descending = (a: number, b: number): number => {
  if (a === b) return 0;
  return a > b || Number.isNaN(b) ? -1 : 1;
};

/** Scatter of the means over successive parts of the motion. */
function standardError(times: Float64Array, history: Float64Array, k: number, i: number): number {
  const parts = Math.min(PARTS, times.length);
  if (parts < 2) return NaN;
  const sumAt = (row: number): number => (row < 0 ? 0 : history[row * k + i] * times[row]);
  const timeAt = (row: number): number => (row < 0 ? 0 : times[row]);
  const rows = Array.from({ length: parts + 1 }, (_, p) => Math.round((p * times.length) / parts) - 1);
  const means = rows
    .slice(1)
    .map((row, p) => (sumAt(row) - sumAt(rows[p])) / (timeAt(row) - timeAt(rows[p])));
  const mean = means.reduce((sum, value) => sum + value, 0) / parts;
  const square = means.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (parts - 1);
  return Math.sqrt(square / parts);
}

/**
 * Gram and Schmidt's orthonormalisation, each column against those before it, twice, which makes it
 * orthogonal to rounding.
 * @param logarithms log R_ii are added
 * @param rounding of each entry, carried along: what is within it counts as zero
 */
function orthonormalise(
  frame: Float64Array,
  n: number,
  logarithms: Float64Array,
  rounding?: Float64Array,
): void {
  for (let c = 0; c < logarithms.length; c++) {
    const at = c * n;
    for (let pass = 0; pass < 2; pass++) {
      for (let b = 0; b < c; b++) {
        let product = 0;
        for (let i = 0; i < n; i++) product += frame[b * n + i] * frame[at + i];
        if (rounding !== undefined && pass === 0) carryRounding(rounding, frame, n, b, c, product);
        for (let i = 0; i < n; i++) frame[at + i] -= product * frame[b * n + i];
      }
    }
    let square = 0;
    let isRounding = rounding !== undefined;
    for (let i = 0; i < n; i++) {
      square += frame[at + i] ** 2;
      if (!(Math.abs(frame[at + i]) <= (rounding?.[at + i] ?? 0))) isRounding = false;
    }
    const length = Math.sqrt(square);
    if (length === 0 || isRounding) {
      logarithms[c] = -Infinity;
      for (let i = 0; i < n; i++) frame[at + i] = 0;
      continue;
    }
    logarithms[c] += Math.log(length);
    for (let i = 0; i < n; i++) {
      frame[at + i] /= length;
      if (rounding !== undefined) rounding[at + i] /= length;
    }
  }
}

/**
 * What column b, which has length 1, brings into column c of rounding: that of its own part, and of how large
 * that part is.
 */
function carryRounding(
  rounding: Float64Array,
  frame: Float64Array,
  n: number,
  b: number,
  c: number,
  product: number,
): void {
  let uncertain = 0;
  for (let i = 0; i < n; i++) {
    const [one, other] = [b * n + i, c * n + i];
    uncertain += Math.abs(frame[one]) * rounding[other] + rounding[one] * Math.abs(frame[other]);
  }
  for (let i = 0; i < n; i++)
    rounding[c * n + i] += Math.abs(product) * rounding[b * n + i] + uncertain * Math.abs(frame[b * n + i]);
}
