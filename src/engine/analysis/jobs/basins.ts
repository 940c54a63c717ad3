/**
 * Basins of attraction of a document's model in parts: the attractors first, by one, then the rows of the
 * plane, by as many as there are. The parts follow from the attractors alone, so that the result is the same
 * for any number of them.
 */
import type { BasinAxis, BasinsRequest } from '../../document/analyses';
import { evaluateWith } from '../../document/parameters';
import type { ModelDocument } from '../../document/types';
import { EngineError, type EngineErrorDetails } from '../../errors';
import {
  type BasinSettings,
  FAILED_START,
  type KnownAttractors,
  UNSETTLED,
  attractorVerdict,
  motionKindOf,
  settledKind,
} from '../basins/attractors';
import {
  type BasinGrid,
  type GridAxis,
  type SettledPart,
  completenessNumber,
  completenessOf,
  findAttractors,
  gridValue,
  settlePart,
  solvedNumber,
} from '../basins/grid';
import { type PointVerdict, gatherVerdicts } from '../point-verdict';
import { flowEnd } from '../stability/flow-map';
import type { MotionModel } from '../stability/motion-model';
import { type AnalysedMotion, type AnalysisEnvironment, analysedMotion } from './motion-of';
import type { FoundAttractor, FoundBasins, NamedQuantity } from './outcome';
import { distance, sizesOf } from './settled';

/*
 * Whether nothing drives a model. Limit cycles are looked for wherever along them a motion is, which says
 * nothing of a model whose motion depends on when it starts: its own initial state is let go at other times,
 * too, and has to come to the same state after as long.
 */

/**
 * Parts of the period by which it starts later: a forcing cannot have both as periods, nor be small at both.
 */
const LATER = [(Math.sqrt(5) - 1) / 2, Math.SQRT2] as const;
/** Difference, relative to the sizes of the components, that the tolerances of integration do not make. */
const SAME = 1e-4;

/** @throws {EngineError} `driven-model` */
function requireAutonomous(motion: MotionModel, { t0, period }: BasinSettings): void {
  const start = motion.initialState;
  const own = flowEnd(motion, t0, period, start);
  for (const part of LATER) {
    const other = flowEnd(motion, t0 + part * period, period, start);
    // Starts of the plane may be sound all the same.
    if (own === null || other === null) return;
    if (distance(own.x, other.x, sizesOf([start, own.x, other.x])) <= SAME) continue;
    throw new EngineError({
      code: 'driven-model',
      message: `The model is driven: its motion from the initial state is another one when it starts ${(part * period).toPrecision(3)} s later.`,
      remedy: 'Choose a periodic forcing with its period, or take what depends on time out of the model.',
    });
  }
}

/*
 * A plane of starts one or both axes of which vary a parameter. Along two parameters all motions start in the
 * model's initial state, which the parameters may be part of; the map is a chart of attractors.
 */

/** Models that are kept: those of a row of an ordinary plane, which the next row asks for again. */
const MOST_KEPT = 512;
/** Rounding in counting periods. */
const SPARE = 1e-9;

/** Whether a parameter is varied. */
const isParameterPlane = ({ x, y }: BasinsRequest): boolean => 'parameter' in x || 'parameter' in y;

/** Settings of motions at values of the parameters. @throws {EngineError} `out-of-range` */
function basinSettings(request: BasinsRequest, { parameters, t0 }: AnalysedMotion): BasinSettings {
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
function placeOfState({ states, places }: AnalysedMotion, state: string): number {
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
function axisQuantity(axis: BasinAxis, analysed: AnalysedMotion): NamedQuantity {
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
    if (!('motion' in made))
      return { kind: FAILED_START, periods: 0, complete: null, solved: null, failure: made };
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

/** What is found before the plane is divided. */
export interface BasinsHead {
  readonly known: KnownAttractors;
  /** places of the states in x, in the order of their names */
  readonly order: Int32Array;
  readonly isAutonomous: boolean;
  /** of the motion on each attractor; none of a plane with parameters, where each start has its own */
  readonly verdicts: readonly (PointVerdict | undefined)[];
  readonly result: Omit<
    FoundBasins,
    'attractors' | 'codes' | 'undecided' | 'notSimulated' | 'periods' | 'failure' | 'verdicts'
  >;
}

/** Numbers of attractors are kept in a byte, with codes at its end. */
const MOST_ATTRACTORS = 250;
const UNDECIDED = 254;
const NOT_SIMULATED = 255;

interface Plane {
  readonly analysed: AnalysedMotion;
  readonly settings: BasinSettings;
  readonly grid: BasinGrid;
}

/** @throws {EngineError} for defects of the model or the question */
function planeOf(
  document: ModelDocument,
  request: BasinsRequest,
  environment: Pick<AnalysisEnvironment, 'sandbox'>,
): Plane {
  const analysed = analysedMotion(document, {}, environment);
  const axisOf = (axis: BasinAxis): GridAxis => ({
    place: placeOfState(analysed, 'state' in axis ? axis.state : ''),
    from: axis.from,
    to: axis.to,
    count: axis.count,
  });
  return {
    analysed,
    settings: basinSettings(request, analysed),
    grid: { start: analysed.motion.initialState, x: axisOf(request.x), y: axisOf(request.y) },
  };
}

const valuesOf = (axis: BasinAxis): Float64Array =>
  Float64Array.from({ length: axis.count }, (_, k) => gridValue(axis, k));

/** What is the same of all planes. @throws {EngineError} for a state that the model has not */
function commonOf(analysed: AnalysedMotion, { x, y }: BasinsRequest): Omit<BasinsHead['result'], 't0'> {
  const place = (axis: BasinAxis): number =>
    'parameter' in axis ? -1 : analysed.states.findIndex(({ name }) => name === axis.state);
  return {
    kind: 'basins',
    status: 'done',
    x: axisQuantity(x, analysed),
    y: axisQuantity(y, analysed),
    xValues: valuesOf(x),
    yValues: valuesOf(y),
    states: analysed.states,
    places: [place(x), place(y)],
  };
}

/**
 * Of a plane of parameters nothing is found beforehand; the model's own values tell most defects.
 * @throws {EngineError}
 */
function parameterHead(
  document: ModelDocument,
  request: BasinsRequest,
  environment: Pick<AnalysisEnvironment, 'sandbox'>,
): BasinsHead {
  const analysed = analysedMotion(document, {}, environment);
  const settings = basinSettings(request, analysed);
  if (settings.isAutonomous) requireAutonomous(analysed.motion, settings);
  return {
    known: { list: [], sizes: new Float64Array(0) },
    order: analysed.places,
    isAutonomous: settings.isAutonomous,
    verdicts: [],
    result: { ...commonOf(analysed, request), t0: null },
  };
}

/** @throws {EngineError} for defects, or where there are more attractors than can be distinguished */
export function computeBasinsHead(
  document: ModelDocument,
  request: BasinsRequest,
  environment: Pick<AnalysisEnvironment, 'sandbox'>,
): BasinsHead {
  if (isParameterPlane(request)) return parameterHead(document, request, environment);
  const { analysed, settings, grid } = planeOf(document, request, environment);
  if (settings.isAutonomous) requireAutonomous(analysed.motion, settings);
  const known = findAttractors(analysed.motion, settings, grid, request.stride);
  refuseTooMany(
    known.list.length,
    'Give a larger tolerance: cycles that are nearly the same may have been counted apart.',
  );
  return {
    known,
    order: analysed.places,
    isAutonomous: settings.isAutonomous,
    verdicts: known.list.map((one) => attractorVerdict(analysed.motion, settings, one)),
    result: { ...commonOf(analysed, request), t0: settings.t0 },
  };
}

/** @throws {EngineError} `too-many-attractors` */
function refuseTooMany(count: number, remedy: string): void {
  if (count <= MOST_ATTRACTORS) return;
  throw new EngineError({
    code: 'too-many-attractors',
    message: `There are ${count} attractors; at most ${MOST_ATTRACTORS} can be distinguished.`,
    remedy,
  });
}

/** Computes parts of one plane. */
export class BasinsParts {
  readonly #plane: Plane | ParameterPlane;

  /** @throws {EngineError} for defects of the model or the question */
  constructor(
    document: ModelDocument,
    request: BasinsRequest,
    private readonly known: KnownAttractors,
    environment: Pick<AnalysisEnvironment, 'sandbox'>,
  ) {
    this.#plane = isParameterPlane(request)
      ? new ParameterPlane(document, request, environment)
      : planeOf(document, request, environment);
  }

  /** Starts from number `first` up to that before `end`. */
  compute(first: number, end: number): SettledPart {
    if (this.#plane instanceof ParameterPlane) return this.#plane.compute(first, end);
    const { analysed, settings, grid } = this.#plane;
    return settlePart(analysed.motion, settings, grid, this.known, first, end);
  }
}

/** Attractors, and their numbers by what parts have of them. */
interface Numbered {
  readonly attractors: readonly Omit<FoundAttractor, 'share'>[];
  readonly numberOf: (settled: number) => number;
}

const limitOf = (isCycle: boolean): Pick<FoundAttractor, 'limit'> => ({ limit: isCycle ? 'cycle' : 'rest' });

function numberedAttractors({ known, order, isAutonomous }: BasinsHead): Numbered {
  const n = order.length;
  return {
    attractors: known.list.map(({ cycle, points, ownPeriod, largest }) => ({
      cycle,
      ...(isAutonomous && limitOf(ownPeriod > 0)),
      ...(ownPeriod > 0 && { period: ownPeriod }),
      largest: Number.isFinite(largest) ? largest : null,
      points: Float64Array.from(points, (_, i) => points[Math.floor(i / n) * n + order[i % n]]),
    })),
    numberOf: (settled) => settled,
  };
}

/**
 * Kinds in the order of their periods, then of their events: the same however the plane was cut.
 * @throws {EngineError}
 */
function numberedKinds({ isAutonomous }: BasinsHead, parts: readonly SettledPart[]): Numbered {
  const found = new Set<number>();
  for (const { attractor } of parts) for (const kind of attractor) if (kind >= 0) found.add(kind);
  const kinds = [...found].sort((a, b) => a - b);
  refuseTooMany(kinds.length, 'Give a smaller longest cycle, or a smaller plane.');
  const numbers = new Map(kinds.map((kind, k) => [kind, k]));
  return {
    attractors: kinds.map((number) => {
      const { cycle, events } = motionKindOf(number);
      const shared = { events, largest: null, points: new Float64Array(0) };
      return isAutonomous ? { ...shared, cycle: 1, ...limitOf(cycle > 0) } : { ...shared, cycle };
    }),
    numberOf: (settled) => numbers.get(settled) ?? UNSETTLED,
  };
}

/**
 * The parts put together.
 * @param parts in the order of the starts, all of them
 * @throws {EngineError} `too-many-attractors`
 */
export function joinBasins(head: BasinsHead, parts: readonly SettledPart[]): FoundBasins {
  const { result } = head;
  const isOfParameters = result.places.includes(-1);
  const { attractors, numberOf } = isOfParameters ? numberedKinds(head, parts) : numberedAttractors(head);
  const count = result.xValues.length * result.yValues.length;
  const codes = new Uint8Array(count);
  const periods = new Uint32Array(count);
  const shares = new Float64Array(attractors.length);
  const verdicts: (Partial<PointVerdict> | undefined)[] = [];
  let at = 0;
  let failure = '';
  for (const part of parts) {
    for (let k = 0; k < part.attractor.length; k++, at++) {
      const settled = part.attractor[k];
      if (settled === UNSETTLED) codes[at] = UNDECIDED;
      else if (settled === FAILED_START) codes[at] = NOT_SIMULATED;
      else {
        const number = numberOf(settled);
        codes[at] = number;
        shares[number]++;
      }
      periods[at] = part.periods[k];
      const complete = completenessOf(part.missed?.[k] ?? NaN);
      const own = part.solved?.[k] ?? NaN;
      const solved = Number.isNaN(own) ? head.verdicts[codes[at]]?.solved : own === 1;
      verdicts.push({ ...(complete !== null && { complete }), ...(solved !== undefined && { solved }) });
    }
    if (failure === '' && part.failure !== null) failure = part.failure.message;
  }
  return {
    ...result,
    attractors: attractors.map((one, k) => ({ ...one, share: shares[k] / count })),
    codes,
    undecided: UNDECIDED,
    notSimulated: NOT_SIMULATED,
    periods,
    failure,
    verdicts: gatherVerdicts(verdicts),
  };
}
