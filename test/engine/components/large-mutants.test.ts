/** The certificate of steps sees what goes wrong in those of large networks. */
import { describeMutants } from '../support/describe-mutants';
import { largeMutations } from './large-mutations';

describeMutants(
  largeMutations,
  ({ slip }) => slip,
  () => import('./large-checks'),
);
