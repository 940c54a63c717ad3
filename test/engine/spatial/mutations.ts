/** Misprints and slips of the notes on 3D bodies, as changes of the engine's own code. */
import type { Mutation } from '../../support/mutation';
import type { checks } from './mutant-checks';

export type SpatialMutation = Mutation<keyof typeof checks>;

const QUATERNION = '@engine/spatial/quaternion';
const HALF_STEP = '@engine/contact-dynamics/schemes/half-steps';
const PROJECTION = '@engine/spatial/projection';

export const spatialMutations: readonly SpatialMutation[] = [
  {
    name: 'minus-q1-in-the-last-row',
    slip: 'Siconos developer’s notes §9.0.15: entry (4,3) of the quaternion matrix printed −q₁',
    module: QUATERNION,
    find: 'out[at + 3] = -q2 * x + q1 * y + q0 * z;',
    replace: 'out[at + 3] = -q2 * x - q1 * y + q0 * z;',
    killedBy: 'rateStaysOnTheSphere',
  },
  {
    name: 'minus-q1-turns-wrongly',
    slip: 'the same entry: Ṙ is no longer R skew(Ω)',
    module: QUATERNION,
    find: 'out[at + 3] = -q2 * x + q1 * y + q0 * z;',
    replace: 'out[at + 3] = -q2 * x - q1 * y + q0 * z;',
    killedBy: 'rateIsThatOfTheRotation',
  },
  {
    name: 'rate-without-the-half',
    slip: 'Q̇ = Q ∘ (0, Ω)',
    module: QUATERNION,
    find: 'const z = 0.5 * omega[omegaAt + 2];',
    replace: 'const z = omega[omegaAt + 2];',
    killedBy: 'rateIsThatOfTheRotation',
  },
  {
    name: 'cosine-minus-one',
    slip: "Euler–Rodrigues with (cos θ − 1), as in Siconos' sources",
    module: '@engine/spatial/quaternion',
    find: 'const third = 0.5 * half * half;',
    replace: 'const third = -0.5 * half * half;',
    killedBy: 'rodriguesIsTheExponential',
  },
  {
    name: 'plus-gyroscopic',
    slip: 'I Ω̇ = M + Ω×I Ω',
    module: '@engine/spatial/bodies/rigid-body',
    find: 'addCross(omega, at, momentum, 0, -factor, out, outAt);',
    replace: 'addCross(omega, at, momentum, 0, factor, out, outAt);',
    killedBy: 'symmetricTopPrecesses',
  },
  {
    name: 'force-at-the-start',
    slip: 'forces at t in place of t + ½h, which S3 leaves open',
    module: HALF_STEP,
    find: 'this.#middle[0] = clock[0] + 0.5 * h;',
    replace: 'this.#middle[0] = clock[0];',
    killedBy: 'halfStepIsOfOrderTwo',
  },
  {
    name: 'impulse-times-h',
    slip: 'R of S3, a force, in the place of R of S4, an impulse',
    module: HALF_STEP,
    find: 'u[i] += jump[i];',
    replace: 'u[i] += h * jump[i];',
    killedBy: 'impulsesAreAdded',
  },
  {
    name: 'projection-without-the-gradient',
    slip: 'Siconos developer’s notes (10.6): h + ᵗ∇(∇Λ) with one factor lost',
    module: PROJECTION,
    find: 'sum += jacobian[r * width + j] * this.#directions[s * width + j];',
    replace: 'sum += (j === r ? 1 : 0) * this.#directions[s * width + j];',
    killedBy: 'projectionIsQuadratic',
  },
  {
    name: 'no-centripetal-terms-in-space',
    slip: 'γ without Ω×(Ω×s)',
    module: '@engine/spatial/rows',
    find: 'out[row + i] = first.centripetal[i] - second.centripetal[i];',
    replace: 'out[row + i] = 0 * first.centripetal[i] - 0 * second.centripetal[i];',
    killedBy: 'pendulumHasItsPeriod',
  },
];
