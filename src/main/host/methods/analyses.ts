/** Methods of analyses: sweeps, orbits, branches, exponents. */
import type { ModelDocument } from '@engine/document/types';
import { analysisTable } from '../../export/analysis-table';
import type { TableSource } from '../../export/table-source';
import type { HostContext, MethodHandlers } from '../context';

export const analysisMethods: MethodHandlers<
  | 'analysis.start'
  | 'analysis.find'
  | 'analysis.list'
  | 'analysis.cancel'
  | 'analysis.outcome'
  | 'analysis.forget'
  | 'analysis.export'
> = {
  'analysis.start': ({ analyses }, { document, analysis }) => analyses.start(document, analysis),
  'analysis.find': ({ analyses }, { document }) => analyses.find(document),
  'analysis.list': ({ analyses }) => analyses.list(),
  'analysis.cancel': ({ analyses }, { job }) => analyses.cancel(job),
  'analysis.outcome': ({ analyses }, { job }) => analyses.outcome(job),
  'analysis.forget': async ({ analyses }, { job }) => {
    await analyses.forget(job);
    return {};
  },
  'analysis.export': (context, { exportId, document, analysis, format, comments }) =>
    context.exports.write(exportId, format, tableOf(context, document, analysis), { comments }),
};

/** What has been found of a document that is as it was then: its provenance is true. */
async function tableOf(
  { analyses, dispatcher }: HostContext,
  document: ModelDocument,
  id: string,
): Promise<TableSource> {
  const { outcome, foundAt } = await analyses.found(document, id);
  return analysisTable(dispatcher, document, id, outcome, { startedAt: foundAt });
}
