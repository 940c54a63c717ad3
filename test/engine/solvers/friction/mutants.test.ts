/** Every slip, switched on in the engine, makes a check fail that holds without it. */
import { describeMutants } from '../../support/describe-mutants';
import { frictionMutations } from './mutations';

describeMutants(
  frictionMutations,
  ({ slip }) => slip,
  () => import('./mutant-checks'),
);
