import type { MethodHandlers } from '../context';
import { checkDocumentDepth } from '../document-depth';

/** Methods that start and steer runs. */
export const runMethods: MethodHandlers<
  | 'run.start'
  | 'run.pause'
  | 'run.resume'
  | 'run.cancel'
  | 'run.list'
  | 'run.get'
  | 'run.delete'
  | 'run.events'
> = {
  'run.start': ({ runs }, { document, set, h, tEnd, scheme, project, signals, name }) => {
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
      },
      name,
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
