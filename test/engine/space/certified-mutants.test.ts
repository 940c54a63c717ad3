/** What a scheme for 3D bodies leaves out makes the certificate of a run fail that holds without it. */
import { describeMutants } from '../support/describe-mutants';
import { certifiedMutations } from './certified-mutations';

describeMutants(
  certifiedMutations,
  ({ slip }) => slip,
  () => import('./certified-mutant-checks'),
);
