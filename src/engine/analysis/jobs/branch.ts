/** A branch of periodic orbits of a document's model over one of its parameters. */
import type { BranchRequest, OrbitSection } from '../../document/analyses';
import { evaluateWith } from '../../document/parameters';
import type { ModelDocument } from '../../document/types';
import { EngineError } from '../../errors';
import type { Branch, BranchPoint, ForcedMotion } from '../continuation/branch';
import { followBranch } from '../continuation/continuation';
import { gatherVerdicts, motionVerdict } from '../point-verdict';
import { flowEnd } from '../stability/flow-map';
import { type MappedPoint, hits, takeSurface } from '../stability/section-map';
import type { SectionOrbit } from '../stability/section-orbit';
import { type AnalysedMotion, type AnalysisEnvironment, analysedMotion, inOrderOfNames } from './motion-of';
import { orbitFrom, orbitOnSection } from './orbit';
import type { FoundBranch } from './outcome';
import {
  type Guess,
  advanced,
  distance,
  orbitSection,
  sectionGuess,
  settledAutonomous,
  settledForced,
  sizesOf,
} from './settled';

/*
 * Branches of orbits that are shot from a section. An orbit is the same one wherever it begins: the first one
 * is found on the section, with its returns, and is followed from a phase of the forcing, or of an autonomous
 * model from the middle of a flight, where a return that grazes, or a section that orbits leave, does not end
 * the branch. Each orbit then stands in the results by its points on the section.
 *
 * The points of neighbouring orbits are joined to curves: each is the continuation of the nearest one before
 * that no other is nearer to. Where a return appears or goes, as at a graze, a curve begins or ends.
 */

/** Part of the period for which an orbit is looked at again: a point where it begins is not met there. */
const AGAIN = 1 / 64;
/** Part of the period by which two looks at a point may differ. */
const SAME_TIME = 1e-6;
/** Rounding in counting periods. */
const SPARE = 1e-9;

/**
 * Where a branch begins whose first orbit is shot from a section.
 * @throws {EngineError} as that orbit does
 */
function guessFromSection(
  analysed: AnalysedMotion,
  request: BranchRequest,
  section: OrbitSection,
  progress: (part: number) => void,
): Guess {
  const taken = orbitSection(analysed, section);
  const guess = sectionGuess(analysed, request, taken, progress);
  const orbit = orbitOnSection(analysed, taken, guess, request.isAutonomous);
  const { period } = guess;
  const begin = request.isAutonomous
    ? middleOfFlight(orbit)
    : (request.phase + Math.ceil(orbit.t0 / period - request.phase - SPARE)) * period;
  const x = advanced(analysed.motion, orbit.t0, begin - orbit.t0, orbit.x);
  return request.isAutonomous
    ? { t0: begin, x, period: orbit.period, multiple: 1 }
    : { t0: begin, x, period, multiple: guess.multiple };
}

/** Of the longest one: an orbit that begins at an event may end before it. */
function middleOfFlight({ t0, period, events }: SectionOrbit): number {
  const times = [t0, ...events.map(({ time }) => time), t0 + period];
  const lengths = times.slice(1).map((time, k) => time - times[k]);
  const longest = lengths.indexOf(Math.max(...lengths));
  return times[longest] + lengths[longest] / 2;
}

/** Points of an orbit on the section, in the order of time. @throws {EngineError} `section-jump` */
function sectionPoints(
  analysed: AnalysedMotion,
  section: OrbitSection,
  { t0 }: ForcedMotion,
  { x, period }: { readonly x: Float64Array; readonly period: number },
): Float64Array[] {
  const { motion } = analysed;
  const { trigger, ...shooting } = orbitSection(analysed, section);
  const points: MappedPoint[] = [];
  const run = motion.simulate(t0, (1 + AGAIN) * period, x);
  if (trigger.kind === 'surface')
    takeSurface(motion, { ...shooting, trigger }, run, false, (point) => points.push(point));
  const isBefore = section.kind === 'impact' && section.state === 'before';
  while (run.hasNextEvent) {
    run.computeOneStep();
    if (trigger.kind === 'impact' && hits(run, trigger.rows))
      points.push({ time: run.state[0], x: motion.stateOf(isBefore ? run.before : run.state) });
  }
  const end = (points.at(0)?.time ?? 0) + (1 - SAME_TIME) * period;
  return points.filter(({ time }) => time < end).map((point) => point.x);
}

/**
 * The points of orbits that follow one another, each in the place of the curve that it is on.
 * @returns as many for each orbit, NaN where it has no point on a curve
 */
export function joinedPoints(orbits: readonly (readonly Float64Array[])[], n: number): Float64Array[][] {
  const all = orbits.flat();
  if (all.length === 0) return orbits.map(() => [new Float64Array(n).fill(NaN)]);
  const sizes = sizesOf(all);
  /** the last point of each curve */
  const ends: Float64Array[] = [];
  const placed = orbits.map((points) => {
    const pairs = ends
      .flatMap((end, curve) => points.map((x, k) => ({ curve, k, apart: distance(end, x, sizes) })))
      .sort((a, b) => a.apart - b.apart || a.curve - b.curve || a.k - b.k);
    const on = new Map<number, number>();
    const used = new Set<number>();
    for (const { curve, k } of pairs) {
      if (on.has(curve) || used.has(k)) continue;
      on.set(curve, k);
      used.add(k);
    }
    points.forEach((_, k) => {
      if (!used.has(k)) on.set(ends.push(points[k]) - 1, k);
    });
    for (const [curve, k] of on) ends[curve] = points[k];
    return on;
  });
  return placed.map((on, o) =>
    ends.map((_, curve) => {
      const k = on.get(curve);
      return k === undefined ? new Float64Array(n).fill(NaN) : orbits[o][k];
    }),
  );
}

/** Models at values of the parameter that are kept: a Newton step asks for the same few again and again. */
const MOST_KEPT = 16;
/** Part of the work that is done before the branch begins. */
const SEARCH = 0.1;

/** @throws {EngineError} when there is no orbit to begin with, or why the motion cannot be analysed */
export function computeBranch(
  document: ModelDocument,
  request: BranchRequest,
  environment: AnalysisEnvironment,
): FoundBranch {
  const { parameter, from, to, longestStep, maxPoints, isAutonomous, section } = request;
  // One sandbox for all of them: scripts are evaluated again in it for each model.
  const sandbox = shared(environment.sandbox);
  const kept = new Map<number, AnalysedMotion>();
  const at = (p: number): AnalysedMotion => {
    const known = kept.get(p);
    if (known !== undefined) return known;
    if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value ?? NaN);
    const made = analysedMotion(document, { [parameter]: p }, { sandbox });
    kept.set(p, made);
    return made;
  };
  const own = analysedMotion(document, {}, { sandbox });
  const start = evaluateWith(request.at, own.parameters);
  if (!(start >= from && start <= to))
    throw new EngineError({
      code: 'out-of-range',
      message: `The branch would begin at ${parameter} = ${start}, which is not between ${from} and ${to}.`,
      where: parameter,
      remedy: 'Begin at a value of the range.',
    });
  const first = at(start);
  const guess = guessOf(first, request, (part) => {
    environment.progress(SEARCH * part);
  });
  const orbit = orbitFrom(first, guess, isAutonomous);
  // The same phase of the forcing at all values: periods are counted from t = 0.
  const turns = Math.round(guess.t0 / guess.period - request.phase);
  const modelAt = (p: number): ForcedMotion => {
    const { motion, parameters } = at(p);
    if (isAutonomous) return { motion, period: orbit.period, t0: guess.t0 };
    const period = evaluateWith(request.period, parameters);
    return { motion, period: period * guess.multiple, t0: (request.phase + turns) * period };
  };
  const follow = (direction: 1 | -1, begin: number, share: number): Branch => {
    const whole = direction > 0 ? to - start : start - from;
    let furthest = 0;
    const progress = ({ p }: BranchPoint): boolean => {
      furthest = Math.max(furthest, Math.min(1, (direction * (p - start)) / whole));
      environment.progress(begin + share * furthest);
      return true;
    };
    return followBranch(
      modelAt,
      { p: start, x: orbit.x, period: orbit.period },
      { from, to, longestStep, maxPoints, direction, progress, isAutonomous },
    );
  };
  const half = (1 - SEARCH) / 2;
  const down = follow(-1, SEARCH, half);
  const up = follow(1, SEARCH + half, half);
  // Both begin with the orbit at the start.
  const points = [...[...down.points].reverse(), ...up.points.slice(1)];
  const ordered = (x: Float64Array): Float64Array => inOrderOfNames(first, x);
  /** states that stand for an orbit */
  const statesOf = (point: Orbit): Float64Array[] => {
    if (section !== undefined)
      return sectionPoints(at(point.p), section, modelAt(point.p), point).map(ordered);
    if (isAutonomous) return [ordered(largestOn(modelAt(point.p), point))];
    return [point.x, ...otherPoints(modelAt(point.p), point.x, guess.multiple)].map(ordered);
  };
  const found = points.map(statesOf);
  const states = section === undefined ? found : joinedPoints(found, first.states.length);
  const { unit = '' } = document.parameters.find(({ name }) => name === parameter) ?? {};
  return {
    kind: 'branch',
    status: 'done',
    parameter: { name: parameter, unit },
    states: first.states,
    multiple: guess.multiple,
    isAutonomous,
    ...(section !== undefined && {
      section: { id: section.id, kind: section.kind, curves: states[0].length },
    }),
    period: Float64Array.from(points, ({ period }) => period),
    p: Float64Array.from(points, ({ p }) => p),
    isStable: Uint8Array.from(points, ({ isStable }) => (isStable ? 1 : 0)),
    x: joined(states.map(([x]) => x)),
    others: joined(states.flatMap(([, ...others]) => others)),
    largest: Float64Array.from(points, ({ multipliers: { real, imaginary } }) =>
      Math.max(0, ...Array.from(real, (re, k) => Math.hypot(re, imaginary[k]))),
    ),
    events: Float64Array.from(points, ({ events }) => events.length),
    special: [...down.special, ...up.special].map((point) => {
      const [x = new Float64Array(0), ...others] = statesOf(point);
      return { kind: point.kind, p: point.p, period: point.period, x, others: joined(others) };
    }),
    ends: [down.end, up.end],
    verdicts: gatherVerdicts(
      points.map(({ p, x, period }) => {
        const { motion, t0 } = modelAt(p);
        return motionVerdict(motion, t0, period, x);
      }),
    ),
  };
}

/** Where the orbit at the start of the branch is looked for. @throws {EngineError} */
function guessOf(first: AnalysedMotion, request: BranchRequest, progress: (part: number) => void): Guess {
  if (request.section !== undefined) return guessFromSection(first, request, request.section, progress);
  return request.isAutonomous ? settledAutonomous(first, request) : settledForced(first, request, progress);
}

type Orbit = Pick<BranchPoint, 'p' | 'x' | 'period'>;

function joined(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/**
 * Places on an orbit that are looked at for its largest values; a parabola through the largest three has an
 * error of some 10⁻⁸.
 */
const PLACES = 256;

/** The largest value of each component of the state on an orbit. */
function largestOn({ motion, t0 }: ForcedMotion, { x, period }: Orbit): Float64Array {
  const simulation = motion.simulate(t0, period, x, PLACES);
  const largest = x.slice();
  // Only three states that follow one another without an event between them are on a parabola.
  let flight: Float64Array[] = [x];
  while (simulation.hasNextEvent) {
    simulation.computeOneStep();
    const { state, before, rowsAtEvent } = simulation;
    const reached =
      rowsAtEvent === 2 ? [motion.stateOf(before), motion.stateOf(state)] : [motion.stateOf(state)];
    for (const one of reached) one.forEach((value, i) => (largest[i] = Math.max(largest[i], value)));
    flight = rowsAtEvent === 2 ? [] : [...flight.slice(-2), reached[0]];
    if (flight.length < 3) continue;
    const [a, b, c] = flight;
    b.forEach((middle, i) => {
      const bend = a[i] - 2 * middle + c[i];
      if (middle >= a[i] && middle >= c[i] && bend < 0)
        largest[i] = Math.max(largest[i], middle - (c[i] - a[i]) ** 2 / (8 * bend));
    });
  }
  return largest;
}

/**
 * The states of an orbit after one, two, … periods of the forcing: the points of the section besides its
 * start.
 */
function otherPoints(
  { motion, t0, period }: ForcedMotion,
  start: Float64Array,
  multiple: number,
): Float64Array[] {
  const points: Float64Array[] = [];
  const once = period / multiple;
  let x: Float64Array | null = start;
  for (let k = 0; k + 1 < multiple; k++) {
    // An orbit was found here; its parts fail hardly ever, and not with it.
    x = x === null ? null : (flowEnd(motion, t0 + k * once, once, x)?.x ?? null);
    points.push(x ?? new Float64Array(start.length).fill(NaN));
  }
  return points;
}

function shared(create: AnalysisEnvironment['sandbox']): AnalysisEnvironment['sandbox'] {
  let made: ReturnType<typeof create> | null = null;
  return () => (made ??= create());
}
