/**
 * Worker thread of runs, of measurements of their accuracy, and of executions of builder scripts, one after
 * the other.
 */
import { parentPort } from 'node:worker_threads';
import { measureAccuracy } from '@engine/analysis/accuracy/measure';
import { runBuilder } from '@engine/script/builder';
import { createSandbox } from '@engine/script/sandbox';
import { prepareRun } from '@engine/run/session';
import { MAX_IDLE_BYTES, threadBytes } from './memory';
import type { RunRequest, WorkerMessage, WorkerTask } from './run';
import { performTask } from './run-impl';

const port = parentPort;
if (port === null) throw new Error('run.worker is the entry of a worker thread');

/** of the task in progress */
let listener: ((request: RunRequest) => void) | null = null;

port.on('message', (message: WorkerTask | RunRequest) => {
  // Requests that arrive after their task has ended are dropped.
  if ('task' in message) perform(message);
  else listener?.(message);
});

function perform(task: WorkerTask): void {
  performTask(
    task,
    { prepareRun, createSandbox, runBuilder, measureAccuracy },
    {
      post: (report) => port?.postMessage(report),
      onRequest: (wanted) => (listener = wanted),
      end: (report) => {
        listener = null;
        const isFree = threadBytes() <= MAX_IDLE_BYTES;
        port?.postMessage({ ...report, isFree } satisfies WorkerMessage);
        if (!isFree) port?.close();
      },
    },
    {
      now: () => performance.now(),
      yieldThen: (callback) => setImmediate(callback),
      wait: (milliseconds, callback) => setTimeout(callback, milliseconds),
    },
  );
}
