/** What the pool and a sweep worker say to each other. */
import type { RemoteError } from '@contract/errors';
import type { PointResult, SweepColumns } from '@engine/analysis/sweep/compute-point';
import type { SweepJob } from '@engine/analysis/sweep/job';
import type { ChainTask } from './executor';

/** Pool to worker. */
export type SweepWorkRequest =
  /** comes before the first chain, and again for chains of another */
  | { readonly type: 'job'; readonly job: SweepJob }
  /** which columns the job's results have; also finds its defects */
  | { readonly type: 'examine' }
  | { readonly type: 'chain'; readonly task: ChainTask };

/** Worker to pool. */
export type SweepReply =
  | { readonly type: 'point'; readonly index: number; readonly result: PointResult }
  | { readonly type: 'chainDone' }
  | { readonly type: 'columns'; readonly columns: SweepColumns }
  | { readonly type: 'failed'; readonly error: RemoteError };
