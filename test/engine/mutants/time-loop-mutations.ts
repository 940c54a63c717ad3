/**
 * Errors of the time loop that only an independent certificate can see, as changes of the engine's own code.
 */

export interface TimeLoopMutation {
  readonly name: string;
  /** what the loop then does */
  readonly error: string;
  /** module under test, as imports name it */
  readonly module: string;
  /** text that stands in the module exactly once */
  readonly find: string;
  readonly replace: string;
}

const ONE_STEP = '@engine/time-stepping/one-step';
const MEMORY = '@engine/time-stepping/step-memory';

/**
 * Errors in which contacts take part, and in what restitution compares with, of contacts at velocity level.
 */
export const contactMutations: readonly TimeLoopMutation[] = [
  {
    name: 'leaves-closed-contact-out',
    error: 'leaves out a contact that has been closed for less than a centimetre',
    module: ONE_STEP,
    find: '<= limit ? 1 : 0',
    replace: '<= limit - 1e-2 ? 1 : 0',
  },
  {
    name: 'activates-open-contact',
    error: 'lets a contact take part that is open by less than a centimetre',
    module: ONE_STEP,
    find: '<= limit ? 1 : 0',
    replace: '<= limit + 1e-2 ? 1 : 0',
  },
  {
    name: 'forgets-the-forecast',
    error: 'waits until the gap is closed, where half a step is to be looked ahead',
    module: ONE_STEP,
    find: 'gap[row] + forecast[row] * h * gapVelocity[row] <=',
    replace: 'gap[row] <=',
  },
  {
    name: 'restitution-of-half-the-speed',
    error: 'compares with half the velocity before the step',
    module: MEMORY,
    find: '? yDot[row] :',
    replace: '? 0.5 * yDot[row] :',
  },
];

/** Errors in who is there, of interactions and parts of laws that come and go, and by what law. */
export const presenceMutations: readonly TimeLoopMutation[] = [
  {
    name: 'keeps-what-goes',
    error: 'lets an interaction act whose condition does not hold',
    module: '@engine/time-stepping/presence',
    find: 'this.#isNext(k, c, row)',
    replace: '1',
  },
  {
    name: 'waits-for-what-comes',
    error: 'leaves a constraint out that has come',
    module: ONE_STEP,
    find: 'active[row] = presence[row];',
    replace: 'active[row] = 0;',
  },
  {
    name: 'forgets-the-hysteresis',
    error: 'lets an interaction come back as soon as its condition is positive',
    module: '@engine/time-stepping/presence',
    find: 'isThereNext(rule, ',
    replace: 'isThereNext({ ...rule, hysteresis: 0 }, ',
  },
  {
    name: 'lets-r-act-on',
    error: 'hands on the r of an interaction that has gone',
    module: '@engine/time-stepping/time-stepping',
    find: '    presence.takeOut(this.#lambda);\n',
    replace: '',
  },
  {
    name: 'keeps-a-part',
    error: 'keeps the last row of what has gone',
    module: '@engine/time-stepping/presence',
    find: 'rows.fill(0, rules[k].first, rules[k].end)',
    replace: 'rows.fill(0, rules[k].first, rules[k].end - 1)',
  },
  {
    name: 'law-of-the-first-part',
    error: 'takes the law of the first row for all',
    module: '@engine/time-stepping/setup',
    find: '(_, k) => law.rows[k % law.size]',
    replace: '() => law.rows[0]',
  },
];

/** The same of the step that is written out for small models. */
export const writtenMutations: readonly TimeLoopMutation[] = [
  {
    name: 'writes-closed-contact-out',
    error: 'leaves out a contact that has been closed for less than a centimetre',
    module: ONE_STEP,
    find: '<= ${limit} ? 1 : 0',
    replace: '<= ${limit} - 1e-2 ? 1 : 0',
  },
  {
    name: 'writes-open-contact-in',
    error: 'lets a contact take part that is open by less than a centimetre',
    module: ONE_STEP,
    find: '<= ${limit} ? 1 : 0',
    replace: '<= ${limit} + 1e-2 ? 1 : 0',
  },
  {
    name: 'writes-half-the-speed',
    error: 'compares with half the velocity before the step',
    module: MEMORY,
    find: ': w.get(state, yDot + row)',
    replace: ": '0.5 * ' + w.get(state, yDot + row)",
  },
];

/** The same of a contact that always takes part, and of one at position level. */
export const alwaysMutation: TimeLoopMutation = {
  name: 'forgets-who-always-takes-part',
  error: 'lets a contact take part by its gap that always should',
  module: '@engine/time-stepping/setup',
  find: "activation !== 'always') return;",
  replace: "activation !== 'never') return;",
};
export const positionMutation: TimeLoopMutation = {
  name: 'restitution-of-the-present-position',
  error: 'compares with the position at the start of the step instead of the one before',
  module: MEMORY,
  find: ': this.#previousOutput[row];',
  replace: ': y[row];',
};

/** Errors in what Schatzman–Paoli records and starts from. */
const SCHATZMAN_PAOLI = '@engine/integrators/schatzman-paoli';
export const velocityMutations: readonly TimeLoopMutation[] = [
  {
    name: 'records-a-one-sided-difference',
    error: 'records (q⁺ − q)/h for the central difference',
    module: SCHATZMAN_PAOLI,
    find: '(state[q + dof + i] - previous[i]) / (2 * h);',
    replace: '(state[q + dof + i] - this.context.start[q + dof + i]) / h;',
  },
  {
    name: 'starts-without-acceleration',
    error: 'starts from q₀ − h v₀',
    module: SCHATZMAN_PAOLI,
    find: ' + 0.5 * h * h * rhs[i]',
    replace: '',
  },
];

/** Errors in friction: of its reduction to complementarity, and of when and with what it takes part. */
const FRICTION = '@engine/problems/law-reduction';
export const frictionMutations: readonly TimeLoopMutation[] = [
  {
    name: 'friction-pushes-one-way',
    error: 'adds the push along −t where it should subtract it',
    module: FRICTION,
    find: '[1, 2, -1],',
    replace: '[1, 2, 1],',
  },
  {
    name: 'friction-of-the-wrong-slip',
    error: 'answers a slip to the left like one to the right',
    module: FRICTION,
    find: '[2, 1, -1],',
    replace: '[2, 1, 1],',
  },
  {
    name: 'twice-the-cone',
    error: 'lets friction have twice its bound',
    module: FRICTION,
    find: '[3, 0, mu],',
    replace: '[3, 0, 2 * mu],',
  },
  {
    name: 'cone-without-one-side',
    error: 'forgets the push along +t in the bound',
    module: FRICTION,
    find: '[3, 1, -1],',
    replace: '[3, 1, 0],',
  },
  {
    name: 'cone-without-the-other-side',
    error: 'forgets the push along −t in the bound',
    module: FRICTION,
    find: '[3, 2, -1],',
    replace: '[3, 2, 0],',
  },
  {
    name: 'slides-without-speed',
    error: 'forgets the speed of a slip to the left',
    module: FRICTION,
    find: '[1, 3, 1],',
    replace: '[1, 3, 0],',
  },
  {
    name: 'cuts-friction-to-half-the-cone',
    error: 'cuts friction off at half its bound',
    module: '@engine/problems/law-reduction',
    find: 'this.#mu[k] * lambda[row - 1]',
    replace: '0.5 * this.#mu[k] * lambda[row - 1]',
  },
  {
    name: 'leaves-friction-out',
    error: 'leaves friction out when its contact takes part',
    module: ONE_STEP,
    find: 'active[row + f] = isActive;',
    replace: 'active[row + f] = 0;',
  },
  {
    name: 'friction-without-restitution',
    error: 'gives friction the restitution of its contact',
    module: '@engine/time-stepping/row-kinds',
    find: 'restitution: row.restitution };',
    replace: 'restitution: law.restitution ?? 0 };',
  },
];

export const timeLoopMutations: readonly TimeLoopMutation[] = [
  ...frictionMutations,
  ...contactMutations,
  ...presenceMutations,
  ...writtenMutations,
  alwaysMutation,
  positionMutation,
  ...velocityMutations,
];
