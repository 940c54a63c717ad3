/** What the script functions of a run cost, measured by a replay beside it. */
import { systemTypes } from '@engine/model/registry';
import { needsBuilder } from '@engine/document/builder-scripts';
import type { InitialState } from '@engine/run/initial-state';
import type { HostContext, MethodHandlers } from '../context';
import type { HostRun } from '../host-run';

/** Where in the run so far its replay starts, besides its beginning. */
const LATER = [0.25, 0.5, 0.75, 0.95] as const;

export const profileMethods: MethodHandlers<'run.profile'> = {
  'run.profile': async (context: HostContext, { runId }) => {
    const { runs, inspections } = context;
    const run = runs.get(runId);
    await run.started();
    await run.loaded();
    const { steps, functions } = await inspections.profile(run.specification, await statesOf(context, run));
    const { statistics } = run.info();
    return {
      runId,
      steps,
      functions: functions.map((cost) => {
        const perStep = cost.nanoseconds * 1e-9 * cost.callsPerStep;
        const { stepsPerSecond } = statistics;
        const share = stepsPerSecond > 0 ? Math.min(1, perStep * stepsPerSecond) : null;
        return { ...cost, calls: Math.round(cost.callsPerStep * statistics.steps), share };
      }),
    };
  },
};

/** States that the run came through, from its recording; none where it does not hold whole states. */
async function statesOf({ runs, reader }: HostContext, run: HostRun): Promise<InitialState[]> {
  const { prepared, specification } = run;
  const { document, signals = document.simulation.recording?.signals } = specification;
  const isWhole =
    prepared !== null &&
    signals === undefined &&
    !needsBuilder(document) &&
    document.systems.every(({ type }) => systemTypes.has(type));
  if (!isWhole || run.rows < LATER.length || !(await runs.readable(run.runId))) return [];
  const columns: number[] = [];
  const owners: { id: string; field: string }[] = [];
  const ids = new Set(document.systems.map(({ id }) => id));
  prepared.signals.forEach(({ kind, element }, column) => {
    const field = kind === 'position' ? 'q0' : kind === 'velocity' ? 'v0' : kind === 'state' ? 'x0' : null;
    if (field === null || element === undefined || !ids.has(element)) return;
    columns.push(column);
    owners.push({ id: element, field });
  });
  const states: InitialState[] = [];
  for (const share of LATER) {
    const firstRow = Math.floor(share * (run.rows - 1));
    const answer = await reader.ask('rows', {
      runId: run.runId,
      columns: [0, ...columns],
      firstRow,
      count: 1,
      every: 1,
    });
    const [time, ...values] = answer.columns.map(([value]) => value);
    const systems = new Map<string, Record<string, number[]>>();
    owners.forEach(({ id, field }, i) => {
      const fields = systems.get(id) ?? {};
      fields[field] = [...(fields[field] ?? []), values[i]];
      systems.set(id, fields);
    });
    states.push({
      time,
      systems: [...systems].map(([id, fields]) => ({ id, fields })),
      missing: [],
    });
  }
  return states;
}
