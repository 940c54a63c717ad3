/**
 * Every printed misprint of the sources, switched on in the engine, makes a check fail that holds without it.
 */
import { describeMutants } from '../support/describe-mutants';
import { mutations } from './mutations';

describeMutants(
  mutations,
  ({ misprint }) => misprint,
  () => import('./checks'),
);
