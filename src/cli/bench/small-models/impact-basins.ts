/**
 * Benchmark of the basins of attraction of an impact oscillator beside their twin: rows of the plane of
 * 400 × 400 starts, each start followed to one of the attractors that were found beforehand.
 */
import { BasinsParts, computeBasinsHead } from '@engine/analysis/jobs/basins';
import { analysisJob } from '@engine/analysis/jobs/job';
import type { KnownAttractors } from '@engine/analysis/basins/attractors';
import type { BasinsRequest } from '@engine/document/analyses';
import type { ModelDocument } from '@engine/document/types';
import { createSandbox } from '@engine/script/sandbox';
import type { Measurement } from '../benchmark';
import type { ProgramArguments } from '../siconos/run';
import { type JobRun, processorTime, type SideBySide } from './side-by-side';

/** Counts what became of starts differently; near a border of basins rounding decides. */
function compareStarts(ours: readonly number[], theirs: readonly number[]): Measurement[] {
  let [other, later] = [0, 0];
  for (let k = 0; k < ours.length; k += 2) {
    if (ours[k] !== theirs[k]) other++;
    else if (ours[k + 1] !== theirs[k + 1]) later++;
  }
  const starts = ours.length / 2;
  return [
    { quantity: '  starts', value: starts, unit: '' },
    { quantity: '  of them, on another attractor', value: other, unit: '' },
    { quantity: '  of them, after other periods', value: later, unit: '' },
  ];
}

/** @param every how many rows apart those are that are computed */
export const impactBasins = (every: number): SideBySide => ({
  name: 'impact-basins',
  summary: 'basins of attraction of an impact oscillator beside a program in C',
  unit: 'period',
  example: 'impact-oscillator-basins',
  twin: 'impact-basins',
  most: 4,
  ready: (example) => {
    const job = analysisJob(example, 'basins');
    if (job.kind !== 'basins') throw new Error('the example asks for something else');
    const { document, request } = job;
    const { known } = computeBasinsHead(document, request, { sandbox: createSandbox });
    return {
      given: argumentsOf(request, known, every),
      run: () => settleRows(document, request, known, every),
    };
  },
  compare: compareStarts,
});

function argumentsOf(request: BasinsRequest, known: KnownAttractors, every: number): ProgramArguments {
  const { x, y, tolerance, confirm, maxPeriods } = request;
  const { list, sizes } = known;
  return {
    ...{ omega: 2.8, A: 1, zeta: 0.02, d: 0.6, r: 0.7, every },
    ...{ xFrom: x.from, xTo: x.to, xCount: x.count, yFrom: y.from, yTo: y.to, yCount: y.count },
    ...{ tolerance, confirm, maxPeriods, attractors: list.length },
    ...Object.fromEntries([...sizes].map((size, k) => [`size${k}`, size])),
    ...Object.fromEntries(list.map(({ cycle }, k) => [`cycle${k}`, cycle])),
    ...Object.fromEntries(list.flatMap(({ points }) => [...points]).map((value, k) => [`p${k}`, value])),
  };
}

function settleRows(
  document: ModelDocument,
  request: BasinsRequest,
  known: KnownAttractors,
  every: number,
): JobRun {
  const { x, y } = request;
  const state: number[] = [];
  let periods = 0;
  const taken = processorTime(() => {
    const parts = new BasinsParts(document, request, known, { sandbox: createSandbox });
    for (let row = 0; row < y.count; row += every) {
      const settled = parts.compute(row * x.count, (row + 1) * x.count);
      settled.attractor.forEach((attractor, k) => {
        state.push(attractor, settled.periods[k]);
        periods += settled.periods[k];
      });
    }
  });
  return { ns: taken / periods, state };
}

/** A row of 400 starts in forty. */
export const basinRows = impactBasins(40);
