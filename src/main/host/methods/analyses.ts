/** Methods of analyses: sweeps, orbits, branches, exponents. */
import type { MethodHandlers } from '../context';

export const analysisMethods: MethodHandlers<
  | 'analysis.start'
  | 'analysis.find'
  | 'analysis.list'
  | 'analysis.cancel'
  | 'analysis.outcome'
  | 'analysis.forget'
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
};
