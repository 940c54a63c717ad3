/** Worker thread that computes analyses. */
import { parentPort } from 'node:worker_threads';
import { createSandbox } from '@engine/script/sandbox';
import type { AnalysisTask } from './analysis-messages';
import { AnalysisWorker } from './analysis-worker-impl';

const port = parentPort;
if (port === null) throw new Error('analysis.worker is the entry of a worker thread');

const worker = new AnalysisWorker(createSandbox, (reply) => port.postMessage(reply));
port.on('message', (task: AnalysisTask) => worker.handle(task));
