/** Misprints of the source documents, as changes of the engine's own code. */

export interface Mutation {
  name: string;
  /** what was printed, and where */
  misprint: string;
  /** module under test, as imports name it */
  module: string;
  /** text that stands in the module exactly once */
  find: string;
  replace: string;
  /** check that must fail, see `checks.ts` */
  killedBy: 'newtonStep' | 'linearStep' | 'lagrangianStep';
}

const EULER = '@engine/integrators/euler-moreau';
const ROWS = '@engine/time-stepping/rows';
const DELASSUS = '@engine/time-stepping/delassus';
const LINEAR = '@engine/integrators/moreau-jean-linear';

export const mutations: readonly Mutation[] = [
  {
    name: 'plus-residual',
    misprint: '+W⁻¹R_free in the lines after (8.8) and (8.31)',
    module: EULER,
    find: 'rhs[at + i] = context.inputOffset[dof + i] - rhs[at + i]',
    replace: 'rhs[at + i] = context.inputOffset[dof + i] + rhs[at + i]',
    killedBy: 'newtonStep',
  },
  {
    name: 'no-input-of-the-start',
    misprint: 'x_free without h(1−θ_r) r_k, boxed after (8.8)',
    module: EULER,
    find: '- h * (1 - thetaR) * input0[dof + i]',
    replace: '',
    killedBy: 'newtonStep',
  },
  {
    name: 'h-for-h-theta-r',
    misprint: 'h for hθ_r, in (8.18)–(8.22), (8.44) and the lines after (8.8)',
    module: EULER,
    find: 'return this.context.h[0] * this.thetaR;',
    replace: 'return this.context.h[0];',
    killedBy: 'newtonStep',
  },
  {
    name: 'minus-w',
    misprint: 'y = −W λ + b, (8.23) and (8.47)',
    module: DELASSUS,
    find: 'operator.values[this.#entriesByColumn[k]] = sum;',
    replace: 'operator.values[this.#entriesByColumn[k]] = -sum;',
    killedBy: 'linearStep',
  },
  {
    name: 'no-state-input',
    misprint: 'K̃ left out of (8.17)',
    module: EULER,
    find: 'values[k] -= stateInput[k]',
    replace: 'values[k] -= 0 * stateInput[k]',
    killedBy: 'newtonStep',
  },
  {
    name: 'iterate-on-the-left',
    misprint: 'x_p − x^α for x_p on the left of (8.40)',
    module: ROWS,
    find: 'rest -= C[r * columns + k] * end;',
    replace: 'rest -= 2 * C[r * columns + k] * end;',
    killedBy: 'newtonStep',
  },
  {
    name: 'no-feedthrough',
    misprint: 'CWB for D + hCWB, §2.3.3',
    module: DELASSUS,
    find: 'operator.values[place] += values[k];',
    replace: 'operator.values[place] += 0 * values[k];',
    killedBy: 'linearStep',
  },
  {
    name: 'h-before-w-of-an-impulse',
    misprint: 'the warning at the end of §2.2: h before W where λ is an impulse',
    module: LINEAR,
    find: "return multiplier === 'impulse' ? 1 : this.context.h[0];",
    replace: 'return this.context.h[0];',
    killedBy: 'lagrangianStep',
  },
  {
    name: 'iteration-matrix-of-the-first-order',
    misprint: 'W given by (2.12), which is that of first-order systems',
    module: LINEAR,
    find: 'this.#weights[2] = h * theta * (h * theta);',
    replace: 'this.#weights[2] = 0;',
    killedBy: 'lagrangianStep',
  },
];
