/**
 * Analyses of the host without an engine: exponents that are there after two words on how far they have come.
 */
import { MoreauError } from '@contract/errors';
import type { AnalysisInfo, AnalysisOutcome, HostEvent, MethodParams } from '@contract/methods';

const OUTCOME: AnalysisOutcome = {
  kind: 'lyapunov',
  status: 'done',
  exponents: Float64Array.of(0.5, -1),
  errors: Float64Array.of(0.01, 0.02),
  times: Float64Array.of(1, 2),
  history: Float64Array.of(0.4, -0.9, 0.5, -1),
  dimension: 1.5,
};

type Names =
  | 'analysis.start'
  | 'analysis.find'
  | 'analysis.list'
  | 'analysis.cancel'
  | 'analysis.outcome'
  | 'analysis.forget'
  | 'analysis.export';

/** @param outcome of every analysis */
export function analysisMethods(
  emit: (event: HostEvent) => void,
  outcome: AnalysisOutcome = OUTCOME,
): {
  [M in Names]: (params: MethodParams<M>) => never;
} {
  const known = new Map<string, AnalysisInfo>();
  const jobOf = (analysis: unknown): string =>
    Buffer.from(JSON.stringify(analysis)).toString('hex').padEnd(64, '0').slice(-64);
  const tell = (info: AnalysisInfo): AnalysisInfo => {
    known.set(info.job, info);
    emit({ event: 'analysis.progress', data: { analysis: info } });
    return info;
  };
  const found = (job: string): AnalysisInfo => {
    const info = known.get(job);
    if (info === undefined) throw new MoreauError({ code: 'unknown-analysis', message: 'no such analysis' });
    return info;
  };
  const methods = {
    'analysis.start': ({ document, analysis }: MethodParams<'analysis.start'>) => {
      const given = document.analyses?.find(({ id }) => id === analysis);
      const job = jobOf(given);
      const kind = given?.type as AnalysisInfo['kind'];
      tell({ job, kind, state: 'running', part: 0.5 });
      return tell({ job, kind, state: 'done', part: 1, seconds: 1 });
    },
    'analysis.find': ({ document }: MethodParams<'analysis.find'>) =>
      (document.analyses ?? []).map((one) => known.get(jobOf(one)) ?? null),
    'analysis.list': () => [...known.values()],
    'analysis.cancel': ({ job }: MethodParams<'analysis.cancel'>) =>
      tell({ ...found(job), state: 'cancelled' }),
    'analysis.outcome': ({ job }: MethodParams<'analysis.outcome'>) => (found(job), outcome),
    'analysis.forget': ({ job }: MethodParams<'analysis.forget'>) => (known.delete(job), {}),
    'analysis.export': ({ document, analysis }: MethodParams<'analysis.export'>) => {
      found(jobOf(document.analyses?.find(({ id }) => id === analysis)));
      return { ticket: 'y'.repeat(32), rows: 2, bytes: 100 };
    },
  };
  return methods as unknown as ReturnType<typeof analysisMethods>;
}
