/**
 * What the Siconos developer's notes §12 leave out, leave undefined or invite, as changes of the engine's own
 * code.
 */
import type { Mutation } from '../../../support/mutation';
import type { checks } from './mutant-checks';

export type OneContactMutation = Mutation<keyof typeof checks>;

const DIRECTIONS = '@engine/solvers/one-contact/slip-directions';
const SOLUTIONS = '@engine/solvers/one-contact/contact-solutions';

export const oneContactMutations: readonly OneContactMutation[] = [
  {
    name: 'no-root-at-infinity',
    slip: 'no θ = π, the infinite root of (12.18) when A = E',
    module: DIRECTIONS,
    find: 'origin = k;',
    replace: 'origin = 0;',
    killedBy: 'slipAlongAxis',
  },
  {
    name: 'either-branch-of-the-conic',
    slip: 'r of either sign, which the square in (12.3) admits',
    module: SOLUTIONS,
    find: 'if (!(normal > 0 && normal < Infinity)) return;\n    // Forces so large',
    replace: 'if (!(Math.abs(normal) < Infinity)) return;\n    // Forces so large',
    killedBy: 'pushesOnly',
  },
  {
    name: 'unsigned-p',
    slip: 'p = μ |q₁|/M₁₁ in (12.5), “a simple expression”',
    module: DIRECTIONS,
    find: 'const qN = q[0];',
    replace: 'const qN = -Math.abs(q[0]);',
    killedBy: 'threeSolutions',
  },
  {
    name: 'angle-of-the-directrix',
    slip: 'φ the angle of the directrix in (12.5), not of its normal',
    module: DIRECTIONS,
    find: 'const c1 = M[at + 1];\n    const c2 = M[at + 2];',
    replace: 'const c1 = -M[at + 2];\n    const c2 = M[at + 1];',
    killedBy: 'threeSolutions',
  },
  {
    name: 'a-of-the-other-sign',
    slip: 'a = V M̃₁/μ in (12.10), which does not say',
    module: DIRECTIONS,
    find: 'const m1 = M[at + 3];\n    const m2 = M[at + 6];',
    replace: 'const m1 = -M[at + 3];\n    const m2 = -M[at + 6];',
    killedBy: 'coupledSlide',
  },
  {
    name: 'a-without-mu',
    slip: 'a = −V M̃₁ in (12.10), without 1/μ',
    module: DIRECTIONS,
    find: 'const m1 = M[at + 3];\n    const m2 = M[at + 6];',
    replace: 'const m1 = mu * M[at + 3];\n    const m2 = mu * M[at + 6];',
    killedBy: 'coupledSlide',
  },
  {
    name: 'mobility-of-the-other-sign',
    slip: 'd₂ − d₁ for d₁ − d₂ in C of (12.16)',
    module: DIRECTIONS,
    find: 'qN * (M[at + 4] - M[at + 8])',
    replace: 'qN * (M[at + 8] - M[at + 4])',
    killedBy: 'coupledSlide',
  },
  {
    name: 'no-coupling-of-the-tangents',
    slip: 'd₁, d₂ taken from M̃ without turning the axes to its own, after (12.6)',
    module: DIRECTIONS,
    find: 'coefficients[0] = mu * (c1 * q2 - qN * M[at + 7]);',
    replace: 'coefficients[0] = mu * c1 * q2;',
    killedBy: 'coupledSlide',
  },
  {
    name: 'alpha-of-any-sign',
    slip: 'α not compared with 0: friction that drives the slip',
    module: SOLUTIONS,
    find: 'if (slip[count] > rounding) {',
    replace: 'if (Math.abs(slip[count]) > rounding) {',
    killedBy: 'coupledSlide',
  },
  {
    name: 'alpha-of-the-first-component',
    slip: 'α always from the first line of (12.10): 0/0 where R̄_T1 = a₁ = q̄₁ = 0',
    module: SOLUTIONS,
    find: 'const slip = -(n1 * (q[1] + g1 * normal) + n2 * (q[2] + g2 * normal));',
    replace: 'const slip = -(q[1] + g1 * normal) / n1;',
    killedBy: 'slipAcrossAxis',
  },
  {
    name: 'no-take-off',
    slip: 'sliding only, as in the title of the section: no take-off',
    module: SOLUTIONS,
    find: 'if (q[0] >= 0)',
    replace: 'if (q[0] > Infinity)',
    killedBy: 'threeSolutions',
  },
  {
    name: 'no-stick',
    slip: 'sliding only, as in the title of the section: no sticking',
    module: SOLUTIONS,
    find: 'if (!stick.exists) return;',
    replace: 'if (stick.exists) return;',
    killedBy: 'threeSolutions',
  },
];
