/** Slips in the laws for several impacts at once, as changes of the engine's own code. */
import type { Mutation } from '../../support/mutation';
import type { checks } from './mutant-checks';

export type ImpactMutation = Mutation<keyof typeof checks>;

const ROWS = '@engine/impacts/impact-rows';
const SEQUENTIAL = '@engine/impacts/sequential';
const SIMULTANEOUS = '@engine/impacts/simultaneous';
const ENERGIES = '@engine/impacts/contact-energies';
const STEP = '@engine/impacts/contact-energies';
const ENERGETIC = '@engine/impacts/energetic';
const ENDS = '@engine/impacts/energetic';

export const impactMutations: readonly ImpactMutation[] = [
  {
    name: 'impacts-velocity-of-the-impulse',
    slip: 'v⁺ = v⁻ − M⁻¹ ᵗH P',
    module: ROWS,
    find: 'velocity[k] += p * responses',
    replace: 'velocity[k] -= p * responses',
    killedBy: 'sequential',
  },
  {
    name: 'impacts-order-descending',
    slip: 'contacts swept from the last row',
    module: SEQUENTIAL,
    find: 'for (let i = 0; i < m; i++) {\n      if (!(y[i] < -rest))',
    replace: 'for (let i = m - 1; i >= 0; i--) {\n      if (!(y[i] < -rest))',
    killedBy: 'sequential',
  },
  {
    name: 'impacts-one-sweep',
    slip: 'one sweep only',
    module: SEQUENTIAL,
    find: 'return result.count > first',
    replace: 'return result.count < first',
    killedBy: 'sequential',
  },
  {
    name: 'impacts-newton-without-the-one',
    slip: 'e ẏ⁻ for (1 + e) ẏ⁻',
    module: SIMULTANEOUS,
    find: '(1 + this.restitution[i]) * y[i]',
    replace: 'this.restitution[i] * y[i]',
    killedBy: 'newton',
  },
  {
    name: 'impacts-newton-with-separating-contacts',
    slip: 'contacts that separate take part in Newton’s law',
    module: SIMULTANEOUS,
    find: 'if (y[i] > rest) continue;',
    replace: '',
    killedBy: 'newton',
  },
  {
    name: 'impacts-poisson-without-expansion',
    slip: 'no expansion',
    module: SIMULTANEOUS,
    find: 'if (!hasExpansion) return true;',
    replace: 'return hasExpansion || true;',
    killedBy: 'poisson',
  },
  {
    name: 'impacts-released-by-e',
    slip: 'e* for e*² in the release of energy',
    module: ENERGIES,
    find: '1 / (e * e)',
    replace: '1 / e',
    killedBy: 'lossy',
  },
  {
    name: 'impacts-loss-in-compression',
    slip: 'release factor in both phases',
    module: ENERGIES,
    find: 'mode[i] === COMPRESSION ? -y :',
    replace: 'mode[i] === COMPRESSION ? -y * this.#release[i] :',
    killedBy: 'lossy',
  },
  {
    name: 'impacts-exponent-of-the-energy',
    slip: 'E^(1/η) for E^(1/(η+1))',
    module: ENERGIES,
    find: 'this.#exponents[1] = 1 / (exponent + 1)',
    replace: 'this.#exponents[1] = 1 / exponent',
    killedBy: 'elastic',
  },
  {
    name: 'impacts-stiffness-left-out',
    slip: 'ratios of impulses without ratios of stiffnesses',
    module: ENERGIES,
    find: 'this.#stiffness[i] = stiffness[i] / largest',
    replace: 'this.#stiffness[i] = 1',
    killedBy: 'elastic',
  },
  {
    name: 'impacts-tableau',
    slip: 'a_53 of the pair with the other sign',
    module: STEP,
    find: '64448 / 6561, -212 / 729',
    replace: '64448 / 6561, 212 / 729',
    killedBy: 'elastic',
  },
  {
    name: 'impacts-primary-of-least-energy',
    slip: 'the first contact with energy stays primary',
    module: ENERGETIC,
    find: 'if (!(energy > largest)) continue;',
    replace: 'if (best >= 0) continue;',
    killedBy: 'plastic',
  },
  {
    name: 'impacts-released-one-by-one',
    slip: 'contacts that are released together are waited for below rounding',
    module: ENDS,
    find: 'isReleased || left <= GIVEN * this.x[i]',
    replace: 'isReleased || left < 0',
    killedBy: 'together',
  },
  {
    name: 'impacts-start-by-speeds',
    slip: 'first impulses in proportion to speeds, without stiffnesses',
    module: ENERGETIC,
    find: 'velocities[i] < 0 ? energies.initialRatio(i) : 0',
    replace: 'velocities[i] < 0 ? -velocities[i] : 0',
    killedBy: 'start',
  },
  {
    name: 'impacts-plastic-keeps-energy',
    slip: 'energy of a plastic contact is not lost',
    module: ENDS,
    find: 'energies.isPlastic(i) || ',
    replace: '',
    killedBy: 'plastic',
  },
  {
    name: 'impacts-no-second-compression',
    slip: 'a contact that expands is not compressed again',
    module: ENDS,
    find: 'return mode[i] === OPEN ? y : Math.min(y, x[m + i]);',
    replace: 'return mode[i] === OPEN ? y : x[m + i];',
    killedBy: 'lossy',
  },
  {
    name: 'impacts-work-of-the-last-compression',
    slip: 'energy left from an expansion counted as work again',
    module: ENDS,
    find: 'this.work[i] += this.#energy(i) - this.#stored[i]',
    replace: 'this.work[i] += this.#energy(i)',
    killedBy: 'lossy',
  },
];
