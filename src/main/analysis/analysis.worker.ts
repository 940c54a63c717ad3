/** Worker thread that computes one analysis. */
import { parentPort } from 'node:worker_threads';
import { computeAnalysis } from '@engine/analysis/jobs/compute';
import { createSandbox } from '@engine/script/sandbox';
import { toRemoteError } from '../host/errors';
import type { AnalysisReply, AnalysisTask } from './analysis-messages';

/** Time between two words on how far it has come, ms. */
const NEWS_MS = 100;

const port = parentPort;
if (port === null) throw new Error('analysis.worker is the entry of a worker thread');

port.on('message', ({ job }: AnalysisTask) => {
  const post = (reply: AnalysisReply): void => port.postMessage(reply);
  let toldAt = 0;
  const progress = (part: number): void => {
    const now = performance.now();
    if (now - toldAt < NEWS_MS) return;
    toldAt = now;
    post({ type: 'part', part });
  };
  try {
    post({ type: 'outcome', outcome: computeAnalysis(job, { sandbox: createSandbox, progress }) });
  } catch (error) {
    post({ type: 'failed', error: toRemoteError(error) });
  }
});
