/**
 * What a motion that was computed for one point of an analysis is worth, as of a run: whether its equations
 * hold, whether no event was missed, and, where somebody asked, whether it is accurate.
 */
import { EngineError } from '../errors';
import type { EventDriven } from '../event-driven/event-driven';
import { type Certificate, SATISFIED } from '../certificate/residual-maxima';
import type { Completeness, Simulation } from '../run/schemes/scheme';
import type { MotionModel } from './stability/motion-model';

/** What is not a number is not satisfied. */
const isSatisfied = ({ complementarity, coneViolation, dynamics, limit = 0, blocks }: Certificate): boolean =>
  Math.max(complementarity, coneViolation, dynamics) <= Math.max(limit, SATISFIED) &&
  (blocks?.worst ?? 0) <= SATISFIED;

export interface PointVerdict {
  readonly solved: boolean;
  readonly complete: Completeness;
  /** absent where it was not asked for; null where it is not known, as of motions that part */
  readonly accurate?: boolean | null;
}

/** The verdicts of many points: 1 where one holds, 0 where it fails, NaN where it is not known. */
export interface PointVerdicts {
  readonly solved: Float64Array;
  readonly complete: Float64Array;
  /** s, at which conditions were sampled where `complete` is not known; NaN elsewhere */
  readonly resolution: Float64Array;
  /** absent where it was not asked for */
  readonly accurate?: Float64Array;
}

/** Of a simulation so far. */
export const verdictOfSimulation = ({
  certificate,
  complete,
}: Pick<Simulation, 'certificate' | 'complete'>): PointVerdict => ({
  solved: isSatisfied(certificate),
  complete,
});

/** Of a motion that was simulated with its certificate, so far. */
export const verdictOfMotion = ({
  certificate,
  complete,
}: Pick<EventDriven, 'certificate' | 'complete'>): PointVerdict =>
  verdictOfSimulation({ certificate: certificate.report, complete });

/**
 * Of the motion over a time from a state, which is simulated once more for it; undefined where it cannot be.
 */
export function motionVerdict(
  motion: MotionModel,
  t0: number,
  duration: number,
  start: Float64Array,
): PointVerdict | undefined {
  try {
    const simulation = motion.simulate(t0, duration, start, undefined, true);
    simulation.run();
    return verdictOfMotion(simulation);
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}

const flag = (value: boolean | null | undefined): number =>
  value === null || value === undefined ? NaN : Number(value);

/**
 * @param verdicts undefined of points that came to nothing, or were computed by an older version; what is
 *   left out is not known
 */
export function gatherVerdicts(verdicts: readonly (Partial<PointVerdict> | undefined)[]): PointVerdicts {
  const all = (value: (one: Partial<PointVerdict> | undefined) => number): Float64Array =>
    Float64Array.from(verdicts, value);
  const asked = verdicts.some((one) => one?.accurate !== undefined);
  return {
    solved: all((one) => flag(one?.solved)),
    complete: all((one) => flag(typeof one?.complete === 'object' ? null : one?.complete)),
    resolution: all((one) => (typeof one?.complete === 'object' ? one.complete.resolution : NaN)),
    ...(asked && { accurate: all((one) => flag(one?.accurate)) }),
  };
}
