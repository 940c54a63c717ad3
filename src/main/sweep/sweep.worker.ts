/** Worker thread that computes points of a sweep. */
import { parentPort } from 'node:worker_threads';
import { createSandbox } from '@engine/script/sandbox';
import type { SweepWorkRequest } from './sweep-messages';
import { SweepWorker } from './sweep-worker-impl';

const port = parentPort;
if (port === null) throw new Error('sweep.worker is the entry of a worker thread');

const worker = new SweepWorker(createSandbox, (reply) => port.postMessage(reply));
port.on('message', (request: SweepWorkRequest) => worker.handle(request));
