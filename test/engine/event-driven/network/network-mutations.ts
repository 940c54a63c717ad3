/** Slips in networks that go from event to event, as changes of the engine's own code. */
import type { Mutation } from '../../../support/mutation';
import type { checks } from './network-checks';

const NETWORK = '@engine/event-driven/network/';

export const networkMutations: readonly Mutation<keyof typeof checks>[] = [
  {
    name: 'network-rates-without-sources',
    slip: 'what keeps an output by its rate leaves out how its source changes',
    module: `${NETWORK}network-maps`,
    find: 'sum.put(atDrift + row, factor);',
    replace: '',
    killedBy: 'snubbers',
  },
  {
    name: 'network-outputs-without-feedthrough',
    slip: 'voltages of diodes that block leave out the currents of others',
    module: `${NETWORK}network-maps`,
    find: 'outputs[other].add(D[other * m + row], lambda[row]);',
    replace: 'outputs[other].add(0, lambda[row]);',
    killedBy: 'rest',
  },
  {
    name: 'network-sources-at-once',
    slip: 'the constant part of sources counts beside their functions',
    module: `${NETWORK}linear-network`,
    find: 'relations.probe = { offsets: forces.rowConstant, drifts: forces.rowConstant };',
    replace: '',
    killedBy: 'snubbers',
  },
  {
    name: 'network-conducts-backwards',
    slip: 'a diode goes on conducting where its current has turned',
    module: `${NETWORK}network-decision`,
    find: 'if (lower[row] !== -Infinity && this.#signOfForce(row, lower[row], forces) < 0)',
    replace: 'if (lower[row] !== -Infinity && this.#signOfForce(row, lower[row], forces) < -1)',
    killedBy: 'rest',
  },
  {
    name: 'network-never-conducts',
    slip: 'a diode that blocks does so whatever its voltage',
    module: `${NETWORK}network-decision`,
    find: 'if (own === LOWER ? sign < 0 : sign > 0) this.#next[row] = ACTIVE;',
    replace: '',
    killedBy: 'rest',
  },
  {
    name: 'network-jumps-half',
    slip: 'an impulse takes half of the way',
    module: `${NETWORK}network-decision`,
    find: 'this.x[s] += B[s * m + active[j]] * p;',
    replace: 'this.x[s] += 0.5 * B[s * m + active[j]] * p;',
    killedBy: 'charges',
  },
  {
    name: 'network-state-stays',
    slip: 'the state does not jump although the impulse is recorded',
    module: `${NETWORK}network-events`,
    find: 'for (let i = 0; i < x.length; i++) x[i] = decision.x[i];',
    replace: '',
    killedBy: 'charges',
  },
  {
    name: 'network-first-order-only',
    slip: 'sides are known by values, and not by how they change',
    module: `${NETWORK}network-decision`,
    find: 'if (Math.abs(this.#y[k][row]) > this.#zeros[k] * this.#yTerms[k][row])',
    replace: 'if (Math.abs(this.#y[k][row]) > 1e99 * this.#yTerms[k][row])',
    killedBy: 'rest',
  },
  {
    name: 'network-derivatives-undone',
    slip: 'derivatives of sources are those of their values',
    module: `${NETWORK}network-sources`,
    find: 'known.derive();\n        bTerms',
    replace: 'bTerms',
    killedBy: 'snubbers',
  },
  {
    name: 'network-creeps',
    slip: 'a current that creeps past zero is looked for where it is already',
    module: '@engine/event-driven/rows/row-events',
    find: 'Math.max(this.#shift(zeroForce[row], largest), BEYOND * this.#beyond(row))',
    replace: 'this.#shift(zeroForce[row], largest)',
    killedBy: 'creeping',
  },
];
