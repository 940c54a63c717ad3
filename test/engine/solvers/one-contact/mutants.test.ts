/**
 * Every slip of the Siconos developer's notes §12, switched on in the engine, makes a check fail that holds
 * without it.
 */
import { describeMutants } from '../../support/describe-mutants';
import { oneContactMutations } from './mutations';

describeMutants(
  oneContactMutations,
  ({ slip }) => slip,
  () => import('./mutant-checks'),
);
