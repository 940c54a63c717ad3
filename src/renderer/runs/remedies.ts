/**
 * What to try when a run has failed, as actions: undoable edits of the document with a new run, or the way to
 * a place.
 */
import type { RemoteError } from '@contract/errors';
import type { RunInfo } from '@contract/methods';
import { verdictOf } from '@contract/verdict';
import { hasBodies } from '../document/bodies';
import { isProjectable, projectInitialState } from '../document/initial-state';
import { hasSteppedFlight } from '../document/stepped-flight';
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

/** Measures a run, or computes it again more finely. */
export function remediesOfVerdict(run: RunInfo): Remedy[] {
  const { accuracy: known } = run;
  const { accurate, complete, solved } = verdictOf(run);
  const remedies: Remedy[] = [];
  const isOpen = known === undefined || (known.state === 'unknown' && known.reason === 'too-long');
  if (run.state === 'done' && isOpen)
    remedies.push({
      id: 'measure',
      label: text('verdict.measure'),
      run: () => useRunsStore().measure(run.runId),
    });
  const isStepped = run.scheme === 'time-stepping';
  const isPassed = isStepped && complete === 'fails';
  if (accurate !== 'fails' && solved !== 'fails' && !isPassed) return remedies;
  const h = useRunControlStore().setting('h');
  // Changes that are nearer than half a step would be passed over again; from event to event both are met.
  const { systems, simulation } = useDocumentStore().model;
  const areMetByEvents = isPassed && !hasBodies(systems, useCatalogueStore().catalogue);
  const hasSteps = isStepped || hasSteppedFlight(simulation);
  if (hasSteps && h > 0 && !areMetByEvents)
    remedies.push({
      id: 'halveStep',
      label: text('verdict.halveStep'),
      run: editAndRun(text('verdict.halveStepEdit'), ({ simulation }) => {
        simulation.h = Number((h / 2).toPrecision(12));
      }),
    });
  if (!isStepped)
    remedies.push({
      id: 'tighten',
      label: text('verdict.tighten'),
      run: editAndRun(text('verdict.tightenEdit'), ({ simulation }) => {
        simulation.eventDriven = { ...simulation.eventDriven, flight: TIGHT_FLIGHT };
      }),
    });
  const runs = useRunsStore();
  if (isStepped)
    remedies.push({
      id: 'otherScheme',
      label: text('runControl.failure.otherScheme', {
        scheme: useCatalogueStore().schemeTitle(runs.otherScheme),
      }),
      run: () => runs.start({ scheme: runs.otherScheme }),
    });
  return remedies;
}

/** Tolerances close to rounding. */
const TIGHT_FLIGHT = { type: 'SwitchingRungeKutta', relativeTolerance: 1e-13, absoluteTolerance: 1e-15 };

function editAndRun(label: string, edit: Parameters<ReturnType<typeof useDocumentStore>['edit']>[1]) {
  return async (): Promise<void> => {
    useDocumentStore().edit(label, edit);
    await useReportStore().refresh();
    await useRunsStore().start();
  };
}

/** @param run the one that failed; null for one that could not start */
export function remediesOf(error: RemoteError, run: RunInfo | null): Remedy[] {
  const documents = useDocumentStore();
  const runs = useRunsStore();
  const control = useRunControlStore();
  const { simulation } = documents.model;
  const remedies: Remedy[] = [];
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
