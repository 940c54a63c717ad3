/** Basins of attraction by several threads: one finds the attractors, all share the rows of the plane. */
import type { MoreauError } from '@contract/errors';
import { joinBasins } from '@engine/analysis/jobs/basins';
import type { BasinsAnalysis } from '@engine/analysis/jobs/job';
import type { FoundBasins } from '@engine/analysis/jobs/outcome';
import { AnalysisThread } from './analysis-thread';
import type { KnownPart } from './basins-journal';

/** Parts per thread: enough that no thread waits long for the last part. */
const PARTS = 24;
/** Starts of a part at most: what a kill loses of each thread. */
const MOST_STARTS = 128;

/** What is known of a plane from before, and who keeps what is found. */
export interface KeptParts {
  readonly known: readonly KnownPart[];
  /** why a part could not be kept; no more are computed then */
  readonly failure?: MoreauError | null;
  add(part: KnownPart): void;
}

const NOTHING_KEPT: KeptParts = { known: [], add: () => undefined };

/** The known parts that follow each other without overlapping. @param of number of starts */
function disjoint(known: readonly KnownPart[], of: number): KnownPart[] {
  let end = 0;
  return [...known]
    .sort((a, b) => a.first - b.first)
    .filter(({ first, settled: { attractor } }) => {
      if (first < end || first + attractor.length > of) return false;
      end = first + attractor.length;
      return true;
    });
}

/** What is left between known parts, in pieces. @returns [first, end] of each */
function pieces(known: readonly KnownPart[], of: number, length: number): [number, number][] {
  const left: [number, number][] = [];
  let at = 0;
  const upTo = (end: number): void => {
    for (; at < end; at = Math.min(end, at + length)) left.push([at, Math.min(end, at + length)]);
  };
  for (const { first, settled } of known) {
    upTo(first);
    at = first + settled.attractor.length;
  }
  upTo(of);
  return left;
}

/**
 * @param url bundled analysis worker
 * @param progress starts that are done
 * @param kept parts that are not computed again
 * @returns null when it was given up
 * @throws {MoreauError} for defects of the model or the question
 */
export async function computeBasins(
  url: URL,
  job: BasinsAnalysis,
  workers: number,
  progress: (done: number, of: number) => void,
  signal: AbortSignal,
  kept: KeptParts = NOTHING_KEPT,
): Promise<FoundBasins | null> {
  const threads = [new AnalysisThread(url, signal)];
  try {
    const answer = await threads[0].ask({ type: 'head', job }, 'head');
    if (answer === null) return null;
    const { head } = answer;
    const of = head.result.xValues.length * head.result.yValues.length;
    while (threads.length < workers) threads.push(new AnalysisThread(url, signal));
    const parts = disjoint(kept.known, of);
    const length = Math.min(MOST_STARTS, Math.ceil(of / (PARTS * threads.length)));
    const left = pieces(parts, of, length);
    let next = 0;
    let done = parts.reduce((sum, { settled }) => sum + settled.attractor.length, 0);
    progress(done, of);
    const work = async (thread: AnalysisThread): Promise<void> => {
      thread.tell({ type: 'plane', job, known: head.known });
      while (next < left.length && (kept.failure ?? null) === null) {
        const [first, end] = left[next++];
        const reply = await thread.ask({ type: 'part', first, end }, 'part');
        if (reply === null) return;
        const part = { first, settled: reply.part };
        parts.push(part);
        kept.add(part);
        done += end - first;
        progress(done, of);
      }
    };
    await Promise.all(threads.map(work));
    if (done < of) return null;
    const ordered = parts.sort((a, b) => a.first - b.first);
    return joinBasins(
      head,
      ordered.map(({ settled }) => settled),
    );
  } finally {
    await Promise.all(threads.map((thread) => thread.end()));
  }
}
