/**
 * Branches of orbits that are shot from a section. An orbit is the same one wherever it begins: the first one is found on the section, with its returns, and is
 * followed from a phase of the forcing, or of an autonomous model from the middle of a flight, where a return that grazes, or a section that orbits leave,
 * does not end the branch. Each orbit then stands in the results by its points on the section.
 *
 * The points of neighbouring orbits are joined to curves: each is the continuation of the nearest one before that no other is nearer to. Where a return
 * appears or goes, as at a graze, a curve begins or ends.
 */
import type { BranchRequest, OrbitSection } from '../../document/analysis-request';
import type { ForcedMotion } from '../continuation/forced-motion';
import { hits, type SectionPoint, takeSurface } from '../stability/section-map';
import type { SectionOrbit } from '../stability/section-orbit';
import type { AnalysedMotion } from './motion-of';
import { orbitOnSection } from './orbit';
import { orbitSection, sectionGuess } from './settled-section';
import { advanced, distance, type Guess, sizesOf } from './settled';

/** Part of the period for which an orbit is looked at again: a point where it begins is not met there. */
const AGAIN = 1 / 64;
/** Part of the period by which two looks at a point may differ. */
const SAME_TIME = 1e-6;
/** Rounding in counting periods. */
const SPARE = 1e-9;

/** Where a branch begins whose first orbit is shot from a section. @throws {EngineError} as that orbit does */
export function guessFromSection(
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
export function sectionPoints(
  analysed: AnalysedMotion,
  section: OrbitSection,
  { t0 }: ForcedMotion,
  { x, period }: { readonly x: Float64Array; readonly period: number },
): Float64Array[] {
  const { motion } = analysed;
  const { trigger, ...shooting } = orbitSection(analysed, section);
  const points: SectionPoint[] = [];
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
