/** What the host and the threads of analyses say to each other. */
import type { RemoteError } from '@contract/errors';
import type { KnownAttractors } from '@engine/analysis/basins/attractors';
import type { SettledPart } from '@engine/analysis/basins/grid';
import type { BasinsHead } from '@engine/analysis/jobs/basins';
import type { BasinsAnalysis, SingleAnalysis } from '@engine/analysis/jobs/job';
import type { SingleOutcome } from '@engine/analysis/jobs/outcome';

/** Host to thread. */
export type AnalysisTask =
  | { readonly type: 'single'; readonly job: SingleAnalysis }
  /** the attractors of a plane */
  | { readonly type: 'head'; readonly job: BasinsAnalysis }
  /** comes before the first part of a plane */
  | { readonly type: 'plane'; readonly job: BasinsAnalysis; readonly known: KnownAttractors }
  /** starts from number `first` up to that before `end` */
  | { readonly type: 'part'; readonly first: number; readonly end: number };

/** Thread to host. */
export type AnalysisReply =
  /** from 0 to 1 */
  | { readonly type: 'progress'; readonly part: number }
  | { readonly type: 'outcome'; readonly outcome: SingleOutcome }
  | { readonly type: 'head'; readonly head: BasinsHead }
  | { readonly type: 'part'; readonly part: SettledPart }
  | { readonly type: 'failed'; readonly error: RemoteError };
