/** Results of sweeps as an outcome: numbers in few arrays. */
import type { SweepOutcome, SweptPoints } from '@engine/analysis/jobs/outcome';
import { gatherVerdicts } from '@engine/analysis/point-verdict';
import type { PointResult, SweepColumns } from '@engine/analysis/sweep/compute-point';
import {
  type SweepJob,
  axisValues,
  countPoints,
  sweepDirections,
  sweepPoints,
} from '@engine/analysis/sweep/job';

/** Failures that are listed individually. */
const MOST_FAILURES = 1000;

/** What a sweep has computed in one direction. */
export interface SweptDirection {
  readonly job: SweepJob;
  /** by the numbers of points */
  readonly results: ReadonlyMap<number, PointResult>;
}

/** The directions of a job that has several as jobs of their own. */
export function directionsOf(job: SweepJob, results: ReadonlyMap<number, PointResult>): SweptDirection[] {
  const count = countPoints(job.plan);
  return sweepDirections(job).map((start, d) => ({
    job: { ...job, start },
    results: new Map(
      [...results].flatMap(([k, result]) =>
        Math.floor(k / count) === d ? [[k - d * count, result] as const] : [],
      ),
    ),
  }));
}

function directionOf(
  job: SweepJob,
  columns: SweepColumns,
  results: ReadonlyMap<number, PointResult>,
): SweptPoints {
  const order = [...results.keys()].sort((a, b) => a - b);
  const width = Math.max(1, columns.section.length);
  const measures = new Float64Array(order.length * columns.measures.length);
  let length = 0;
  for (const result of results.values()) length += result.section.length;
  const section = new Float64Array(length);
  const counts = new Float64Array(order.length);
  const failures: { index: number; message: string }[] = [];
  let at = 0;
  order.forEach((index, k) => {
    const result = results.get(index);
    if (result === undefined) return;
    measures.set(result.measures, k * columns.measures.length);
    section.set(result.section, at);
    at += result.section.length;
    counts[k] = result.section.length / width;
    if (result.error !== undefined && failures.length < MOST_FAILURES)
      failures.push({ index, message: result.error.message });
  });
  return {
    start: sweepDirections(job)[0],
    index: Float64Array.from(order),
    measures,
    counts,
    section,
    failures,
    verdicts: gatherVerdicts(order.map((index) => results.get(index)?.verdict)),
  };
}

/** @param directions of one sweep: the same points, started from different sides */
export function sweepOutcome(columns: SweepColumns, directions: readonly SweptDirection[]): SweepOutcome {
  const [{ job }] = directions;
  const { plan } = job;
  const points = sweepPoints(plan);
  const values = new Float64Array(points.length * plan.axes.length);
  points.forEach((point, k) => values.set(point, k * plan.axes.length));
  return {
    kind: 'sweep',
    status: 'done',
    parameters: columns.axes,
    measures: columns.measures,
    signals: columns.section,
    axes: plan.kind === 'grid' ? plan.axes.map((axis) => Float64Array.from(axisValues(axis))) : [],
    values,
    directions: directions.map((one) => directionOf(one.job, columns, one.results)),
  };
}
