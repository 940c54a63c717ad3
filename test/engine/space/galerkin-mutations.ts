/** Slips that steps of 3D bodies with contact forces invite, as changes of the engine's own code. */
import type { Mutation } from '../../support/mutation';
import type { checks } from './galerkin-mutant-checks';

export type GalerkinMutation = Mutation<keyof typeof checks>;

const STEPS = '@engine/contact-dynamics/schemes/galerkin-steps';
const STAGE = '@engine/contact-dynamics/schemes/stage-problem';
const CERTIFICATE = '@engine/contact-dynamics/certificate/galerkin-check';

export const galerkinMutations: readonly GalerkinMutation[] = [
  {
    name: 'bodies-without-gyroscopic-term',
    slip: 'accelerations of both ends without Ω×I Ω',
    module: STEPS,
    find: 'system.addGyroscopic(u, a);',
    replace: '',
    killedBy: 'top',
  },
  {
    name: 'bodies-moved-by-the-first-velocity',
    slip: 'positions by the velocity of the start',
    module: STEPS,
    find: 'mean[i] = 0.5 * (u[i] + reached[i]);',
    replace: 'mean[i] = u[i];',
    killedBy: 'joint',
  },
  {
    name: 'bodies-with-rows-ahead',
    slip: 'forces of the start act on v⁻ as joints are near the end',
    module: STEPS,
    find: 'const rows = this.#turns ? q : this.predicted;',
    replace: 'const rows = this.predicted;',
    killedBy: 'joint',
  },
  {
    name: 'bodies-with-impulses-that-do-not-turn',
    slip: 'forces of the start act on v⁻ along normals near the end',
    module: STEPS,
    find: 'turnBetween(left.frames.axes, axis, startFrames.axes, axis, impulse);',
    replace: '',
    killedBy: 'dome',
  },
  {
    name: 'bodies-with-the-whole-first-force',
    slip: 'v⁻ with p⁺ in place of half of it',
    module: STEPS,
    find: 'this.#addStart(0.5, leftLimit);',
    replace: 'this.#addStart(1, leftLimit);',
    killedBy: 'recorded',
  },
  {
    name: 'bodies-whose-contacts-have-forces-in-their-impact',
    slip: 'a contact that was open has a force in the step in which it closes',
    module: STEPS,
    find: 'return known >= 0 && this.stays[known] === 1 && this.isSame(place);',
    replace: 'return known >= 0;',
    killedBy: 'bounce',
  },
  {
    name: 'bodies-whose-forces-are-not-recorded',
    slip: 'the recorded impulse is that of the impact',
    module: STEPS,
    find: 'add(contacts.materials[active.contacts[row]], part * impulses[at], part * tangential);',
    replace: '',
    killedBy: 'recorded',
  },
  {
    name: 'bodies-without-friction-in-stages',
    slip: 'forces of contacts without friction',
    module: STAGE,
    find: '.friction;',
    replace: '.friction * 0;',
    killedBy: 'dome',
  },
  {
    name: 'bodies-certified-with-one-end',
    slip: 'the certificate takes loads of the start for the whole step',
    module: CERTIFICATE,
    find: '0.5 * h * (this.#first[i] + this.#second[i])',
    replace: 'h * this.#first[i]',
    killedBy: 'top',
  },
  {
    name: 'bodies-certified-at-the-end',
    slip: 'the certificate lets p⁺ act where the step ends',
    module: CERTIFICATE,
    find: 'const place = isAhead ? predicted : start;',
    replace: 'const place = uncorrected;',
    killedBy: 'joint',
  },
];
