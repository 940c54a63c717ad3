/**
 * What is done to runs beside starting and ending them: steps, speed, other parameters on the way, and models
 * made of them.
 */
import type { MethodName, MethodParams, MethodResult, RunInfo } from '@contract/methods';
import type { Expression } from '@engine/document/types';
import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import { formatNumber } from '../components/numbers';
import { slug } from '../document/factory';
import { text } from '../i18n';
import { estimateRun, type Estimate } from '../runs/estimate';
import { useHost } from '../transport/host';
import { useDocumentStore } from './document';
import { useFilesStore } from './files';
import { useNoticesStore } from './notices';
import { useReportStore } from './report';
import { type RunOverrides, useRunsStore } from './runs';

export type RunDialog = 'with' | 'parameters' | 'runTo' | 'rename' | 'details' | 'initial' | 'continue';

/** Methods that answer with the run. */
type RunMethod = { [M in MethodName]: MethodResult<M> extends RunInfo ? M : never }[MethodName];

export const useRunControlStore = defineStore('run-control', () => {
  const runs = useRunsStore();
  const documents = useDocumentStore();
  const report = useReportStore();
  const notices = useNoticesStore();

  const dialog = shallowRef<RunDialog | null>(null);
  /** the run that a dialog is about */
  const subject = shallowRef<RunInfo | null>(null);
  /** time that the dialog of continuing begins with, s; null: the end of the run */
  const time = shallowRef<number | null>(null);

  const active = computed(() => runs.active);
  const canStepBack = computed(() => (active.value?.statistics.steps ?? 0) > 0);

  /** A call that returns the run; failures show a notice. */
  async function ask<M extends RunMethod>(method: M, params: MethodParams<M>): Promise<RunInfo | null> {
    try {
      const run = (await useHost().dispatcher.dispatch(method, params)) as RunInfo;
      runs.hear(run);
      return run;
    } catch (error) {
      notices.failure(error);
      return null;
    }
  }

  const startPaused = (): Promise<void> => runs.start({ paused: true });

  /**
   * One step of the run that is shown; where none is under way, one is started that waits at its first step.
   */
  async function step(count = 1): Promise<void> {
    const run = active.value;
    if (run === null) await startPaused();
    else await ask('run.step', { runId: run.runId, count });
  }

  async function stepBack(count = 1): Promise<void> {
    if (active.value !== null) await ask('run.stepBack', { runId: active.value.runId, count });
  }

  async function reset(): Promise<void> {
    if (active.value !== null) await ask('run.reset', { runId: active.value.runId });
  }

  async function runTo(time: number): Promise<void> {
    if (active.value !== null) await ask('run.runTo', { runId: active.value.runId, time });
  }

  async function setSpeed(value: number | null): Promise<void> {
    runs.speed = value;
    if (active.value !== null) await ask('run.speed', { runId: active.value.runId, speed: value });
  }

  /** @returns whether the run has taken them */
  async function setParameters(runId: string, values: Record<string, Expression>): Promise<boolean> {
    return (await ask('run.setParameters', { runId, values })) !== null;
  }

  async function rename(runId: string, name: string): Promise<void> {
    await ask('run.rename', { runId, name });
  }

  async function repeat(run: RunInfo): Promise<void> {
    const repeated = await ask('run.repeat', { runId: run.runId });
    if (repeated !== null) runs.adopt(repeated, run.runId);
  }

  /** A new run that goes on from another one. */
  async function continueRun(run: RunInfo, choice: { time?: number; tEnd: number }): Promise<void> {
    const next = await ask('run.continue', { runId: run.runId, ...choice });
    if (next !== null) runs.adopt(next, run.runId);
  }

  /** @param from time to begin with, s; null: the end of the run */
  function openContinue(run: RunInfo, from: number | null): void {
    time.value = from;
    openDialog('continue', run);
  }

  /** Where the run has ended, as a file that another run can go on from. */
  const saveState = (run: RunInfo): Promise<void> =>
    guarded(async () => {
      const { text: content } = await useHost().dispatcher.dispatch('run.saveState', { runId: run.runId });
      const saved = await useHost().shell.call('shell.exportFile', {
        suggestedName: `${slug(run.name)}.moreau-state`,
        data: new TextEncoder().encode(content),
      });
      if (saved === null) return;
      const reached = formatNumber(run.statistics.simulatedTime);
      notices.info(text('runControl.stateSaved', { run: run.name, time: reached, name: saved.name }));
    });

  async function guarded(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      notices.failure(error);
    }
  }

  const openModel = (run: RunInfo): Promise<void> =>
    guarded(async () => {
      const { document } = await useHost().dispatcher.dispatch('run.document', { runId: run.runId });
      useFilesStore().openDocument(document, `${document.title} (${run.name})`);
    });

  /** The model with the state of the run as its initial one, as a document of its own. */
  const openMoment = (run: RunInfo): Promise<void> =>
    guarded(async () => {
      const { document, missing } = await useHost().dispatcher.dispatch('run.momentDocument', {
        runId: run.runId,
      });
      const time = formatNumber(Number(document.simulation.t0));
      useFilesStore().openDocument(document, text('runControl.momentTitle', { title: document.title, time }));
      if (missing.length > 0)
        notices.warning(text('runControl.notHeld', { systems: missing.slice(0, 8).join(', ') }));
    });

  /** One undoable edit of the present document. */
  const takeState = (run: RunInfo): Promise<void> =>
    guarded(async () => {
      const { session } = documents;
      const { time, systems, missing } = await useHost().dispatcher.dispatch('run.state', {
        runId: run.runId,
      });
      if (session !== documents.session) return;
      const fields = new Map(systems.map((system) => [system.id, system.fields]));
      documents.edit(text('runControl.edits.takeState'), (draft) => {
        for (const system of draft.systems) Object.assign(system, fields.get(system.id));
      });
      notices.info(text('runControl.tookState', { run: run.name, time: formatNumber(time) }));
      const here = missing.filter((id) => documents.model.systems.some((system) => system.id === id));
      if (here.length > 0)
        notices.warning(text('runControl.notHeld', { systems: here.slice(0, 8).join(', ') }));
    });

  /** A number of the simulation settings; NaN where its expression has no value. */
  function setting(key: 'h' | 't0' | 'tEnd'): number {
    const given = documents.model.simulation[key];
    return typeof given === 'number' ? given : (report.valueAt(`/simulation/${key}`) ?? NaN);
  }

  /** What a run of the present document would cost; null where that cannot be known. */
  function estimate(overrides: RunOverrides = {}): Estimate | null {
    const { simulation } = documents.model;
    return estimateRun(
      {
        scheme: overrides.scheme ?? simulation.scheme,
        h: overrides.h ?? setting('h'),
        t0: setting('t0'),
        tEnd: overrides.tEnd ?? setting('tEnd'),
        every: overrides.every ?? simulation.recording?.every ?? 1,
        signals: overrides.signals?.length ?? simulation.recording?.signals?.length ?? report.signals.length,
        trajectory: simulation.recording?.trajectory !== false,
      },
      runs.runs.filter(({ title }) => title === documents.model.title),
    );
  }

  /** Runs for several values of a parameter at once; the first is shown with the others behind it. */
  async function startSeveral(
    name: string,
    values: readonly number[],
    overrides: RunOverrides,
  ): Promise<void> {
    await guarded(async () => {
      const started: RunInfo[] = [];
      for (const value of values) {
        const run = await runs.launch({ ...overrides, set: { [name]: value } });
        if (run === null) return;
        started.push(run);
      }
      const [first, ...others] = started;
      if (first !== undefined)
        runs.showWith(
          first.runId,
          others.map(({ runId }) => runId),
        );
    });
  }

  function openDialog(name: RunDialog, run: RunInfo | null = active.value): void {
    subject.value = run;
    dialog.value = name;
  }

  return {
    dialog,
    subject,
    canStepBack,
    startPaused,
    step,
    stepBack,
    reset,
    runTo,
    setSpeed,
    setParameters,
    rename,
    repeat,
    time,
    continueRun,
    openContinue,
    saveState,
    openModel,
    openMoment,
    takeState,
    setting,
    estimate,
    startSeveral,
    openDialog,
  };
});
