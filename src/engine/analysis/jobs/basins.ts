/**
 * Basins of attraction of a document's model in parts: the attractors first, by one, then the rows of the plane, by as many as there are. The parts follow
 * from the attractors alone, so that the result is the same for any number of them.
 */
import { evaluateWith } from '../../document/parameters';
import type { BasinsRequest, StateAxis } from '../../document/analysis-request';
import type { ModelDocument } from '../../document/types';
import { EngineError } from '../../errors';
import { type BasinSettings, FAILED, type KnownAttractors, UNSETTLED } from '../basins/attractors';
import {
  type BasinGrid,
  findAttractors,
  type GridAxis,
  type SettledPart,
  settlePart,
  startAt,
} from '../basins/grid';
import { type AnalysedMotion, type AnalysisEnvironment, analysedMotion } from './motion-of';
import type { FoundBasins } from './outcome';

/** What is found before the plane is divided. */
export interface BasinsHead {
  readonly known: KnownAttractors;
  /** places of the states in x, in the order of their names */
  readonly order: Int32Array;
  readonly result: Omit<
    FoundBasins,
    'attractors' | 'codes' | 'undecided' | 'notSimulated' | 'periods' | 'failure'
  >;
}

/** Numbers of attractors are kept in a byte, with codes at its end. */
const MOST_ATTRACTORS = 250;
const UNDECIDED = 254;
const NOT_SIMULATED = 255;
const SPARE = 1e-9;

interface Plane {
  readonly analysed: AnalysedMotion;
  readonly settings: BasinSettings;
  readonly grid: BasinGrid;
  readonly places: readonly [number, number];
}

function axisOf({ states, places }: AnalysedMotion, { state, from, to, count }: StateAxis): GridAxis {
  const at = states.findIndex(({ name }) => name === state);
  if (at >= 0) return { place: places[at], from, to, count };
  throw new EngineError({
    code: 'unknown-signal',
    message: state === '' ? 'No state is named.' : `The model has no state “${state}”.`,
    where: state,
    remedy: `States of this model are ${states.map(({ name }) => name).join(', ')}.`,
  });
}

/** @throws {EngineError} for defects of the model or the question */
function planeOf(
  document: ModelDocument,
  request: BasinsRequest,
  environment: Pick<AnalysisEnvironment, 'sandbox'>,
): Plane {
  const analysed = analysedMotion(document, {}, environment);
  const { motion, parameters, states } = analysed;
  const period = evaluateWith(request.period, parameters);
  if (!(period > 0))
    throw new EngineError({
      code: 'out-of-range',
      message: `The period is ${period} s; it must be positive.`,
      remedy: 'Give a positive period.',
    });
  const { phase, maxPeriods, longestCycle, tolerance, confirm } = request;
  const t0 = (phase + Math.ceil(analysed.t0 / period - phase - SPARE)) * period;
  return {
    analysed,
    settings: { period, t0, maxPeriods, longestCycle, tolerance, confirm },
    grid: {
      start: motion.initialState,
      x: axisOf(analysed, request.x),
      y: axisOf(analysed, request.y),
    },
    places: [request.x, request.y].map(({ state }) => states.findIndex(({ name }) => name === state)) as [
      number,
      number,
    ],
  };
}

const valuesOf = (grid: BasinGrid, axis: 'x' | 'y'): Float64Array =>
  Float64Array.from(
    { length: grid[axis].count },
    (_, k) => startAt(grid, axis === 'x' ? k : k * grid.x.count)[grid[axis].place],
  );

/** @throws {EngineError} for defects, or where there are more attractors than are told apart */
export function computeBasinsHead(
  document: ModelDocument,
  request: BasinsRequest,
  environment: Pick<AnalysisEnvironment, 'sandbox'>,
): BasinsHead {
  const { analysed, settings, grid, places } = planeOf(document, request, environment);
  const known = findAttractors(analysed.motion, settings, grid, request.stride);
  if (known.list.length > MOST_ATTRACTORS)
    throw new EngineError({
      code: 'too-many-attractors',
      message: `There are ${known.list.length} attractors; ${MOST_ATTRACTORS} are told apart at most.`,
      remedy: 'Give a larger tolerance: cycles that are nearly the same may have been counted apart.',
    });
  const { states } = analysed;
  return {
    known,
    order: analysed.places,
    result: {
      kind: 'basins',
      status: 'done',
      x: states[places[0]],
      y: states[places[1]],
      xValues: valuesOf(grid, 'x'),
      yValues: valuesOf(grid, 'y'),
      states,
      places,
      t0: settings.t0,
    },
  };
}

/** Computes parts of one plane. */
export class BasinsParts {
  readonly #plane: Plane;

  /** @throws {EngineError} for defects of the model or the question */
  constructor(
    document: ModelDocument,
    request: BasinsRequest,
    private readonly known: KnownAttractors,
    environment: Pick<AnalysisEnvironment, 'sandbox'>,
  ) {
    this.#plane = planeOf(document, request, environment);
  }

  /** Starts from number `first` up to that before `end`. */
  compute(first: number, end: number): SettledPart {
    const { analysed, settings, grid } = this.#plane;
    return settlePart(analysed.motion, settings, grid, this.known, first, end);
  }
}

/** The parts put together. @param parts in the order of the starts, all of them */
export function joinBasins({ known, order, result }: BasinsHead, parts: readonly SettledPart[]): FoundBasins {
  const count = result.xValues.length * result.yValues.length;
  const codes = new Uint8Array(count);
  const periods = new Uint32Array(count);
  const shares = new Float64Array(known.list.length);
  let at = 0;
  let failure = '';
  for (const part of parts) {
    for (let k = 0; k < part.attractor.length; k++, at++) {
      const attractor = part.attractor[k];
      if (attractor >= 0) shares[attractor]++;
      if (attractor === UNSETTLED) codes[at] = UNDECIDED;
      else codes[at] = attractor === FAILED ? NOT_SIMULATED : attractor;
      periods[at] = part.periods[k];
    }
    if (failure === '' && part.failure !== null) failure = part.failure.message;
  }
  return {
    ...result,
    attractors: known.list.map(({ cycle, points, largest }, k) => {
      const n = order.length;
      return {
        cycle,
        largest: Number.isFinite(largest) ? largest : null,
        points: Float64Array.from(points, (_, i) => points[Math.floor(i / n) * n + order[i % n]]),
        share: shares[k] / count,
      };
    }),
    codes,
    undecided: UNDECIDED,
    notSimulated: NOT_SIMULATED,
    periods,
    failure,
  };
}
