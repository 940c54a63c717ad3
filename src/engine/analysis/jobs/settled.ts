/**
 * Where an orbit is looked for: the motion is let settle, and looked on once a period. Of the states x_0,
 * x_1, … seen then, the pair x_k, x_{k+m} that is nearest is where Newton's method starts; m is the smallest
 * number of periods after which the motion repeats, where it is not given. Near an unstable orbit, as in
 * chaos, the motion comes by sooner or later.
 */
import type { BranchRequest, OrbitRequest, OrbitSection } from '../../document/analyses';
import { evaluateWith } from '../../document/parameters';
import type { Expression } from '../../document/types';
import { EngineError } from '../../errors';
import { compileSection } from '../../preparation/section';
import { RunObservables } from '../../run/observables';
import type { MotionModel } from '../stability/motion-model';
import { type MappedPoint, type ShootingSection, hits, takeSurface } from '../stability/section-map';
import type { AnalysedMotion } from './motion-of';

/** Periods that the motion is looked on, of which two may be the same. */
const LOOKED = 96;
/** Most periods of an orbit that is found by itself. */
const MOST_MULTIPLE = 64;
/**
 * Nearness at which the motion counts as repeating, relative to the sizes of the components: Newton's method
 * does the rest.
 */
const REPEATS = 1e-3;
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
function periodOf({ period }: Search, { parameters }: AnalysedMotion): number {
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

/** Of an autonomous model: its period is guessed again from the first return. */
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

/*
 * Where an orbit is looked for on a section: of the points x_0, x_1, … at times t_0, t_1, … at which the
 * settled motion meets it, the pair k, k + m that is nearest is where Newton's method starts. Of a forced
 * model t_{k+m} − t_k has to be a number of periods of the forcing, too. m, and that number, are the smallest
 * ones after which the motion repeats, where they are not given.
 */

export interface SectionGuess extends Guess {
  readonly returns: number;
}

/** Points of a section that are looked at: a motion that rattles has very many. */
const MOST_POINTS = 4096;

/** @throws {EngineError} `invalid-section` for an unknown contact, or an expression that is none */
export function orbitSection(analysed: AnalysedMotion, asked: OrbitSection): ShootingSection {
  const { prepared, parameters, document, lookup } = analysed;
  const { layout, model } = prepared;
  const observables = new RunObservables(document, prepared, parameters, lookup);
  const trigger = compileSection(asked, model, layout);
  if (trigger.kind === 'stroboscopic') throw new Error('a stroboscopic section passed the check of analyses');
  return {
    id: asked.id,
    trigger,
    createRow: () => {
      const row = new Float64Array(layout.size);
      Object.values(parameters).forEach((value, k) => (row[layout.parameters + k] = value));
      return row;
    },
    complete: (row) => {
      observables.write(row);
    },
  };
}

/** @throws {EngineError} `section-not-met`, `not-periodic`, or why the motion cannot be simulated */
export function sectionGuess(
  analysed: AnalysedMotion,
  request: OrbitRequest | BranchRequest,
  section: ShootingSection,
  progress: (part: number) => void,
): SectionGuess {
  const { motion, t0 } = analysed;
  const period = periodOf(request, analysed);
  const begin = t0 + request.settle * period;
  const x = advanced(motion, t0, begin - t0, motion.initialState);
  const looked = Math.max(LOOKED, 2 * (request.multiple ?? 0));
  const { points, sizes } = pointsOn(analysed, section, { time: begin, x }, looked * period, progress);
  if (points.length === 0)
    throw new EngineError({
      code: 'section-not-met',
      message: `The settled motion does not meet the section “${section.id}” within ${looked} periods of ${period} s.`,
      where: section.id,
      remedy: 'Let it settle longer, give a longer period, or take another section or direction.',
    });
  const forcing = request.isAutonomous ? null : period;
  const returns = request.returns ?? smallestReturns(points, sizes, forcing, request.multiple);
  return bestPair(points, sizes, { returns, forcing, multiple: request.multiple }, section.id);
}

function pointsOn(
  { motion }: AnalysedMotion,
  section: ShootingSection,
  { time, x }: MappedPoint,
  duration: number,
  progress: (part: number) => void,
): { readonly points: MappedPoint[]; readonly sizes: Float64Array } {
  const points: MappedPoint[] = [];
  // Sizes are those of the motion: on the section itself a component may be zero but for rounding.
  const largest = x.map(Math.abs);
  const simulation = motion.simulate(time, duration, x);
  const { trigger } = section;
  if (trigger.kind === 'surface')
    takeSurface(motion, section, simulation, false, (point) => points.push(point));
  while (simulation.hasNextEvent && points.length < MOST_POINTS) {
    simulation.computeOneStep();
    if (trigger.kind === 'impact' && hits(simulation, trigger.rows))
      points.push({ time: simulation.state[0], x: simulation.x.slice(0, motion.size) });
    for (let i = 0; i < largest.length; i++) largest[i] = Math.max(largest[i], Math.abs(simulation.x[i]));
    progress(Math.min(1, (simulation.startingTime - time) / duration));
  }
  return { points, sizes: sizesOf([largest]) };
}

interface Wanted {
  readonly returns: number;
  /** period of the forcing, s; null without one */
  readonly forcing: number | null;
  /** periods of it; null: any number */
  readonly multiple: number | null;
}

/**
 * How far a point is from the one `returns` returns later, in state and in phase; infinite where it cannot be
 * the same.
 */
function apartBy(
  points: readonly MappedPoint[],
  k: number,
  sizes: Float64Array,
  { returns, forcing, multiple }: Wanted,
): number {
  const [from, to] = [points[k], points[k + returns]];
  const apart = distance(from.x, to.x, sizes);
  if (forcing === null) return apart;
  const turns = (to.time - from.time) / forcing;
  const whole = Math.round(turns);
  if (whole < 1 || (multiple !== null && whole !== multiple)) return Infinity;
  return Math.max(apart, Math.abs(turns - whole));
}

function smallestReturns(
  points: readonly MappedPoint[],
  sizes: Float64Array,
  forcing: number | null,
  multiple: number | null,
): number {
  let nearest = Infinity;
  for (let returns = 1; returns < points.length; returns++) {
    const apart = apartBy(points, points.length - 1 - returns, sizes, { returns, forcing, multiple });
    if (apart < REPEATS) return returns;
    nearest = Math.min(nearest, apart);
  }
  throw new EngineError({
    code: 'not-periodic',
    message:
      nearest < Infinity
        ? `The points of the section do not repeat: they come back to within ${nearest.toPrecision(2)} of their size at best.`
        : 'The points of the section do not repeat after such a number of periods.',
    remedy:
      'Let the motion settle longer. Where it is chaotic, give the number of returns of the unstable orbit that is looked for.',
  });
}

/**
 * The pair that is nearest; the last ones have settled most, and win where all are as near.
 * @throws {EngineError} `not-periodic`
 */
function bestPair(
  points: readonly MappedPoint[],
  sizes: Float64Array,
  wanted: Wanted,
  id: string,
): SectionGuess {
  const { returns, forcing } = wanted;
  let best = -1;
  let least = Infinity;
  for (let k = 0; k + returns < points.length; k++) {
    const apart = apartBy(points, k, sizes, wanted);
    if (apart > least || apart === Infinity) continue;
    least = apart;
    best = k;
  }
  if (best < 0)
    throw new EngineError({
      code: 'not-periodic',
      message: `The settled motion has no ${returns} returns to the section “${id}” in ${wanted.multiple === null ? 'a whole number of' : wanted.multiple} periods.`,
      where: id,
      remedy: 'Give another number of returns or periods, or leave it out.',
    });
  const [from, to] = [points[best], points[best + returns]];
  const time = to.time - from.time;
  const multiple = forcing === null ? 1 : Math.round(time / forcing);
  return { t0: from.time, x: from.x, period: forcing ?? time, multiple, returns };
}
