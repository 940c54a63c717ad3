/** Every slip in the certificate of resets makes a check fail that holds without it. */
import { describeMutants } from '../support/describe-mutants';
import { resetMutations } from './mutations';

describeMutants(
  resetMutations,
  ({ slip }) => slip,
  () => import('./mutant-checks'),
);
