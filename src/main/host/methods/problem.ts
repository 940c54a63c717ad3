/** The one-step problem at a moment of a run, posed again from its recorded state. */
import { needsBuilder } from '@engine/document/builder-scripts';
import type { RecordedRow } from '@engine/inspection/step-problem';
import type { HostContext, MethodHandlers } from '../context';
import type { HostRun } from '../host-run';
import { documentOfRun } from '../run-document';

/** Rows around a time that are looked at. */
const AROUND = 16;
/** Part of a time by which a row may miss it. */
const ROUNDING = 1e-9;

export const problemMethods: MethodHandlers<'run.problem'> = {
  'run.problem': async (context, { runId, time }) => {
    const run = context.runs.get(runId);
    await run.started();
    await run.loaded();
    const row = await rowBefore(context, run, time);
    if (row === null) return { problem: null, reason: 'noRows' };
    const document = documentOfRun(run);
    const { builders, inspections } = context;
    const outcome = needsBuilder(document) ? await builders.build(document) : null;
    if (outcome !== null && !outcome.ok) return { problem: null, reason: 'failed' };
    const problem = await inspections.problem(document, row, outcome?.built);
    if (problem === null) return { problem, reason: 'failed' };
    return 'reason' in problem ? { problem: null, ...problem } : { problem };
  },
};

/** The recorded row that the step to a time begins with; null before there is one. */
async function rowBefore(
  { runs, reader }: HostContext,
  run: HostRun,
  time: number,
): Promise<RecordedRow | null> {
  const { prepared, specification } = run;
  if (prepared === null || run.rows === 0 || !(await runs.readable(run.runId))) return null;
  const names = prepared.signals.map(({ name }) => name);
  const columns = names.map((_, column) => column);
  const { series } = await reader.ask('window', {
    runId: run.runId,
    columns,
    from: time,
    to: time,
    buckets: AROUND,
  });
  const { t } = series[0];
  let row = 0;
  while (row + 1 < t.length && t[row + 1] <= time + ROUNDING * Math.abs(time)) row++;
  const every = specification.every ?? specification.document.simulation.recording?.every ?? 1;
  // What a step has done stands in the row at its end.
  if (prepared.scheme === 'time-stepping' && every === 1 && row > 0) row--;
  return { time: t[row], names, values: Float64Array.from(series, ({ y }) => y[row]) };
}
