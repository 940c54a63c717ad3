/** Every slip of the notes, switched on in the engine, makes a check fail that holds without it. */
import { describeMutants } from '../support/describe-mutants';
import { multibodyMutations } from './mutations';

describeMutants(
  multibodyMutations,
  ({ slip }) => slip,
  () => import('./mutant-checks'),
);
