/** How far a run has come. */
import type { RunInfo } from './methods';

/**
 * Share of the time span that has been simulated, from 0 to 1. Steps would not tell: how many there will be
 * is not known beforehand where their length is chosen as the run goes on.
 */
export function runShare(run: Pick<RunInfo, 't0' | 'tEnd' | 'statistics'>): number {
  const span = run.tEnd - run.t0;
  if (!(span > 0)) return 0;
  return Math.min(1, Math.max(0, (run.statistics.simulatedTime - run.t0) / span));
}
