import type { MethodHandlers } from '../context';
import { checkDocumentDepth } from '../document-depth';

/** Methods that start and steer runs. */
export const runMethods: MethodHandlers<
  'run.start' | 'run.pause' | 'run.resume' | 'run.cancel' | 'run.list' | 'run.get' | 'run.delete'
> = {
  'run.start': ({ runs }, { document, set, h, tEnd, scheme, signals, name }) => {
    checkDocumentDepth(document);
    return runs.start(
      {
        document,
        ...(set === undefined ? {} : { set }),
        ...(h === undefined ? {} : { h }),
        ...(tEnd === undefined ? {} : { tEnd }),
        ...(scheme === undefined ? {} : { scheme }),
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
  'run.delete': async ({ runs }, { runId }) => {
    await runs.delete(runId);
    return {};
  },
};
