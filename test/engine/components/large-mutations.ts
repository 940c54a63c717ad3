/** Slips in the steps of large networks, as changes of the engine's own code. */
import type { Mutation } from '../../support/mutation';
import type { checks } from './large-checks';

const STEPS = '@engine/time-stepping/network-stepping';

export const largeMutations: readonly Mutation<keyof typeof checks>[] = [
  {
    name: 'large-conducts-backwards',
    slip: 'a diode goes on conducting where its current has turned',
    module: STEPS,
    find: 'if (value < this.#lower[row] - zero) next[row] = LOWER;',
    replace: 'if (value < this.#lower[row] - 1e9) next[row] = LOWER;',
    killedBy: 'diodes',
  },
  {
    name: 'large-never-conducts',
    slip: 'a diode that blocks does so whatever its voltage',
    module: STEPS,
    find: 'if (mode === LOWER ? y < -ROUNDING * terms : y > ROUNDING * terms) next[row] = ACTIVE;',
    replace: '',
    killedBy: 'diodes',
  },
  {
    name: 'large-stale-factors',
    slip: 'the factors of the first modes are kept for all',
    module: STEPS,
    find: 'if (isSame) return;',
    replace: 'if (this.#isFactored) return;',
    killedBy: 'diodes',
  },
  {
    name: 'large-sources-without-theta',
    slip: 'the sources at the end of the step count for the whole of it',
    module: STEPS,
    find: 'h * this.#theta * this.#source[i];',
    replace: 'h * this.#source[i];',
    killedBy: 'sources',
  },
  {
    name: 'large-rates-without-theta',
    slip: 'rates at the start of the step count for the whole of it',
    module: STEPS,
    find: 'h * (1 - this.#theta) * this.#rate[i]',
    replace: 'h * this.#rate[i]',
    killedBy: 'sources',
  },
  {
    name: 'large-open-switches-conduct',
    slip: 'switches that are open take part like those that are closed',
    module: STEPS,
    find: 'if (this.#presence?.rows[row] === 0) modes[row] = ABSENT;\n      else if',
    replace: 'if',
    killedBy: 'switches',
  },
  {
    name: 'large-multipliers-late',
    slip: 'the multipliers are those of the step before',
    module: STEPS,
    find: 'for (let row = 0; row < this.#m; row++) this.#lambda[row] = this.#solution[n + row];',
    replace: '',
    killedBy: 'diodes',
  },
  {
    name: 'large-inputs-doubled',
    slip: 'what multipliers put into states counts twice',
    module: STEPS,
    find: 'this.#addRow(i, B, i, n, -h);',
    replace: 'this.#addRow(i, B, i, n, -2 * h);',
    killedBy: 'diodes',
  },
];
