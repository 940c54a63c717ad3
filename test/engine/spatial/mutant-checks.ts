/** What 3D bodies must satisfy and a slip must break: each check throws when it does not hold. */
import { HalfStep, type HalfStepSystem } from '@engine/contact-dynamics/schemes/half-steps';
import { PositionProjection } from '@engine/spatial/projection';
import { exponential, quaternionRate, rotateByVector, rotationMatrix } from '@engine/spatial/quaternion';
import { createSolver } from '@engine/solvers/registry';
import { freeTop } from './support/free-top';
import { compile, freeBody, pendulum, turnAbout } from './support/models';
import { RungeKutta, runHalfSteps } from './support/motion';

function demand(value: number, bound: number, what: string): void {
  if (!(Math.abs(value) <= bound)) throw new Error(`${what}: ${value}`);
}

const Q = Float64Array.of(0.2, 0.4, -0.4, 0.8);
const OMEGA = Float64Array.of(0.3, 1.1, -0.7);

function rateStaysOnTheSphere(): void {
  const rate = new Float64Array(4);
  quaternionRate(Q, 0, OMEGA, 0, rate, 0);
  demand(
    Q.reduce((sum, x, i) => sum + x * rate[i], 0),
    1e-15,
    'Q·Q̇',
  );
}

/** Ṙ = R skew(Ω) to 1e-9. */
function rateIsThatOfTheRotation(): void {
  const rate = new Float64Array(4);
  quaternionRate(Q, 0, OMEGA, 0, rate, 0);
  const at = (s: number): Float64Array => {
    const out = new Float64Array(9);
    rotationMatrix(
      Q.map((x, i) => x + s * rate[i]),
      0,
      out,
      0,
    );
    return out;
  };
  const [after, before, r] = [at(1e-5), at(-1e-5), at(0)];
  const [x, y, z] = OMEGA;
  const skew = [0, -z, y, z, 0, -x, -y, x, 0];
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) {
      const product = [0, 1, 2].reduce((sum, k) => sum + r[3 * i + k] * skew[3 * k + j], 0);
      demand((after[3 * i + j] - before[3 * i + j]) / 2e-5 - product, 1e-9, 'Ṙ');
    }
}

/** The formula of Euler and Rodrigues against the matrix of the quaternion, and lengths. */
function rodriguesIsTheExponential(): void {
  const q = new Float64Array(4);
  exponential(OMEGA, 0, 1, q, 0);
  const r = new Float64Array(9);
  rotationMatrix(q, 0, r, 0);
  const s = Float64Array.of(1, -2, 0.5);
  const expected = [0, 3, 6].map((i) => r[i] * s[0] + r[i + 1] * s[1] + r[i + 2] * s[2]);
  rotateByVector(OMEGA, 0, 1, s, 0, s, 0);
  demand(Math.hypot(...s) - Math.hypot(1, -2, 0.5), 1e-14, 'length');
  demand(Math.hypot(...s.map((x, i) => x - expected[i])), 1e-14, 'rotation');
}

function symmetricTopPrecesses(): void {
  const spin = [0.4, -0.3, 1.5];
  const { q } = runHalfSteps(freeBody([2, 2, 0.7], spin), { gyroscopic: 'implicit' }, 1e-2, 200);
  const exact = freeTop(2, 0.7, spin, 2);
  demand(Math.hypot(...exact.map((x, i) => x - q[3 + i])), 1e-4, 'orientation');
}

const driven: HalfStepSystem = {
  positions: 1,
  velocities: 1,
  advance(q, u, time) {
    q[0] += time * u[0];
    return true;
  },
  addFreeVelocity(clock, _, u, h) {
    u[0] += h * Math.cos(3 * clock[0]);
    return 'ok';
  },
  applyInverseMass(x) {
    x[0] /= 2;
  },
};

function runDriven(h: number, impulse: Float64Array | null): number {
  const [q, u] = [new Float64Array(1), new Float64Array(1)];
  const scheme = new HalfStep(driven);
  for (let k = 0; k < Math.round(1 / h); k++) {
    scheme.begin(Float64Array.of(k * h), q, u, h);
    scheme.finish(q, u, h, impulse);
  }
  return q[0];
}

function halfStepIsOfOrderTwo(): void {
  const exact = (1 - Math.cos(3)) / 9;
  const [coarse, fine] = [runDriven(0.02, null) - exact, runDriven(0.01, null) - exact];
  demand(coarse / fine - 4, 0.1, 'ratio of errors');
}

/** A constant force of 6 N on 2 kg, as impulses: 1.5 m in a second. */
function impulsesAreAdded(): void {
  const h = 0.125;
  demand(runDriven(h, Float64Array.of(6 * h)) - runDriven(h, null) - 1.5, 1e-13, 'displacement');
}

function projectionIsQuadratic(): void {
  const system = compile(
    [
      {
        id: 'body',
        mass: 2,
        inertia: [1, 2, 2.5],
        position: [0.53, 0.02, 0.01],
        orientation: turnAbout([3, 4, 0], 0.1),
      },
    ],
    [
      { type: 'ball', id: 'pin', first: { body: 'ground' }, second: { body: 'body', point: [-0.5, 0, 0] } },
      {
        type: 'pointPlane',
        id: 'floor',
        first: { body: 'ground' },
        second: { body: 'body', point: [0.5, 0.1, -0.02] },
        limits: { gap: [0, Number.POSITIVE_INFINITY] },
      },
    ],
  );
  const projection = new PositionProjection(system, { metric: 'euclidean' }, createSolver('auto', 8));
  if (projection.project(system.initialPositions()) !== 'ok') throw new Error('not converged');
  demand(projection.iterations, 3, 'iterations');
}

/**
 * The hinged body of 1 m reduced length, let go at 90° with g = π²: at rest again after half a period,
 * 1.180341 s.
 */
function pendulumHasItsPeriod(): void {
  const system = pendulum({ mass: 1, inertia: 0.24, arm: 0.4, angle: Math.PI / 2, gravity: Math.PI ** 2 });
  const motion = new RungeKutta(system);
  const steps = 400;
  for (let k = 0; k < steps; k++) motion.step(1.1803405 / steps);
  demand(motion.state.q[0] + 0.4, 1e-5, 'position');
  demand(motion.state.v[4], 1e-5, 'angular velocity');
}

export const checks = {
  rateStaysOnTheSphere,
  rateIsThatOfTheRotation,
  rodriguesIsTheExponential,
  symmetricTopPrecesses,
  halfStepIsOfOrderTwo,
  impulsesAreAdded,
  projectionIsQuadratic,
  pendulumHasItsPeriod,
} as const;
