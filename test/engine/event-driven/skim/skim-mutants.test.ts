/** The certificate of motion that is skimmed sees what goes wrong in it. */
import { describeMutants } from '../../support/describe-mutants';
import { skimMutations } from './mutations';

describeMutants(
  skimMutations,
  ({ slip }) => slip,
  () => import('./checks'),
);
