import { documentOfMoment, documentOfRun } from '../run-document';
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
  | 'run.document'
  | 'run.state'
  | 'run.momentDocument'
  | 'run.list'
  | 'run.get'
  | 'run.delete'
  | 'run.events'
> = {
  'run.start': (
    { runs },
    { document, set, h, tEnd, scheme, project, signals, every, name, paused, speed },
  ) => {
    checkDocumentDepth(document);
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
      name,
      { paused: paused ?? false, speed: speed ?? null },
    );
  },
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
  'run.rename': ({ runs }, { runId, name }) => {
    const run = runs.get(runId);
    run.rename(name);
    return run.info();
  },
  'run.repeat': ({ runs }, { runId, paused = false }) => {
    const run = runs.get(runId);
    return runs.start(run.repetition, undefined, { paused, speed: null });
  },
  'run.document': ({ runs }, { runId }) => ({ document: documentOfRun(runs.get(runId)) }),
  'run.state': ({ runs }, { runId }) => runs.get(runId).moment,
  'run.momentDocument': ({ runs }, { runId }) => {
    const run = runs.get(runId);
    return { document: documentOfMoment(run), missing: run.moment.missing };
  },
  'run.list': ({ runs }) => runs.list(),
  'run.get': ({ runs }, { runId }) => runs.get(runId).info(),
  'run.events': ({ runs }, { runId, firstEvent, count }) => {
    const run = runs.get(runId);
    return {
      total: run.info().statistics.events,
      kept: run.events.length,
      firstEvent,
      events: run.events.slice(firstEvent, firstEvent + count),
    };
  },
  'run.delete': async ({ runs }, { runId }) => {
    await runs.delete(runId);
    return {};
  },
};
