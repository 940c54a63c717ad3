/** An analysis in a thread of its own. */
import { Worker } from 'node:worker_threads';
import { MoreauError } from '@contract/errors';
import type { SingleAnalysis } from '@engine/analysis/jobs/job';
import type { SingleOutcome } from '@engine/analysis/jobs/outcome';
import { WORKER_LIMITS } from '../host/memory';
import type { AnalysisReply, AnalysisTask } from './analysis-messages';

/**
 * @param url bundled analysis worker
 * @param signal ends the thread
 * @returns null when it was given up
 * @throws {MoreauError} when the thread has failed
 */
export async function computeInThread(
  url: URL,
  job: SingleAnalysis,
  progress: (part: number) => void,
  signal: AbortSignal,
): Promise<SingleOutcome | null> {
  if (signal.aborted) return null;
  const worker = new Worker(url, {
    env: {},
    execArgv: [],
    stdout: true,
    name: 'analysis',
    resourceLimits: WORKER_LIMITS,
  });
  // Output of a worker goes nowhere: standard output belongs to results.
  worker.stdout.resume();
  const giveUp = (): void => void worker.terminate();
  signal.addEventListener('abort', giveUp);
  try {
    return await new Promise<SingleOutcome | null>((resolve, reject) => {
      worker.on('message', (reply: AnalysisReply) => {
        if (reply.type === 'part') progress(reply.part);
        else if (reply.type === 'outcome') resolve(reply.outcome);
        else reject(new MoreauError(reply.error));
      });
      // The exit follows.
      worker.on('error', () => undefined);
      worker.on('exit', () => {
        if (signal.aborted) resolve(null);
        else reject(ended());
      });
      worker.postMessage({ job } satisfies AnalysisTask);
    });
  } finally {
    signal.removeEventListener('abort', giveUp);
    await worker.terminate();
  }
}

const ended = (): MoreauError =>
  new MoreauError({
    code: 'worker-crashed',
    message: 'The thread that computed the analysis ended without a word.',
    remedy: 'The script may take more memory than a worker has.',
  });
