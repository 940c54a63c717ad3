/** Slips that steps with contact forces invite, as changes of the engine's own code. */
import type { Mutation } from '../../support/mutation';
import type { checks } from './force-mutant-checks';

export type ForceMutation = Mutation<keyof typeof checks>;

const STAGES = '@engine/time-stepping/force-stages';
const CERTIFICATE = '@engine/time-stepping/certificate/d1-minus-linear';
const CONTACTS = '@engine/time-stepping/certificate/stage-contacts';

export const forceMutations: readonly ForceMutation[] = [
  {
    name: 'forces-in-steps-with-impacts',
    slip: 'steps with an impact keep the force of their start',
    module: STAGES,
    find: 'leftLimit[i] = start[i] + 0.5 * h * (free[i] + end[i]);',
    replace: 'leftLimit[i] += 0.5 * h * end[i];',
    killedBy: 'corner',
  },
  {
    name: 'positions-by-the-first-velocity',
    slip: 'positions by the velocity of the start, as printed in a comment of the reference program',
    module: STAGES,
    find: 'state[q + i] = start[q + i] + 0.5 * h * (start[v + i] + after);',
    replace: 'state[q + i] = start[q + i] + h * start[v + i];',
    killedBy: 'book',
  },
  {
    name: 'directions-of-the-end',
    slip: 'forces of the start point as at the end',
    module: STAGES,
    find: "choices.direction !== 'predicted' && !rows.isConstant",
    replace: 'false',
    killedBy: 'velocities',
  },
  {
    name: 'no-curvature',
    slip: 'accelerations of contacts without Ċ v',
    module: STAGES,
    find: 'base[row + r] = gamma[r];',
    replace: 'base[row + r] = 0 * gamma[r];',
    killedBy: 'accelerations',
  },
  {
    name: 'contacts-that-are-not-kept',
    slip: 'a contact has a force by the threshold of ẏ alone',
    module: STAGES,
    find: 'rate[row] <= this.#kept * time',
    replace: 'rate[row] <= 0 * this.#kept * time',
    killedBy: 'keptContact',
  },
  {
    name: 'recorded-without-forces',
    slip: 'the recorded impulse is that of the impact',
    module: STAGES,
    find: '0.5 * left[row] + right[row] : half * (left[row] + right[row])',
    replace: '0 * left[row] : 0 * half * left[row]',
    killedBy: 'judged',
  },
  {
    name: 'certificate-with-one-end',
    slip: 'the certificate takes forces of the start for the whole step',
    module: CERTIFICATE,
    find: 'before[v + i] + 0.5 * step * (free0[v + i] + free1[v + i]) + forces',
    replace: 'before[v + i] + step * free0[v + i] + forces',
    killedBy: 'book',
  },
  {
    name: 'certificate-without-restitution',
    slip: 'the certificate compares with the velocity after the impact',
    module: CERTIFICATE,
    find: 'before += value * leftLimit[v + dofs[k]];',
    replace: 'before += value * state[v + dofs[k]];',
    killedBy: 'judged',
  },
  {
    name: 'certificate-of-open-contacts',
    slip: 'the certificate lets contacts have forces in steps with an impact',
    module: CONTACTS,
    find: 'hasImpact ? NONE : this.#hasRightForce',
    replace: 'hasImpact ? this.#hasRightForce : NONE',
    killedBy: 'judged',
  },
  {
    name: 'friction-of-accelerations-alone',
    slip: 'friction from accelerations does not know of velocities',
    module: STAGES,
    find: 'this.#slip(slips);',
    replace: '',
    killedBy: 'sliding',
  },
  {
    name: 'certificate-of-accelerations-alone',
    slip: 'the certificate judges friction from accelerations without velocities',
    module: CERTIFICATE,
    find: 'if (isSlip) sum += this.#slipOf(row + r, former !== null);',
    replace: '',
    killedBy: 'sliding',
  },
];
