/**
 * A plane of starts one or both axes of which vary a parameter. Along two parameters all motions start in the model's initial state, which the parameters
 * may be part of; the map is a chart of attractors.
 */
import type { BasinAxis, BasinsRequest } from '../../document/analysis-request';
import { evaluateWith } from '../../document/parameters';
import type { ModelDocument } from '../../document/types';
import { EngineError, type EngineErrorDetails } from '../../errors';
import { type BasinSettings, FAILED } from '../basins/attractors';
import { completenessNumber, gridValue, type SettledPart, solvedNumber } from '../basins/grid';
import { settledKind } from '../basins/kinds';
import type { MotionModel } from '../stability/motion-model';
import { type AnalysedMotion, type AnalysisEnvironment, analysedMotion } from './motion-of';
import type { NamedQuantity } from './outcome';

/** Models that are kept: those of a row of an ordinary plane, which the next row asks for again. */
const MOST_KEPT = 512;
/** Rounding in counting periods. */
const SPARE = 1e-9;

/** Whether a parameter is varied. */
export const isParameterPlane = ({ x, y }: BasinsRequest): boolean => 'parameter' in x || 'parameter' in y;

/** Settings of motions at values of the parameters. @throws {EngineError} `out-of-range` */
export function basinSettings(request: BasinsRequest, { parameters, t0 }: AnalysedMotion): BasinSettings {
  const period = evaluateWith(request.period, parameters);
  if (!(period > 0))
    throw new EngineError({
      code: 'out-of-range',
      message: `The period is ${period} s; it must be positive.`,
      remedy: 'Give a positive period.',
    });
  const { phase, maxPeriods, longestCycle, tolerance, confirm, isAutonomous = false } = request;
  const atPhase = (phase + Math.ceil(t0 / period - phase - SPARE)) * period;
  // Without forcing there is no phase: motions start when the model’s runs do.
  const first = isAutonomous ? t0 : atPhase;
  return { period, isAutonomous, t0: first, maxPeriods, longestCycle, tolerance, confirm };
}

/** Place of a state in x. @throws {EngineError} `unknown-signal` */
export function placeOfState({ states, places }: AnalysedMotion, state: string): number {
  const at = states.findIndex(({ name }) => name === state);
  if (at >= 0) return places[at];
  throw new EngineError({
    code: 'unknown-signal',
    message: state === '' ? 'No state is named.' : `The model has no state “${state}”.`,
    where: state,
    remedy: `States of this model are ${states.map(({ name }) => name).join(', ')}.`,
  });
}

/** What an axis varies, with its unit. @throws {EngineError} `unknown-signal` */
export function axisQuantity(axis: BasinAxis, analysed: AnalysedMotion): NamedQuantity {
  if (!('parameter' in axis)) {
    placeOfState(analysed, axis.state);
    return analysed.states.find(({ name }) => name === axis.state) ?? { name: axis.state, unit: '' };
  }
  const { unit = '' } = analysed.document.parameters.find(({ name }) => name === axis.parameter) ?? {};
  return { name: axis.parameter, unit };
}

/** A model at values of its parameters. */
interface Kept {
  readonly motion: MotionModel;
  readonly settings: BasinSettings;
  readonly start: Float64Array;
  /** places of varied states in x; −1 of parameters */
  readonly places: readonly [number, number];
}

/** Why the model cannot be analysed at values of its parameters. */
type Made = Kept | EngineErrorDetails;

export class ParameterPlane {
  readonly #kept = new Map<string, Made>();
  readonly #sandbox: AnalysisEnvironment['sandbox'];

  constructor(
    private readonly document: ModelDocument,
    private readonly request: BasinsRequest,
    environment: Pick<AnalysisEnvironment, 'sandbox'>,
  ) {
    // One for all values: scripts are evaluated again in it for each model.
    let made: ReturnType<AnalysisEnvironment['sandbox']> | null = null;
    this.#sandbox = () => (made ??= environment.sandbox());
  }

  /** Kinds of the starts from number `first` up to that before `end`. */
  compute(first: number, end: number): SettledPart {
    const { x, y } = this.request;
    const attractor = new Int32Array(end - first);
    const periods = new Int32Array(end - first);
    const missed = new Float64Array(end - first);
    const solved = new Float64Array(end - first);
    let failure: EngineErrorDetails | null = null;
    for (let k = first; k < end; k++) {
      const at = [gridValue(x, k % x.count), gridValue(y, Math.floor(k / x.count))] as const;
      const settled = this.#settle(at);
      attractor[k - first] = settled.kind;
      periods[k - first] = settled.periods;
      missed[k - first] = completenessNumber(settled.complete);
      solved[k - first] = solvedNumber(settled.solved);
      failure ??= settled.failure;
    }
    return { attractor, periods, missed, solved, failure };
  }

  #settle(at: readonly [number, number]): ReturnType<typeof settledKind> {
    const made = this.#at(at);
    if (!('motion' in made)) return { kind: FAILED, periods: 0, complete: null, solved: null, failure: made };
    const { motion, settings, places } = made;
    const start = made.start.slice();
    places.forEach((place, axis) => {
      if (place >= 0) start[place] = at[axis];
    });
    return settledKind(motion, settings, start);
  }

  #at(at: readonly [number, number]): Made {
    const axes = [this.request.x, this.request.y];
    const set = Object.fromEntries(
      axes.flatMap((axis, k) => ('parameter' in axis ? [[axis.parameter, at[k]] as const] : [])),
    );
    const key = JSON.stringify(set);
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    if (this.#kept.size >= MOST_KEPT) this.#kept.delete([...this.#kept.keys()][0]);
    const made = this.#make(set);
    this.#kept.set(key, made);
    return made;
  }

  #make(set: Readonly<Record<string, number>>): Made {
    const { x, y } = this.request;
    try {
      const analysed = analysedMotion(this.document, set, { sandbox: this.#sandbox });
      const placeOf = (axis: BasinAxis): number =>
        'parameter' in axis ? -1 : placeOfState(analysed, axis.state);
      return {
        motion: analysed.motion,
        settings: basinSettings(this.request, analysed),
        start: analysed.motion.initialState,
        places: [placeOf(x), placeOf(y)],
      };
    } catch (error) {
      // A value at which there is no such model is no reason to give up the others.
      if (error instanceof EngineError) return error.details;
      throw error;
    }
  }
}
