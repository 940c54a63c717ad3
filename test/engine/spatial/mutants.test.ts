/** Every misprint of the notes, switched on in the engine, makes a check fail that holds without it. */
import { describeMutants } from '../support/describe-mutants';
import { spatialMutations } from './mutations';

describeMutants(
  spatialMutations,
  ({ slip }) => slip,
  () => import('./mutant-checks'),
);
