/**
 * A slip that a formula invites or a source prints, as a change of the engine's own code
 * (`mutant-plugin.ts`).
 */
export interface Mutation<Check extends PropertyKey> {
  name: string;
  /** what goes wrong, and where in the source */
  slip: string;
  /** module under test, as imports name it */
  module: string;
  /** text that stands in the module exactly once */
  find: string;
  replace: string;
  /** name of the check that must fail */
  killedBy: Check;
}
