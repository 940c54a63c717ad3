/** Basins of attraction by several threads: one finds the attractors, all share the rows of the plane. */
import type { SettledPart } from '@engine/analysis/basins/grid';
import { joinBasins } from '@engine/analysis/jobs/basins';
import type { BasinsAnalysis } from '@engine/analysis/jobs/job';
import type { FoundBasins } from '@engine/analysis/jobs/outcome';
import { AnalysisThread } from './analysis-thread';

/** Parts for each thread: so many that none waits long for the last one. */
const PARTS = 24;

/**
 * @param url bundled analysis worker
 * @param progress starts that are done
 * @returns null when it was given up
 * @throws {MoreauError} for defects of the model or the question
 */
export async function computeBasins(
  url: URL,
  job: BasinsAnalysis,
  workers: number,
  progress: (done: number, of: number) => void,
  signal: AbortSignal,
): Promise<FoundBasins | null> {
  const threads = [new AnalysisThread(url, signal)];
  try {
    const answer = await threads[0].ask({ type: 'head', job }, 'head');
    if (answer === null) return null;
    const { head } = answer;
    const of = head.result.xValues.length * head.result.yValues.length;
    while (threads.length < workers) threads.push(new AnalysisThread(url, signal));
    const length = Math.max(1, Math.ceil(of / (PARTS * threads.length)));
    const parts = new Array<SettledPart | undefined>(Math.ceil(of / length));
    let next = 0;
    let done = 0;
    const work = async (thread: AnalysisThread): Promise<void> => {
      thread.tell({ type: 'plane', job, known: head.known });
      while (next < parts.length) {
        const number = next++;
        const first = number * length;
        const end = Math.min(of, first + length);
        const reply = await thread.ask({ type: 'part', first, end }, 'part');
        if (reply === null) return;
        parts[number] = reply.part;
        done += end - first;
        progress(done, of);
      }
    };
    await Promise.all(threads.map(work));
    const complete = parts.filter((part) => part !== undefined);
    return complete.length < parts.length ? null : joinBasins(head, complete);
  } finally {
    await Promise.all(threads.map((thread) => thread.end()));
  }
}
