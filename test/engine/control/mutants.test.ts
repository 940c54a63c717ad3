/** Every slip in blocks and samples makes the certificate of a run fail that is satisfied without it. */
import { describeMutants } from '../support/describe-mutants';
import { blockMutations } from './mutations';

describeMutants(
  blockMutations,
  ({ slip }) => slip,
  () => import('./mutant-checks'),
);
