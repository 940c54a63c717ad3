/** Which contacts are open, closed or sliding, over the time of a run. */
import type { LanesResult } from '@contract/methods';
import type { IndexSetsView } from '@engine/document/types';
import { spanOf, type TimeChart, timeAxis } from '../shared/chart';
import { timelineMargins, timelineOption } from './drawing';
import { stateName } from './words';

export const indexSets: TimeChart<IndexSetsView, LanesResult> = {
  margins: (_, found) => timelineMargins(found?.lanes ?? []),
  ask: ({ interactions: constraints }, question, dispatcher) =>
    dispatcher.dispatch('run.lanes', {
      runId: question.run.runId,
      buckets: question.buckets,
      ...spanOf(question),
      ...(constraints === undefined ? {} : { constraints }),
    }),
  draw: (_, { current }, look) =>
    timelineOption({
      lanes: current?.lanes ?? [],
      ...timeAxis(look, { from: current?.recordedFrom ?? 0, to: current?.recordedTo ?? 1 }),
      theme: look.theme,
      width: look.width,
      height: look.height,
      words: stateName,
      legend: look.isFile,
    }),
  wholeY: () => null,
  curves: (_, { lanes, runId }) =>
    lanes.map(({ name, t, states: codes }) => ({ name, runId, x: t, y: Float64Array.from(codes) })),
};
