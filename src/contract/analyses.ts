/** Analyses as the host tells of them. */
import type { AnalysisJob } from '@engine/analysis/jobs/job';
import type { RemoteError } from './errors';

export type * from '@engine/analysis/jobs/outcome';

export interface AnalysisInfo {
  /** name of the job: of equal models and questions it is the same */
  job: string;
  kind: AnalysisJob['kind'];
  /** `interrupted`: some points of a sweep are known from an earlier session; starting it goes on */
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled' | 'interrupted';
  /** from 0 to 1 */
  part: number;
  /** points of a sweep */
  done?: number;
  of?: number;
  /** time it took, s; absent of one that was known */
  seconds?: number;
  error?: RemoteError;
}
