/** What the host and the thread of an analysis say to each other. */
import type { RemoteError } from '@contract/errors';
import type { SingleAnalysis } from '@engine/analysis/jobs/job';
import type { SingleOutcome } from '@engine/analysis/jobs/outcome';

/** Host to thread: once. */
export interface AnalysisTask {
  readonly job: SingleAnalysis;
}

/** Thread to host. */
export type AnalysisReply =
  /** from 0 to 1 */
  | { readonly type: 'part'; readonly part: number }
  | { readonly type: 'outcome'; readonly outcome: SingleOutcome }
  | { readonly type: 'failed'; readonly error: RemoteError };
