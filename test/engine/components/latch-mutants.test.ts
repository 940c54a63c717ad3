/** The certificates of both schemes see a thyristor that does not remember, and remember themselves. */
import { describeMutants } from '../support/describe-mutants';
import { latchMutations } from './latch-mutations';

describeMutants(
  latchMutations,
  ({ slip }) => slip,
  () => import('./latch-checks'),
);
