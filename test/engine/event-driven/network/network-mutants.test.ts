/** The certificate of networks that go from event to event sees what goes wrong in them. */
import { describeMutants } from '../../support/describe-mutants';
import { networkMutations } from './network-mutations';

describeMutants(
  networkMutations,
  ({ slip }) => slip,
  () => import('./network-checks'),
);
