/** What the script functions of a run cost, measured by a replay beside it. */
import type { HostContext, MethodHandlers } from '../context';

export const profileMethods: MethodHandlers<'run.profile'> = {
  'run.profile': async ({ runs, inspections }: HostContext, { runId }) => {
    const run = runs.get(runId);
    await run.started();
    await run.loaded();
    const { steps, functions } = await inspections.profile(run.specification);
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
