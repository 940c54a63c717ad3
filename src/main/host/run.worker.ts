/** Worker thread of one run, or of one execution of builder scripts: its first message says which. */
import { parentPort } from 'node:worker_threads';
import { runBuilder } from '@engine/script/builder';
import { createSandbox } from '@engine/script/sandbox';
import { prepareRun } from '@engine/simulation/session';
import type { RunRequest, WorkerTask } from './run';
import { performTask } from './run-impl';

const port = parentPort;
if (port === null) throw new Error('run.worker is the entry of a worker thread');

port.once('message', (task: WorkerTask) => {
  performTask(
    task,
    { prepareRun, createSandbox, runBuilder },
    {
      post: (report) => port.postMessage(report),
      onRequest: (listener) => port.on('message', (request: RunRequest) => listener(request)),
      close: () => port.close(),
    },
    { now: () => performance.now(), yieldThen: (callback) => setImmediate(callback) },
  );
});
