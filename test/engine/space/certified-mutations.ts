/**
 * What a scheme for 3D bodies may leave out of its step, as changes of the engine's own code: its own
 * equations hold all the same, and only a certificate that asks for itself sees it.
 */
import type { Mutation } from '../../support/mutation';
import type { checks } from './certified-mutant-checks';

export type CertifiedMutation = Mutation<keyof typeof checks>;

const DYNAMICS = '@engine/contact-dynamics/';
const ACTIVE = `${DYNAMICS}contacts/active-frames`;
const KINEMATIC = `${DYNAMICS}contacts/kinematic-bodies`;
const JOINTS = `${DYNAMICS}joint-rows`;
const STEPS = `${DYNAMICS}schemes/galerkin-steps`;
const THETA = `${DYNAMICS}schemes/moreau-jean`;

export const certifiedMutations: readonly CertifiedMutation[] = [
  {
    name: 'contacts-never-take-part',
    slip: 'a closed contact has no row, by half steps',
    module: ACTIVE,
    find: 'const place = contacts.places[c];\n    this.#reservePlace(place);',
    replace: 'const place = contacts.places[c];\n    this.#reservePlace(place);\n    if (place >= 0) return;',
    killedBy: 'halfSteps',
  },
  {
    name: 'contacts-come-a-centimetre-late',
    slip: 'a contact has a row as soon as it overlaps by a centimetre, by the θ-method',
    module: ACTIVE,
    find: 'gap > slack &&',
    replace: 'gap > slack - 0.01 &&',
    killedBy: 'theta',
  },
  {
    name: 'contacts-come-a-centimetre-early',
    slip: 'a contact has a row before it closes',
    module: ACTIVE,
    find: 'gap > slack &&',
    replace: 'gap > slack + 0.01 &&',
    killedBy: 'halfSteps',
  },
  {
    name: 'contacts-without-forecast',
    slip: 'a contact has a row when it is closed and not when it is going to be',
    module: THETA,
    find: 'this.forecast = forecast;',
    replace: 'this.forecast = 0;',
    killedBy: 'theta',
  },
  {
    name: 'impacts-of-galerkin-steps-left-out',
    slip: 'the impact of a Galerkin step has no rows',
    module: ACTIVE,
    find: 'gap > Math.max(this.scheme.closedGap, rounding)) return;',
    replace: "(gap > Math.max(this.scheme.closedGap, rounding) || 'part' in this.scheme)) return;",
    killedBy: 'galerkin',
  },
  {
    name: 'forces-kept-that-are-to-be-dropped',
    slip: 'a Galerkin step keeps its forces though a contact closes',
    module: STEPS,
    find: "this.settings.besideImpacts === 'dropped' && this.#closes()",
    replace: 'false',
    killedBy: 'dropped',
  },
  {
    name: 'forces-dropped-for-nothing',
    slip: 'a Galerkin step drops its forces though no contact closes',
    module: STEPS,
    find: "this.settings.besideImpacts === 'dropped' && this.#closes()",
    replace: "this.settings.besideImpacts === 'dropped'",
    killedBy: 'dropped',
  },
  {
    name: 'no-contact-stays',
    slip: 'a Galerkin step lets each closed contact have an impact, and none a force',
    module: STEPS,
    find: 'this.stays[c] = begun.gap(c) <= closedGap &&',
    replace: 'this.stays[c] = begun.gap(c) <= -1 &&',
    killedBy: 'dropped',
  },
  {
    name: 'contacts-forgotten-over-a-step',
    slip: 'a Galerkin step knows none of the contacts it begins with',
    module: STEPS,
    find: 'const { begun, noise, closedGap } = this;',
    replace: 'this.begun.count = 0;\n    const { begun, noise, closedGap } = this;',
    killedBy: 'dropped',
  },
  {
    name: 'contacts-of-two-bodies-left-out',
    slip: 'a contact of two bodies that move has no row',
    module: ACTIVE,
    find: 'let frame = this.#frameOf[place];',
    replace: 'let frame = this.#frameOf[place];\n    if (contacts.bodies[2 * c] >= 0) return;',
    killedBy: 'balls',
  },
  {
    name: 'bonds-not-held',
    slip: 'a cohesive contact has no row once it has opened',
    module: ACTIVE,
    find: 'if (isHeld && contacts',
    replace: 'if (isHeld && h < 0 && contacts',
    killedBy: 'cohesive',
  },
  {
    name: 'springs-not-held',
    slip: 'an adhesive contact has no row once it has been stretched',
    module: ACTIVE,
    find: 'if (adhesion !== undefined) return this.adhesion.holds(frame);',
    replace: 'if (adhesion !== undefined) return false;',
    killedBy: 'adhesive',
  },
  {
    name: 'springs-of-the-last-step',
    slip: 'a compliant contact has a row only when it overlaps',
    module: ACTIVE,
    find: 'anticipates && contacts',
    replace: 'anticipates && h < 0 && contacts',
    killedBy: 'compliant',
  },
  {
    name: 'no-moments',
    slip: 'a contact has no rows of rolling and spinning friction',
    module: ACTIVE,
    find: 'const has = numbers[KINDS * material + kind] > 0;',
    replace: 'const has = numbers[KINDS * material + kind] > 1e9;',
    killedBy: 'moments',
  },
  {
    name: 'stops-never-closed',
    slip: 'joints have no stops',
    module: JOINTS,
    find: 'return h <= slack;',
    replace: 'return h <= slack - 9;',
    killedBy: 'stop',
  },
  {
    name: 'joint-friction-not-listed',
    slip: 'joints have no dry friction',
    module: JOINTS,
    find: '.filter(({ bound }) => bound > 0)',
    replace: '.filter(({ bound }) => bound > 1e9)',
    killedBy: 'friction',
  },
  {
    name: 'motors-not-listed',
    slip: 'joints have no motors with a bound',
    module: JOINTS,
    find: 'motor.limit > 0 &&',
    replace: 'motor.limit > 1e9 &&',
    killedBy: 'motor',
  },
  {
    name: 'motors-at-rest',
    slip: 'motors hold their joint',
    module: JOINTS,
    find: 'new MotorRow(joint, coordinate, limit, speed)',
    replace: 'new MotorRow(joint, coordinate, limit, 0 * speed)',
    killedBy: 'motor',
  },
  {
    name: 'no-stop-in-forces',
    slip: 'joints have no stops in the forces of Galerkin steps',
    module: JOINTS,
    find: '...joints.flatMap(({ limits, restitution }, joint) =>\n      limits.map(',
    replace: '...joints.flatMap(({ limits, restitution }, joint) =>\n      limits.slice(9).map(',
    killedBy: 'stopForce',
  },
  {
    name: 'no-joint-friction-in-forces',
    slip: 'joints have no dry friction in the forces of Galerkin steps',
    module: JOINTS,
    find: '.filter(({ bound }) => bound > 0)',
    replace: '.filter(({ bound }) => bound > 1e9)',
    killedBy: 'frictionForce',
  },
  {
    name: 'no-motor-in-forces',
    slip: 'joints have no motors with a bound in the forces of Galerkin steps',
    module: JOINTS,
    find: 'motor.limit > 0 &&',
    replace: 'motor.limit > 1e9 &&',
    killedBy: 'motorForce',
  },
  {
    name: 'motors-at-rest-in-forces',
    slip: 'motors hold their joint in Galerkin steps',
    module: JOINTS,
    find: 'new MotorRow(joint, coordinate, limit, speed)',
    replace: 'new MotorRow(joint, coordinate, limit, 0 * speed)',
    killedBy: 'motorForce',
  },
  {
    name: 'stops-that-do-not-spring-back',
    slip: 'stops have no restitution',
    module: JOINTS,
    find: 'new LimitRow(joint, limit, restitution)',
    replace: 'new LimitRow(joint, limit, 0 * restitution)',
    killedBy: 'stop',
  },
  {
    name: 'tables-that-stop',
    slip: 'what moves as prescribed is at rest at the end of the step',
    module: KINEMATIC,
    find: 'motion.velocity(time, this.after, VELOCITIES * k);',
    replace: '',
    killedBy: 'table',
  },
  {
    name: 'belts-at-rest',
    slip: 'belts do not carry what lies on them along',
    module: KINEMATIC,
    find: 'motion.slide(time, this.slidesAfter, 3 * k);',
    replace: '',
    killedBy: 'belt',
  },
];
