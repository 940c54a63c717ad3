import { CERTIFICATE_COLUMNS } from '@engine/certificate/history';
import { continuedRun, writeState } from '@engine/run/continuation';
import { initialStateFrom } from '@engine/run/initial-state';
import { asMoreauErrors, continuedFrom } from '../continued-from';
import { documentFrom, documentOfMoment, documentOfRun } from '../run-document';
import { notPrepared, stateNotRecorded } from '../run-errors';
import type { HostContext, MethodHandlers } from '../context';
import { checkDocumentDepth } from '../document-depth';
import type { RunTarget } from '../run';
import type { RunInfo } from '@contract/methods';

async function go({ runs }: HostContext, runId: string, target: RunTarget): Promise<RunInfo> {
  const run = runs.get(runId);
  await run.go(target);
  return run.info();
}

/** Methods that start and steer runs. */
export const runMethods: MethodHandlers<
  | 'run.start'
  | 'run.accuracy'
  | 'run.pause'
  | 'run.resume'
  | 'run.cancel'
  | 'run.step'
  | 'run.runTo'
  | 'run.stepBack'
  | 'run.reset'
  | 'run.speed'
  | 'run.setParameters'
  | 'run.rename'
  | 'run.repeat'
  | 'run.continue'
  | 'run.saveState'
  | 'run.stateDocument'
  | 'run.document'
  | 'run.state'
  | 'run.momentDocument'
  | 'run.pin'
  | 'run.attend'
  | 'run.assign'
  | 'run.list'
  | 'run.get'
  | 'run.delete'
  | 'run.restore'
  | 'run.storage'
  | 'run.clear'
  | 'run.events'
  | 'run.certificate'
> = {
  'run.start': (
    { runs, version },
    {
      document,
      from,
      set,
      h,
      tEnd,
      scheme,
      project,
      signals,
      every,
      name,
      paused,
      speed,
      belongsTo,
      group,
      live,
      keep,
      measure,
    },
  ) => {
    checkDocumentDepth(document);
    const identity = {
      ...(name === undefined ? {} : { name }),
      documents: belongsTo ?? [],
      group: group ?? null,
      live: live ?? false,
      keep: keep ?? 'all',
      measure: measure ?? true,
    };
    const begin = { paused: paused ?? false, speed: speed ?? null };
    if (from !== undefined) {
      const asked = { document, set, h, tEnd, scheme, project, signals, every };
      return runs.start(continuedFrom(from, asked, version), identity, begin);
    }
    return runs.start(
      {
        document,
        ...(set === undefined ? {} : { set }),
        ...(h === undefined ? {} : { h }),
        ...(tEnd === undefined ? {} : { tEnd }),
        ...(scheme === undefined ? {} : { scheme }),
        ...(project === undefined ? {} : { project }),
        ...(signals === undefined ? {} : { signals }),
        ...(every === undefined ? {} : { every }),
      },
      identity,
      begin,
    );
  },
  'run.accuracy': ({ runs }, { runId, long }) => runs.measure(runId, long ?? true),
  'run.pause': async ({ runs }, { runId }) => {
    const run = runs.get(runId);
    await run.pause();
    return run.info();
  },
  'run.resume': async ({ runs }, { runId }) => {
    const run = runs.get(runId);
    await run.resume();
    return run.info();
  },
  'run.cancel': async ({ runs }, { runId }) => {
    const run = runs.get(runId);
    await run.cancel();
    return run.info();
  },
  'run.step': (context, { runId, count = 1 }) => go(context, runId, { by: 'steps', count }),
  'run.runTo': (context, { runId, time }) => go(context, runId, { by: 'time', time }),
  'run.stepBack': (context, { runId, count = 1 }) => go(context, runId, { by: 'back', count }),
  'run.reset': (context, { runId }) => go(context, runId, { by: 'start' }),
  'run.speed': ({ runs }, { runId, speed }) => {
    const run = runs.get(runId);
    run.setSpeed(speed);
    return run.info();
  },
  'run.setParameters': async ({ runs }, { runId, values }) => {
    const run = runs.get(runId);
    await run.change(values);
    return run.info();
  },
  'run.rename': ({ runs }, { runId, name }) => runs.note(runId, { name }),
  'run.pin': ({ runs }, { runId, pinned }) => runs.note(runId, { pinned }),
  'run.attend': ({ runs }, { page, documents }) => runs.attend(page, documents),
  'run.assign': async ({ runs }, { document, runs: ids }) => {
    await runs.assign(document, ids);
    return {};
  },
  'run.repeat': async ({ runs }, { runId, paused = false }) => {
    const run = runs.get(runId);
    await run.loaded();
    const { documents, group } = run.record;
    return runs.start(run.repetition, { documents, group }, { paused, speed: null });
  },
  'run.continue': async ({ runs }, { runId, time, tEnd, set, paused = false }) => {
    const run = runs.get(runId);
    await run.loaded();
    const { documents, group } = run.record;
    const specification = asMoreauErrors(async () => continuedRun(await run.saved(), { time, tEnd, set }));
    return runs.start(await specification, { documents, group }, { paused, speed: null });
  },
  'run.saveState': async ({ runs, version }, { runId }) => {
    const run = runs.get(runId);
    await run.loaded();
    return { text: writeState(await run.saved(), version) };
  },
  'run.stateDocument': async ({ runs }, { runId, time, values }) => {
    const run = runs.get(runId);
    await run.started();
    await run.loaded();
    if (run.prepared === null) throw notPrepared(run.name);
    const known = new Map(Object.entries(values));
    const state = initialStateFrom(run.prepared.states ?? [], time, (signal) => known.get(signal));
    if ('unrecorded' in state) throw stateNotRecorded('The state at this time', state.unrecorded);
    return { document: documentFrom(run, state), missing: state.missing };
  },
  'run.document': async ({ runs }, { runId }) => {
    const run = runs.get(runId);
    await run.loaded();
    return { document: documentOfRun(run), origin: run.specification.document };
  },
  'run.state': async ({ runs }, { runId }) => {
    const run = runs.get(runId);
    await run.loaded();
    return run.moment;
  },
  'run.momentDocument': async ({ runs }, { runId }) => {
    const run = runs.get(runId);
    await run.loaded();
    return { document: documentOfMoment(run), missing: run.moment.missing };
  },
  'run.list': ({ runs }) => runs.list(),
  'run.get': ({ runs }, { runId }) => runs.get(runId).info(),
  'run.events': async ({ runs }, { runId, firstEvent, count }) => {
    const run = runs.get(runId);
    await run.loaded();
    return {
      total: run.info().statistics.events,
      kept: run.events.length,
      firstEvent,
      events: run.events.slice(firstEvent, firstEvent + count),
    };
  },
  'run.certificate': async ({ runs }, { runId }) => {
    const run = runs.get(runId);
    await run.loaded();
    const rows = run.certificateOverTime;
    const count = rows.length / CERTIFICATE_COLUMNS.length;
    const [t, dynamics, complementarity, coneViolation, energyDrift] = CERTIFICATE_COLUMNS.map((_, column) =>
      Float64Array.from({ length: count }, (__, k) => rows[k * CERTIFICATE_COLUMNS.length + column]),
    );
    return { runId, from: run.info().t0, t, dynamics, complementarity, coneViolation, energyDrift };
  },
  'run.delete': async ({ runs }, { runId, forGood = false }) => {
    await runs.delete(runId, forGood);
    return {};
  },
  'run.restore': ({ runs }, { runId }) => runs.restore(runId),
  'run.storage': ({ runs }) => runs.storage(),
  'run.clear': ({ runs }) => runs.clear(),
};
