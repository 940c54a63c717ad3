/** Every slip that steps of 3D bodies with contact forces invite makes a check fail that holds without it. */
import { describeMutants } from '../support/describe-mutants';
import { galerkinMutations } from './galerkin-mutations';

describeMutants(
  galerkinMutations,
  ({ slip }) => slip,
  () => import('./galerkin-mutant-checks'),
);
