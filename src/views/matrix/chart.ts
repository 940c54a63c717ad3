/** The one-step problem at a moment. */
import type { ProblemResult } from '@contract/methods';
import type { MatrixView } from '@engine/document/types';
import type { Chart } from '../shared/chart';
import { matrixMargins, matrixOption } from './drawing';

export const matrix: Chart<MatrixView, ProblemResult> = {
  margins: (_, found) => matrixMargins(found?.problem ?? { rows: [] }),
  ask: ({ time }, { run, at = run.statistics.simulatedTime }, dispatcher) =>
    dispatcher.dispatch('run.problem', { runId: run.runId, time: time ?? at }),
  draw: ({ time: _, ...options }, { current }, { theme, width, height }) => {
    const problem = current?.problem ?? null;
    // A step without rows is an empty picture.
    if (problem === null) return { backgroundColor: theme.background };
    return matrixOption({ problem, rows: null, columns: null, options, theme, width, height });
  },
};
