/** Every slip that steps with contact forces invite makes a check fail that holds without it. */
import { describeMutants } from '../support/describe-mutants';
import { forceMutations } from './force-mutations';

describeMutants(
  forceMutations,
  ({ slip }) => slip,
  () => import('./force-mutant-checks'),
);
