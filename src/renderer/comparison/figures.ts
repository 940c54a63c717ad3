/** A comparison as curves and table rows: errors over step lengths, with their observed orders. */
import type { ComparedRun, CompareResult } from '@contract/runs';

/** What is taken for the error of a signal, or that impact times are looked at instead. */
const MEASURES = ['mean', 'awayMaximum', 'maximum', 'impacts'] as const;
export type ComparedMeasure = (typeof MEASURES)[number];

/** Error of one quantity at each step length, coarsest first. */
export interface ErrorRow {
  name: string;
  unit: string;
  /** largest magnitude of the quantity; 1 where errors are no part of anything */
  scale: number;
  /** NaN where there is none */
  errors: number[];
  /** between successive step lengths; null where an error is zero or rounding */
  orders: (number | null)[];
  /**
   * time up to which the finest run agrees with the reference within 1 %, s; null where that means nothing
   */
  agreesUntil: number | null;
}

/** Places of the runs with steps of one length, coarsest first. */
export function steppedPlaces({ others }: CompareResult): number[] {
  return others
    .map((other, place) => ({ place, h: other.h, scheme: other.scheme }))
    .filter(({ h, scheme }) => h !== null && scheme === 'time-stepping')
    .sort((a, b) => (b.h ?? 0) - (a.h ?? 0))
    .map(({ place }) => place);
}

/** Step lengths in the same order, s. */
export const stepLengths = (result: CompareResult): number[] =>
  steppedPlaces(result).map((place) => result.others[place]?.h ?? NaN);

/** Such a run is no measure of another. What is not known is no failure. */
const failsVerdict = ({ solved, complete }: Pick<ComparedRun, 'solved' | 'complete'>): boolean =>
  !solved || complete === false;

/** Whether the errors at each of them are those of a run, or from one, that is not solved or not complete. */
export const uncertifiedSteps = (result: CompareResult): boolean[] =>
  steppedPlaces(result).map((place) =>
    [result.reference, result.others[place]].some((run) => run !== undefined && failsVerdict(run)),
  );

/** Order that the host has observed between two neighbours in the list of places. */
function ordersOf(
  result: CompareResult,
  places: readonly number[],
  find: (orders: CompareResult['orders'][number]) => number | null | undefined,
): (number | null)[] {
  return places.slice(1).map((fine, k) => {
    const found = result.orders.find((orders) => orders.coarse === places[k] && orders.fine === fine);
    return (found === undefined ? null : find(found)) ?? null;
  });
}

function signalRows(
  result: CompareResult,
  measure: Exclude<ComparedMeasure, 'impacts'>,
  whole: CompareResult,
): ErrorRow[] {
  const places = steppedPlaces(result);
  const finest = whole.others[places.at(-1) ?? -1];
  // The host observes the order of a maximum away from impacts: beside a jump no step makes it small.
  const kind = measure === 'mean' ? 'mean' : 'maximum';
  return result.signals.map(({ name, unit, scale }, k) => ({
    name,
    unit,
    scale: scale > 0 ? scale : 1,
    errors: places.map((place) => result.others[place]?.signals[k]?.[measure] ?? NaN),
    orders:
      measure === 'maximum'
        ? places.slice(1).map(() => null)
        : ordersOf(result, places, ({ signals }) => signals.find((one) => one.name === name)?.[kind]),
    agreesUntil: finest?.signals[k]?.agreesUntil ?? null,
  }));
}

function impactRows(result: CompareResult): ErrorRow[] {
  const places = steppedPlaces(result);
  const names = new Set(result.others.flatMap(({ contacts }) => contacts.map(({ signal }) => signal)));
  return [...names].map((name) => ({
    name,
    unit: 's',
    scale: 1,
    errors: places.map(
      (place) => result.others[place]?.contacts.find(({ signal }) => signal === name)?.largest ?? NaN,
    ),
    orders: ordersOf(
      result,
      places,
      ({ contacts }) => contacts.find(({ signal }) => signal === name)?.maximum,
    ),
    agreesUntil: null,
  }));
}

/**
 * Errors by the chosen measure.
 * @param whole the same comparison over the whole time, which gives the time until which runs agree
 */
export const errorRows = (result: CompareResult, measure: ComparedMeasure, whole = result): ErrorRow[] =>
  measure === 'impacts' ? impactRows(result) : signalRows(result, measure, whole);

/** Measures that this comparison has something to say by. */
export const measuresOf = (result: CompareResult): ComparedMeasure[] =>
  MEASURES.filter(
    (measure) => measure !== 'impacts' || result.others.some((other) => other.contacts.length > 0),
  );

/** Slope of log e over log h by least squares; null with fewer than two errors that are positive. */
export function fittedSlope(h: readonly number[], e: readonly number[]): number | null {
  const points = h.flatMap((step, k) => {
    const error = e[k] ?? NaN;
    return step > 0 && error > 0 && Number.isFinite(error)
      ? [[Math.log(step), Math.log(error)] as const]
      : [];
  });
  if (points.length < 2) return null;
  const mean = (axis: 0 | 1): number => points.reduce((sum, point) => sum + point[axis], 0) / points.length;
  const [x0, y0] = [mean(0), mean(1)];
  const variance = points.reduce((sum, [x]) => sum + (x - x0) ** 2, 0);
  if (variance === 0) return null;
  return points.reduce((sum, [x, y]) => sum + (x - x0) * (y - y0), 0) / variance;
}
