/**
 * Basins of attraction of a document's model in parts: the attractors first, by one, then the rows of the plane, by as many as there are. The parts follow
 * from the attractors alone, so that the result is the same for any number of them.
 */
import type { BasinAxis, BasinsRequest } from '../../document/analysis-request';
import type { ModelDocument } from '../../document/types';
import { EngineError } from '../../errors';
import { type BasinSettings, FAILED, type KnownAttractors, UNSETTLED } from '../basins/attractors';
import {
  type BasinGrid,
  completenessOf,
  findAttractors,
  type GridAxis,
  gridValue,
  type SettledPart,
  settlePart,
} from '../basins/grid';
import { kindOf } from '../basins/kinds';
import { attractorVerdict } from '../basins/settled-verdict';
import { gatherVerdicts, type PointVerdict } from '../point-verdict';
import { type AnalysedMotion, type AnalysisEnvironment, analysedMotion } from './motion-of';
import { requireAutonomous } from './autonomy';
import type { FoundAttractor, FoundBasins } from './outcome';
import {
  axisQuantity,
  basinSettings,
  isParameterPlane,
  ParameterPlane,
  placeOfState,
} from './parameter-plane';

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

/** Of a plane of parameters nothing is found beforehand; the model's own values tell most defects. @throws {EngineError} */
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

/** @throws {EngineError} for defects, or where there are more attractors than are told apart */
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
    message: `There are ${count} attractors; ${MOST_ATTRACTORS} are told apart at most.`,
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

/** Kinds in the order of their periods, then of their events: the same however the plane was cut. @throws {EngineError} */
function numberedKinds({ isAutonomous }: BasinsHead, parts: readonly SettledPart[]): Numbered {
  const found = new Set<number>();
  for (const { attractor } of parts) for (const kind of attractor) if (kind >= 0) found.add(kind);
  const kinds = [...found].sort((a, b) => a - b);
  refuseTooMany(kinds.length, 'Give a smaller longest cycle, or a smaller plane.');
  const numbers = new Map(kinds.map((kind, k) => [kind, k]));
  return {
    attractors: kinds.map((number) => {
      const { cycle, events } = kindOf(number);
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
      else if (settled === FAILED) codes[at] = NOT_SIMULATED;
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
