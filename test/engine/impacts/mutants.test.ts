/** Every slip, switched on in the engine, makes a check fail that holds without it. */
import { describeMutants } from '../support/describe-mutants';
import { impactMutations } from './mutations';

describeMutants(
  impactMutations,
  ({ slip }) => slip,
  () => import('./mutant-checks'),
);
