/** Slips that steps of 3D bodies with contact forces invite, as changes of the engine's own code. */
import type { Mutation } from '../../support/mutation';
import type { checks } from './galerkin-mutant-checks';

export type GalerkinMutation = Mutation<keyof typeof checks>;

const STEPS = '@engine/contact-dynamics/schemes/galerkin-steps';
const STAGE = '@engine/contact-dynamics/schemes/stage-problem';
const DRIFT = '@engine/contact-dynamics/schemes/contact-drift';
const MOBILITY = '@engine/contact-dynamics/mobility';
const DRIFT_CHECK = '@engine/contact-dynamics/certificate/drift-check';
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
  {
    name: 'bodies-accelerated-without-curvature',
    slip: 'accelerations of contacts without γ',
    module: DRIFT,
    find: 'isSame ? values[i] / (2 * delta) : 0',
    replace: '0',
    killedBy: 'bent',
  },
  {
    name: 'bodies-whose-normals-do-not-turn',
    slip: 'velocities beside a contact are not turned back with its normal',
    module: DRIFT,
    find: 'turnBetween(list.geometry, GEOMETRY * there + 3, contacts.geometry, GEOMETRY * c + 3, velocity);',
    replace: '',
    killedBy: 'bent',
  },
  {
    name: 'joints-accelerated-without-curvature',
    slip: 'accelerations of joints without γ',
    module: MOBILITY,
    find: 'for (let r = 0; r < targets.length; r++) targets[r] *= time;',
    replace: 'targets.fill(0 * time);',
    killedBy: 'hung',
  },
  {
    name: 'bodies-that-slide-by-accelerations',
    slip: 'friction from accelerations does not know of velocities',
    module: STAGE,
    find: 'this.#work[to + a] + ahead * dot(',
    replace: 'ahead * dot(',
    killedBy: 'sliding',
  },
  {
    name: 'joints-that-slip-by-accelerations',
    slip: 'dry friction of joints from accelerations does not know of velocities',
    module: STAGE,
    find: 'jointRows.rate(row, base) - ahead * this.#gamma[0]',
    replace: '-ahead * this.#gamma[0]',
    killedBy: 'slipping',
  },
  {
    name: 'bodies-kept-for-ever',
    slip: 'what springs back has a force from accelerations',
    module: STEPS,
    find: 'this.#rests(rate) || this.#isKept(begun, c, q, rate, begun.pushed[c])',
    replace: 'true',
    killedBy: 'thrown',
  },
  {
    name: 'tables-that-stand-still',
    slip: 'forces do not know of what is prescribed',
    module: STAGE,
    find: 'problem.q[DIMENSION * row + a] += this.#carriedAlong(frames, row, a);',
    replace: 'problem.q[DIMENSION * row + a] += 0;',
    killedBy: 'carried',
  },
  {
    name: 'tables-of-the-start',
    slip: 'contacts at the end of a step are looked for where tables were at its start',
    module: STEPS,
    find: 'const found = this.#look(to[0], q, TO_SECOND);',
    replace: 'const found = this.#look(from[0], q, TO_SECOND);',
    killedBy: 'carried',
  },
  {
    name: 'bodies-certified-without-curvature',
    slip: 'the certificate forms no γ of contacts',
    module: DRIFT_CHECK,
    find: 'if (!drift.isRead) return;',
    replace: 'return;',
    killedBy: 'bent',
  },
];
