/**
 * Where an orbit is looked for: the motion is let settle, and looked on once a period. Of the states x_0, x_1, … seen then, the pair x_k, x_{k+m}
 * that is nearest is where Newton's method starts; m is the smallest number of periods after which the motion repeats, where nobody
 * has said it. Near an unstable orbit, as in chaos, the motion comes by sooner or later.
 */
import { EngineError } from '../../errors';
import { evaluateWith } from '../../document/parameters';
import type { Expression } from '../../document/types';
import type { MotionModel } from '../stability/motion-model';
import type { AnalysedMotion } from './motion-of';

/** Periods that the motion is looked on, of which two may be the same. */
export const LOOKED = 96;
/** Most periods of an orbit that is found by itself. */
const MOST_MULTIPLE = 64;
/** Nearness at which the motion counts as repeating, relative to the sizes of the components: Newton's method does the rest. */
export const REPEATS = 1e-3;
/** Rounding in counting periods. */
const SPARE = 1e-9;
/** Samples of a guessed period in which an autonomous motion is compared with its start. */
const SAMPLES = 256;
/** Guessed periods within which it has to return, and the part of the first one that is too soon. */
const RETURN_WITHIN = 4;
const TOO_SOON = 0.2;
/** Nearness that counts as a return. */
const RETURNS = 0.1;

export interface Guess {
  /** s */
  readonly t0: number;
  readonly x: Float64Array;
  /** of the forcing, s */
  readonly period: number;
  readonly multiple: number;
}

export interface Search {
  readonly period: Expression;
  readonly multiple: number | null;
  readonly phase: number;
  readonly settle: number;
}

/** The state after a time. */
export function advanced(motion: MotionModel, t0: number, time: number, x: Float64Array): Float64Array {
  if (time <= 0) return x;
  const simulation = motion.simulate(t0, time, x);
  simulation.run();
  return simulation.x.slice(0, motion.size);
}

/** Largest difference of two states relative to the sizes. */
export function distance(a: Float64Array, b: Float64Array, sizes: Float64Array): number {
  let worst = 0;
  for (let i = 0; i < a.length; i++) worst = Math.max(worst, Math.abs(a[i] - b[i]) / sizes[i]);
  return worst;
}

export function sizesOf(states: readonly Float64Array[]): Float64Array {
  const sizes = new Float64Array(states[0].length);
  for (const x of states) for (let i = 0; i < x.length; i++) sizes[i] = Math.max(sizes[i], Math.abs(x[i]));
  return sizes.map((size) => (size > 0 ? size : 1));
}

/** @throws {EngineError} */
export function periodOf({ period }: Search, { parameters }: AnalysedMotion): number {
  const value = evaluateWith(period, parameters);
  if (value > 0 && Number.isFinite(value)) return value;
  throw new EngineError({
    code: 'out-of-range',
    message: `The period is ${value} s; it must be positive.`,
    remedy: 'Give a positive period.',
  });
}

/** Of a forced model. @throws {EngineError} `not-periodic`, or why the motion cannot be simulated */
export function settledForced(
  analysed: AnalysedMotion,
  search: Search,
  progress: (part: number) => void,
): Guess {
  const { motion, t0 } = analysed;
  const period = periodOf(search, analysed);
  const first = Math.ceil(t0 / period - search.phase - SPARE);
  const begin = (search.phase + first) * period;
  let x = advanced(motion, t0, begin - t0, motion.initialState);
  x = advanced(motion, begin, search.settle * period, x);
  const from = first + search.settle;
  const states = [x];
  const looked = Math.max(LOOKED, 2 * (search.multiple ?? 0));
  for (let k = 0; k < looked; k++) {
    states.push(advanced(motion, (search.phase + from + k) * period, period, states[k]));
    progress((k + 1) / looked);
  }
  const sizes = sizesOf(states);
  const multiple = search.multiple ?? smallestMultiple(states, sizes);
  let best = 0;
  let least = Infinity;
  for (let k = 0; k + multiple < states.length; k++) {
    const apart = distance(states[k], states[k + multiple], sizes);
    // The last ones have settled most: they win where all are as near.
    if (apart > least) continue;
    least = apart;
    best = k;
  }
  return { t0: (search.phase + from + best) * period, x: states[best], period, multiple };
}

function smallestMultiple(states: readonly Float64Array[], sizes: Float64Array): number {
  const last = states.length - 1;
  let nearest = Infinity;
  for (let m = 1; m <= MOST_MULTIPLE; m++) {
    const apart = distance(states[last], states[last - m], sizes);
    if (apart < REPEATS) return m;
    nearest = Math.min(nearest, apart);
  }
  throw new EngineError({
    code: 'not-periodic',
    message: `The motion does not repeat within ${MOST_MULTIPLE} periods: it comes back to within ${nearest.toPrecision(2)} of its size at best.`,
    remedy:
      'Let it settle longer. Where it is chaotic, give the number of periods of the unstable orbit that is looked for.',
  });
}

/** Of an autonomous model: its period is guessed anew from the first return. */
export function settledAutonomous(analysed: AnalysedMotion, search: Search): Guess {
  const { motion, t0 } = analysed;
  const guess = periodOf(search, analysed);
  const x = advanced(motion, t0, search.settle * guess, motion.initialState);
  const begin = t0 + search.settle * guess;
  const simulation = motion.simulate(begin, RETURN_WITHIN * guess, x, RETURN_WITHIN * SAMPLES);
  const states: Float64Array[] = [];
  const times: number[] = [];
  while (simulation.hasNextEvent) {
    simulation.computeOneStep();
    states.push(simulation.x.slice(0, motion.size));
    times.push(simulation.startingTime - begin);
  }
  const sizes = sizesOf([x, ...states]);
  const apart = states.map((state) => distance(x, state, sizes));
  const at = apart.findIndex(
    (value, k) =>
      times[k] > TOO_SOON * guess &&
      value < RETURNS &&
      value <= (apart[k - 1] ?? Infinity) &&
      value <= (apart[k + 1] ?? Infinity),
  );
  return { t0: begin, x, period: at < 0 ? guess : times[at], multiple: 1 };
}
