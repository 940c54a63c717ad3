/** What to try when a run has failed, as actions: undoable edits of the document with a new run, or the way to a place. */
import type { RemoteError } from '@contract/errors';
import type { RunInfo } from '@contract/methods';
import { isProjectable, projectInitialState } from '../document/initial-state';
import { text } from '../i18n';
import { useCatalogueStore } from '../stores/catalogue';
import { useDocumentStore } from '../stores/document';
import { useReportStore } from '../stores/report';
import { useRunControlStore } from '../stores/run-control';
import { useRunsStore } from '../stores/runs';
import { useWorkspaceStore } from '../stores/workspace';

export interface Remedy {
  /** for tests and keys */
  id: string;
  label: string;
  run: () => unknown;
}

/** Codes of failures that a shorter step may mend. */
const OF_STEP =
  /^(solver-|newton-|space-|impact-|state-not-finite|not-finite|step-above-critical|script-not-finite|contact-without-solution|smooth-)/;
const OF_SOLVER = /^(solver-|space-unsolved)/;
/** The step is divided by this. */
const FINER = 10;

/** @param run the one that failed; null for one that could not start */
export function remediesOf(error: RemoteError, run: RunInfo | null): Remedy[] {
  const documents = useDocumentStore();
  const runs = useRunsStore();
  const control = useRunControlStore();
  const { simulation } = documents.model;
  const remedies: Remedy[] = [];
  const editAndRun = (label: string, edit: Parameters<typeof documents.edit>[1]): (() => Promise<void>) => {
    return async () => {
      documents.edit(label, edit);
      await useReportStore().refresh();
      await runs.start();
    };
  };
  const h = control.setting('h');
  if (OF_STEP.test(error.code) && h > 0)
    remedies.push({
      id: 'smallerStep',
      label: text('runControl.failure.smallerStep'),
      run: editAndRun(text('runControl.edits.smallerStep'), (draft) => {
        draft.simulation.h = Number((h / FINER).toPrecision(12));
      }),
    });
  if (OF_SOLVER.test(error.code) && simulation.solver.type !== 'auto')
    remedies.push({
      id: 'otherSolver',
      label: text('runControl.failure.otherSolver'),
      run: editAndRun(text('runControl.edits.otherSolver'), (draft) => {
        draft.simulation.solver = { type: 'auto' };
      }),
    });
  if (useReportStore().report.issues.some(isProjectable))
    remedies.push({ id: 'project', label: text('runControl.failure.project'), run: projectInitialState });
  if (run !== null && error.script === undefined)
    remedies.push({
      id: 'otherScheme',
      label: text('runControl.failure.otherScheme', {
        scheme: useCatalogueStore().schemeTitle(runs.otherScheme),
      }),
      run: () => runs.start({ scheme: runs.otherScheme }),
    });
  if (OF_STEP.test(error.code))
    remedies.push({
      id: 'simulation',
      label: text('runControl.failure.simulation'),
      run: () => useWorkspaceStore().select({ kind: 'simulation' }),
    });
  if (run?.state === 'failed' && run.statistics.rows > 0)
    remedies.push({
      id: 'moment',
      label: text('runControl.openFailure'),
      run: () => control.openMoment(run),
    });
  return remedies;
}
