/**
 * Mutants of the engine: a module imported as `file?mutant=name` is compiled with one exact replacement of
 * its source. A replacement whose text does not stand in the source exactly once fails, so that mutants
 * follow the code.
 */
import type { Plugin } from 'vite';
import { blockMutations } from '../engine/control/mutations';
import { eventMutations } from '../engine/event-driven/mutants/mutations';
import { networkMutations } from '../engine/event-driven/network/network-mutations';
import { skimMutations } from '../engine/event-driven/skim/mutations';
import { impactMutations } from '../engine/impacts/mutations';
import { multibodyMutations } from '../engine/multibody/mutations';
import { forceMutations } from '../engine/time-stepping/force-mutations';
import { largeMutations } from '../engine/components/large-mutations';
import { latchMutations } from '../engine/components/latch-mutations';
import { mutations } from '../engine/mutants/mutations';
import { resetMutations } from '../engine/resets/mutations';
import { timeLoopMutations } from '../engine/mutants/time-loop-mutations';
import { frictionMutations } from '../engine/solvers/friction/mutations';
import { oneContactMutations } from '../engine/solvers/one-contact/mutations';
import { certifiedMutations } from '../engine/space/certified-mutations';
import { galerkinMutations } from '../engine/space/galerkin-mutations';
import { spatialMutations } from '../engine/spatial/mutations';

/** All of them, each with the module it changes and the text there. */
export const mutants: readonly { name: string; module: string; find: string; replace: string }[] = [
  ...mutations,
  ...timeLoopMutations,
  ...multibodyMutations,
  ...forceMutations,
  ...eventMutations,
  ...networkMutations,
  ...skimMutations,
  ...impactMutations,
  ...largeMutations,
  ...latchMutations,
  ...resetMutations,
  ...frictionMutations,
  ...oneContactMutations,
  ...certifiedMutations,
  ...galerkinMutations,
  ...spatialMutations,
  ...blockMutations,
];

export function mutantPlugin(): Plugin {
  return {
    name: 'mutants',
    enforce: 'pre',
    transform(code, id) {
      const name = /[?&]mutant=([\w-]+)/.exec(id)?.[1];
      if (name === undefined) return null;
      const mutation = mutants.find((candidate) => candidate.name === name);
      if (mutation === undefined) throw new Error(`no mutation is called ${name}`);
      const parts = code.split(mutation.find);
      if (parts.length !== 2)
        throw new Error(`the mutation ${name} finds its text ${parts.length - 1} times in ${id}, not once`);
      return { code: parts.join(mutation.replace), map: null };
    },
  };
}
