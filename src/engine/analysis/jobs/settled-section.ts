/**
 * Where an orbit is looked for on a section: of the points x_0, x_1, … at times t_0, t_1, … at which the settled motion meets it, the pair k, k + m that is
 * nearest is where Newton's method starts. Of a forced model t_{k+m} − t_k has to be a number of periods of the forcing, too. m, and that number, are the
 * smallest ones after which the motion repeats, where nobody has said them.
 */
import { EngineError } from '../../errors';
import type { BranchRequest, OrbitRequest, OrbitSection } from '../../document/analysis-request';
import { RunObservables } from '../../run/observables';
import { compileSection } from '../../preparation/section';
import { hits, type SectionPoint, type ShootingSection, takeSurface } from '../stability/section-map';
import type { AnalysedMotion } from './motion-of';
import { advanced, distance, type Guess, LOOKED, periodOf, REPEATS, sizesOf } from './settled';

export interface SectionGuess extends Guess {
  readonly returns: number;
}

/** Points of a section that are looked at: a motion that rattles has very many. */
const MOST_POINTS = 4096;

/** @throws {EngineError} `invalid-section` for an unknown contact, or an expression that is none */
export function orbitSection(analysed: AnalysedMotion, asked: OrbitSection): ShootingSection {
  const { prepared, parameters, document, lookup } = analysed;
  const { layout, model } = prepared;
  const observables = new RunObservables(document, layout, parameters, lookup);
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
  { time, x }: SectionPoint,
  duration: number,
  progress: (part: number) => void,
): { readonly points: SectionPoint[]; readonly sizes: Float64Array } {
  const points: SectionPoint[] = [];
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

/** How far a point is from the one so many returns later, in state and in phase; infinite where it cannot be the same. */
function apartBy(
  points: readonly SectionPoint[],
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
  points: readonly SectionPoint[],
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

/** The pair that is nearest; the last ones have settled most, and win where all are as near. @throws {EngineError} `not-periodic` */
function bestPair(
  points: readonly SectionPoint[],
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
