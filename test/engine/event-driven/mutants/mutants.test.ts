/** Every slip, switched on in the engine, makes a check fail that holds without it. */
import { describeMutants } from '../../support/describe-mutants';
import { eventMutations } from './mutations';

describeMutants(
  eventMutations,
  ({ slip }) => slip,
  () => import('./checks'),
);
