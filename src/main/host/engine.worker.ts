/**
 * Worker thread of the engine: runs, measurements of their accuracy and executions of builder scripts, one
 * after the other, and examinations of documents. One kind of thread, so that one that has loaded the engine
 * does whatever comes next.
 */
import { parentPort } from 'node:worker_threads';
import { measureAccuracy } from '@engine/analysis/accuracy/measure';
import { ContactProbes } from '@engine/inspection/contacts-at';
import { reviewDerivatives } from '@engine/inspection/derivative-review';
import { examine } from '@engine/inspection/examine';
import { profileRun } from '@engine/inspection/profile';
import { stepProblem } from '@engine/inspection/step-problem';
import { reportTopology } from '@engine/inspection/topology-report';
import { projectDocument } from '@engine/preparation/initial-check';
import { prepareRun } from '@engine/run/session';
import { runBuilder } from '@engine/script/builder';
import { createSandbox } from '@engine/script/sandbox';
import type { InspectionRequest } from './inspection';
import { inspect } from './inspection-impl';
import { MAX_IDLE_BYTES, threadBytes } from './memory';
import type { RunRequest, WorkerMessage, WorkerTask } from './run';
import { performTask } from './run-impl';

const port = parentPort;
if (port === null) throw new Error('engine.worker is the entry of a worker thread');

const probes = new ContactProbes();
const inspection = {
  examine,
  reportTopology,
  projectDocument,
  contactsAt: probes.at.bind(probes),
  stepProblem,
  reviewDerivatives,
  profileRun,
  createSandbox,
};

/** of the task in progress */
let listener: ((request: RunRequest) => void) | null = null;

port.on('message', (message: WorkerTask | RunRequest | InspectionRequest) => {
  // Requests that arrive after their task has ended are dropped.
  if ('task' in message) perform(message);
  else if ('kind' in message) answer(message);
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

function answer(request: InspectionRequest): void {
  inspect(
    request,
    inspection,
    (reply) => port?.postMessage(reply),
    () => performance.now(),
  );
}
