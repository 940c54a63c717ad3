/** Slips that the notes print or invite, as changes of the engine's own code. */
import type { Mutation } from '../../support/mutation';
import type { checks } from './mutant-checks';

export type MultibodyMutation = Mutation<keyof typeof checks>;

const PIVOTING = '@engine/linalg/full-pivoting';
const REDUCED = '@engine/multibody/reduced';

export const multibodyMutations: readonly MultibodyMutation[] = [
  {
    name: 'second-pivot-swaps-rows-1-and-3',
    slip: '“swap rows 1 and 3” at the second pivot of the 3 × 3 example, where 2 and 3 are meant',
    module: PIVOTING,
    find: 'this.#exchangeRows(k, row);',
    replace: 'this.#exchangeRows(k === 1 ? 0 : k, row);',
    killedBy: 'worked3by3',
  },
  {
    name: 'no-pivot-in-the-last-row',
    slip: '`gefp` only normalises the last row',
    module: PIVOTING,
    find: "if (k < rows - 1 || lastRow === 'full')",
    replace: 'if (k < rows - 1)',
    killedBy: 'bestCondition',
  },
  {
    name: 'no-centripetal-terms',
    slip: 'γ without (Φ_q q̇)_q q̇',
    module: '@engine/multibody/rows',
    find: 'out[row] = first.centripetal[0] - second.centripetal[0];',
    replace: 'out[row] = 0 * first.centripetal[0] - 0 * second.centripetal[0];',
    killedBy: 'barEnergy',
  },
  {
    name: 'no-mixed-derivative',
    slip: 'γ without 2 Φ_qt q̇',
    module: '@engine/multibody/rows',
    find: '(2 * (x * vx + y * vy) * stretching) / length -',
    replace: '(0 * (x * vx + y * vy) * stretching) / length -',
    killedBy: 'telescope',
  },
  {
    name: 'baumgarte-without-the-two',
    slip: 'γ − α Φ̇ − β² Φ',
    module: '@oracles/planar/index-reduced',
    find: 'gamma[r] -= 2 * alpha',
    replace: 'gamma[r] -= alpha',
    killedBy: 'criticalDecay',
  },
  {
    name: 'plus-h',
    slip: 'H = +Φ_u⁻¹ Φ_v',
    module: REDUCED,
    find: 'column[r] = -jacobian[r * size + independent[f]];',
    replace: 'column[r] = jacobian[r * size + independent[f]];',
    killedBy: 'partitioningsAgree',
  },
  {
    name: 'no-mass-times-gamma',
    slip: 'right side without (M_vu + ᵗH M_uu) Φ_u⁻¹ γ',
    module: REDUCED,
    find: 'rest -= entry * start[j];',
    replace: 'rest -= 0 * entry * start[j];',
    killedBy: 'partitioningsAgree',
  },
  {
    name: 'velocity-without-phi-t',
    slip: 'Φ_u u̇ = −Φ_v v̇',
    module: '@engine/multibody/reduced',
    find: 'let sum = -right[r];',
    replace: 'let sum = 0 * right[r];',
    killedBy: 'telescope',
  },
];
