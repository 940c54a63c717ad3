/** Whatever a run records of a model, sweeps, sections and orbits see the same values of it. */
import { describe, expect, it } from 'vitest';
import { computePoint } from '@engine/analysis/sweep/compute-point';
import type { SweepJob } from '@engine/analysis/sweep/job';
import type { ModelDocument } from '@engine/document/types';
import { createSandbox } from '@engine/script/sandbox';
import { part } from '../../support/prove';
import { example, EXAMPLES } from '../support/models';
import { start } from '../support/run';

const STEPS = 40;
/** Moves of a run, which may be events that come close to each other. */
const MOVES = 400;

function point(document: ModelDocument, more: Partial<SweepJob>): ReturnType<typeof computePoint> {
  const job: SweepJob = { document, plan: { kind: 'grid', axes: [] }, measures: [], ...more };
  return computePoint(job, new Float64Array(0), null, { sandbox: createSandbox });
}

/** Examples of all kinds, and all of those that are drawn. */
const drawn = EXAMPLES.filter((name) => (example(name).components?.length ?? 0) > 0);
const tried = [...new Set([...part(drawn, 6), ...part(EXAMPLES, 4)])];

describe.each(tried)('signals of %s', (name) => {
  it('have the same values in a sweep as in a run', () => {
    const shipped = example(name);
    const document = { ...shipped, simulation: { ...shipped.simulation, recording: {} } };
    const { h, time } = start(document, { sandbox: createSandbox }).session;
    const tEnd = time + STEPS * h;
    const { session, column } = start(document, { sandbox: createSandbox, every: 1, tEnd });
    if (session.advance(MOVES) !== 'done') return;
    const signals = session.signals.map((signal) => signal.name).slice(0, 300);
    const measures = signals.flatMap((signal) => [`final ${signal}`, `max ${signal}`]);
    const found = point(document, { tEnd, measures });
    expect(found?.error).toBeUndefined();
    const expected = signals.flatMap((signal) => {
      const values = column(signal);
      return [values[values.length - 1], values.reduce((most, value) => Math.max(most, value), -Infinity)];
    });
    const wrong = measures.filter((_, k) => !Object.is(found?.measures[k], expected[k]));
    expect(wrong).toEqual([]);
  });
});
