/** Analyses that tests ask a host for. */
import type { AnalysisInfo, AnalysisOutcome } from '@contract/methods';
import type { AnalysisDocument, ModelDocument } from '@engine/document/types';
import type { EngineHost } from '@main/host/host';
import { nextEvent } from './support';

/** The document with these analyses. */
export const withAnalyses = (document: ModelDocument, ...analyses: AnalysisDocument[]): ModelDocument => ({
  ...document,
  analyses,
});

const isOver = ({ state }: AnalysisInfo): boolean => state !== 'waiting' && state !== 'running';

/** Starts one and waits for its end. */
export async function compute(
  host: EngineHost,
  document: ModelDocument,
  analysis: string,
): Promise<AnalysisInfo> {
  let job = '';
  const over = nextEvent(
    host,
    (event) =>
      event.event === 'analysis.progress' && isOver(event.data.analysis) && event.data.analysis.job === job,
  );
  const started = await host.dispatch('analysis.start', { document, analysis });
  if (isOver(started)) return started;
  job = started.job;
  const now = (await host.dispatch('analysis.list', {})).find((one) => one.job === job);
  if (now !== undefined && isOver(now)) return now;
  const event = await over;
  if (event.event !== 'analysis.progress') throw new Error('another event came');
  return event.data.analysis;
}

/** What it has found. */
export async function outcome<K extends AnalysisOutcome['kind']>(
  host: EngineHost,
  { job }: AnalysisInfo,
  kind: K,
): Promise<Extract<AnalysisOutcome, { kind: K; status: 'done' }>> {
  const found = await host.dispatch('analysis.outcome', { job });
  if (found.kind !== kind || found.status !== 'done') throw new Error(`${found.kind} is ${found.status}`);
  return found as Extract<AnalysisOutcome, { kind: K; status: 'done' }>;
}
