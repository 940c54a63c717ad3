/** What an analysis finds, waited for. */
import { MoreauError } from '@contract/errors';
import type { AnalysisInfo, AnalysisOutcome, Dispatcher } from '@contract/methods';
import type { ModelDocument } from '@engine/document/types';

export interface ComputedAnalysis {
  readonly info: AnalysisInfo;
  /** null when it was cancelled */
  readonly outcome: Extract<AnalysisOutcome, { status: 'done' }> | null;
}

const isOver = ({ state }: AnalysisInfo): boolean => state !== 'waiting' && state !== 'running';

/**
 * @param begun called with the name of its job
 * @throws {MoreauError} why it failed
 */
export async function computedAnalysis(
  host: Dispatcher,
  document: ModelDocument,
  id: string,
  progress: (info: AnalysisInfo) => void = () => undefined,
  begun: (job: string) => void = () => undefined,
): Promise<ComputedAnalysis> {
  let job: string | null = null;
  let finish: (info: AnalysisInfo) => void = () => undefined;
  const ended = new Promise<AnalysisInfo>((resolve) => (finish = resolve));
  const over = new Map<string, AnalysisInfo>();
  const off = host.onEvent((event) => {
    if (event.event !== 'analysis.progress') return;
    const { analysis } = event.data;
    // Others may be computed beside it, and it may be over before its name is known.
    if (isOver(analysis)) over.set(analysis.job, analysis);
    if (analysis.job !== job) return;
    if (isOver(analysis)) finish(analysis);
    else progress(analysis);
  });
  try {
    const started = await host.dispatch('analysis.start', { document, analysis: id });
    job = started.job;
    begun(job);
    const known = isOver(started) ? started : over.get(job);
    const info = known ?? (await ended);
    if (info.state === 'cancelled') return { info, outcome: null };
    if (info.error !== undefined) throw new MoreauError({ ...info.error, where: info.error.where ?? id });
    const outcome = await host.dispatch('analysis.outcome', { job });
    return { info, outcome: outcome.status === 'done' ? outcome : null };
  } finally {
    off();
  }
}
