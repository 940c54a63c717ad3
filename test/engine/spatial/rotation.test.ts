/**
 * Free and driven rotation of one body: the gyroscopic term, the updates of the orientation, and what they
 * conserve.
 */
import { describe, expect, it } from 'vitest';
import { MidpointRotation } from '../oracles/midpoint-rotation';
import { PositionUpdate } from '@engine/contact-dynamics/schemes/half-steps';
import { rotate } from '@engine/spatial/quaternion';
import { RigidBody } from '@engine/spatial/bodies/rigid-body';
import { type GyroscopicTerm, RotationStep } from '@engine/spatial/bodies/rotation-step';
import { maximum, observedOrder } from '../support/order';
import { seeded } from '../support/random';
import { flipInterval, freeTop } from './support/free-top';
import { freeBody, vector } from './support/models';
import { runHalfSteps } from './support/motion';

const UNEVEN = [1, 2, 3];
const SPIN = [0.1, 2, 0.1];
const momentumOf = (body: RigidBody, q: Float64Array, v: Float64Array): Float64Array => {
  const out = new Float64Array(3);
  body.angularMomentum(q, 0, v, 0, out);
  return out;
};
const distance = (a: Float64Array, b: Float64Array): number => Math.hypot(...a.map((x, i) => x - b[i]));

interface Conserved {
  energyRatio: number;
  /** largest change of π over the run, N m s */
  momentum: number;
}

function freeRun(term: GyroscopicTerm, theta: number): Conserved {
  const body = new RigidBody('body', 1, UNEVEN);
  const step = new RotationStep(term, theta);
  const update = new PositionUpdate('exponential');
  const q = Float64Array.of(0, 0, 0, 1, 0, 0, 0);
  const v = Float64Array.of(0, 0, 0, ...SPIN);
  const [energy, momentum] = [body.kineticEnergy(v, 0), momentumOf(body, q, v)];
  let worst = 0;
  for (let k = 0; k < 10_000; k++) {
    update.advance(q, 0, v, 0, 5e-4);
    expect(step.advance(body, v, 3, new Float64Array(3), 0, 1e-3)).toBe('ok');
    update.advance(q, 0, v, 0, 5e-4);
    worst = Math.max(worst, distance(momentumOf(body, q, v), momentum));
  }
  return { energyRatio: body.kineticEnergy(v, 0) / energy, momentum: worst };
}

describe('torque-free rotation of I = (1, 2, 3), Ω₀ = (0.1, 2, 0.1), h = 1 ms, 10 s', () => {
  it('gains energy by the factor 1.002514 with the explicit term', () => {
    expect(freeRun('explicit', 1).energyRatio).toBeCloseTo(1.002514, 6);
  });

  it('loses as much with the implicit one at θ = 1, and keeps it at θ = ½', () => {
    expect(freeRun('implicit', 1).energyRatio).toBeCloseTo(0.997492, 6);
    expect(Math.abs(freeRun('implicit', 0.5).energyRatio - 1)).toBeLessThan(1e-13);
  });

  it('keeps π to 1e-12 with the conserving one, and energy to O(h²)', () => {
    const { energyRatio, momentum } = freeRun('conserving', 1);
    expect(momentum).toBeLessThan(1e-12);
    expect(Math.abs(energyRatio - 1)).toBeLessThan(1e-6);
    expect(freeRun('implicit', 0.5).momentum).toBeGreaterThan(1e-9);
  });

  it('keeps π and energy to 1e-12 with the midpoint rule, even in steps of a third of a radian', () => {
    for (const [h, steps] of [
      [1e-3, 10_000],
      [0.15, 2000],
    ]) {
      const body = new RigidBody('body', 1, UNEVEN);
      const step = new MidpointRotation();
      const q = Float64Array.of(0, 0, 0, 1, 0, 0, 0);
      const v = Float64Array.of(0, 0, 0, ...SPIN);
      const [energy, momentum] = [body.kineticEnergy(v, 0), momentumOf(body, q, v)];
      let worst = 0;
      for (let k = 0; k < steps; k++) {
        expect(step.advance(body, q, 3, v, 3, null, null, h)).toBe('ok');
        worst = Math.max(worst, distance(momentumOf(body, q, v), momentum));
      }
      expect(worst).toBeLessThan(1e-12);
      expect(Math.abs(body.kineticEnergy(v, 0) / energy - 1)).toBeLessThan(1e-12);
    }
  });

  it('flips about the middle axis (Dzhanibekov) at the interval of the elliptic functions', () => {
    const h = 1e-3;
    const body = new RigidBody('body', 1, UNEVEN);
    const step = new MidpointRotation();
    const q = Float64Array.of(0, 0, 0, 1, 0, 0, 0);
    const v = Float64Array.of(0, 0, 0, ...SPIN);
    const crossings: number[] = [];
    for (let k = 0; k < 20_000; k++) {
      const before = v[4];
      step.advance(body, q, 3, v, 3, null, null, h);
      if (before * v[4] < 0) crossings.push(h * (k + before / (before - v[4])));
    }
    const interval = flipInterval(UNEVEN, SPIN);
    expect(crossings.length).toBeGreaterThanOrEqual(2);
    for (let n = 1; n < crossings.length; n++)
      expect(Math.abs(crossings[n] - crossings[n - 1] - interval)).toBeLessThan(1e-5);
  });

  it('has no drift of energy over eighty flips with the conserving term', () => {
    const system = freeBody(UNEVEN, SPIN);
    const energies: number[] = [];
    runHalfSteps(system, { gyroscopic: 'conserving' }, 0.02, 30_000, ({ v }) =>
      energies.push(system.kineticEnergy(v)),
    );
    const spread = (values: number[]): number => Math.max(...values) - Math.min(...values);
    const early = spread(energies.slice(0, 3000));
    expect(early).toBeGreaterThan(1e-6);
    expect(spread(energies.slice(-3000))).toBeLessThan(1.1 * early);
  });
});

describe('the orientation', () => {
  const grow = (orientation: 'rate' | 'normalised' | 'exponential'): Float64Array => {
    const q = Float64Array.of(0, 0, 0, 1, 0, 0, 0);
    const v = Float64Array.of(1, 2, 3, 6, 0, 8);
    const update = new PositionUpdate(orientation);
    for (let k = 0; k < 1000; k++) expect(update.advance(q, 0, v, 0, 0.01)).toBe(true);
    return q;
  };
  const norm = (q: Float64Array): number => Math.hypot(q[3], q[4], q[5], q[6]);

  it('grows to 3.484903 in 1000 steps of h = 0.01 with |Ω| = 10 by the rate alone', () => {
    expect(norm(grow('rate'))).toBeCloseTo(3.484903, 6);
    expect(norm(grow('rate'))).toBeCloseTo((1 + 0.25 * 0.01) ** 500, 9);
  });

  it('stays on the sphere otherwise, and x moves by V t', () => {
    for (const orientation of ['normalised', 'exponential'] as const) {
      const q = grow(orientation);
      expect(Math.abs(norm(q) - 1)).toBeLessThan(1e-15);
      expect(distance(q.subarray(0, 3), Float64Array.of(10, 20, 30))).toBeLessThan(1e-11);
    }
  });

  it('turns by the whole angle with the exponential, by 2 atan(½ h |Ω|) a step when normalised', () => {
    // Ω = (6, 0, 8)
    const angle = (q: Float64Array): number => 2 * Math.atan2(0.6 * q[4] + 0.8 * q[6], q[3]);
    const off = (q: Float64Array, exact: number): number => Math.abs(Math.sin(0.5 * (angle(q) - exact)));
    expect(off(grow('exponential'), 100)).toBeLessThan(1e-12);
    expect(off(grow('normalised'), 2000 * Math.atan(0.05))).toBeLessThan(1e-12);
  });

  it('says so when there is none', () => {
    const q = new Float64Array(7);
    expect(new PositionUpdate('exponential').advance(q, 0, new Float64Array(6), 0, 1)).toBe(false);
    const v = Float64Array.of(0, 0, 0, Number.POSITIVE_INFINITY, 0, 0);
    expect(new PositionUpdate('rate').advance(Float64Array.of(0, 0, 0, 1, 1, 0, 0), 0, v, 0, 1)).toBe(false);
  });
});

describe('a free symmetric top', () => {
  const [a, c] = [2, 0.7];
  const spin = [0.4, -0.3, 1.5];
  const error = (settings: Parameters<typeof runHalfSteps>[1], h: number): number => {
    const { q } = runHalfSteps(freeBody([a, a, c], spin), settings, h, Math.round(4 / h));
    const exact = freeTop(a, c, spin, 4);
    return Math.min(maximum(exact.map((x, i) => x - q[3 + i])), maximum(exact.map((x, i) => x + q[3 + i])));
  };
  const steps = [0.1, 0.05, 0.025, 0.0125];
  const orderOf = (settings: Parameters<typeof runHalfSteps>[1]): number =>
    observedOrder(
      steps,
      steps.map((h) => error(settings, h)),
    );

  it('precesses about its momentum at |π|/A, and is met with order 2', () => {
    for (const settings of [
      { gyroscopic: 'conserving' },
      { gyroscopic: 'implicit' },
      { gyroscopic: 'implicit', orientation: 'normalised' },
    ] as const) {
      expect(orderOf(settings)).toBeGreaterThan(1.9);
      expect(orderOf(settings)).toBeLessThan(2.1);
      expect(error(settings, 1e-3)).toBeLessThan(1e-6);
    }
  });

  it('is met with order 1 by the explicit term', () => {
    expect(orderOf({ gyroscopic: 'explicit' })).toBeGreaterThan(0.9);
    expect(orderOf({ gyroscopic: 'explicit' })).toBeLessThan(1.2);
  });

  it('is met with order 2 by the midpoint rule', () => {
    const errors = steps.map((h) => {
      const body = new RigidBody('body', 1, [a, a, c]);
      const midpoint = new MidpointRotation();
      const q = Float64Array.of(0, 0, 0, 1, 0, 0, 0);
      const v = Float64Array.of(0, 0, 0, ...spin);
      for (let k = 0; k < Math.round(4 / h); k++) midpoint.advance(body, q, 3, v, 3, null, null, h);
      const exact = freeTop(a, c, spin, 4);
      return Math.min(
        distance(exact, q.subarray(3)),
        distance(
          exact.map((x) => -x),
          q.subarray(3),
        ),
      );
    });
    const order = observedOrder(steps, errors);
    expect(order).toBeGreaterThan(1.9);
    expect(order).toBeLessThan(2.1);
  });
});

describe('moments', () => {
  it('of the world change π by exactly their impulse with the midpoint rule', () => {
    const random = seeded(1);
    const body = new RigidBody('body', 1, [1, 0.2, -0.1, 0.2, 2, 0.3, -0.1, 0.3, 1.5]);
    const q = Float64Array.of(0, 0, 0, 0.5, 0.5, 0.5, 0.5);
    const v = Float64Array.of(0, 0, 0, ...vector(random, 3));
    const midpoint = new MidpointRotation();
    for (let k = 0; k < 100; k++) {
      const before = momentumOf(body, q, v);
      const impulse = vector(random, 3);
      expect(midpoint.advance(body, q, 3, v, 3, impulse, null, 0.1)).toBe('ok');
      expect(
        distance(
          momentumOf(body, q, v),
          before.map((x, i) => x + impulse[i]),
        ),
      ).toBeLessThan(1e-13);
    }
  });

  it('of the body about a principal axis turn it as a wheel, with every treatment', () => {
    const h = 0.01;
    for (const term of ['explicit', 'implicit', 'conserving'] as const) {
      const body = new RigidBody('body', 1, UNEVEN);
      const v = new Float64Array(6);
      const step = new RotationStep(term);
      for (let k = 0; k < 100; k++)
        expect(step.advance(body, v, 3, Float64Array.of(0, 0, 6), 0, h)).toBe('ok');
      expect(v[5]).toBeCloseTo(2, 12);
      expect(Math.hypot(v[3], v[4])).toBe(0);
    }
    const body = new RigidBody('body', 1, UNEVEN);
    const q = Float64Array.of(0, 0, 0, 1, 0, 0, 0);
    const v = new Float64Array(6);
    const midpoint = new MidpointRotation();
    for (let k = 0; k < 100; k++)
      expect(midpoint.advance(body, q, 3, v, 3, null, Float64Array.of(0, 0, 6 * h), h)).toBe('ok');
    expect(v[5]).toBeCloseTo(2, 12);
    const axis = Float64Array.of(1, 0, 0);
    rotate(q, 3, axis, 0, axis, 0);
    // ½ α t² = 1, by the midpoint rule with atan for its argument
    expect(Math.abs(Math.atan2(axis[1], axis[0]) - 1)).toBeLessThan(1e-4);
  });

  it('in the body’s frame converge with order 2 with the midpoint rule', () => {
    const end = (h: number): Float64Array => {
      const body = new RigidBody('body', 1, UNEVEN);
      const q = Float64Array.of(0, 0, 0, 1, 0, 0, 0);
      const v = Float64Array.of(0, 0, 0, 1, -0.5, 0.7);
      const midpoint = new MidpointRotation();
      for (let k = 0; k < Math.round(2 / h); k++)
        midpoint.advance(body, q, 3, v, 3, null, Float64Array.of(h, 0.5 * h, -0.3 * h), h);
      return Float64Array.of(...q.subarray(3), ...v.subarray(3));
    };
    const fine = end(1 / 4096);
    const steps = [1 / 16, 1 / 32, 1 / 64];
    const order = observedOrder(
      steps,
      steps.map((h) => distance(end(h), fine)),
    );
    expect(order).toBeGreaterThan(1.9);
    expect(order).toBeLessThan(2.1);
  });
});

describe('a step of rotation', () => {
  it('leaves a body at rest at rest', () => {
    for (const term of ['explicit', 'implicit', 'conserving'] as const) {
      const v = new Float64Array(6);
      const body = new RigidBody('body', 1, UNEVEN);
      expect(new RotationStep(term).advance(body, v, 3, new Float64Array(3), 0, 1)).toBe('ok');
      expect([...v]).toEqual([0, 0, 0, 0, 0, 0]);
    }
  });

  it('ends with notFinite for infinite moments, and says when Newton’s method fails', () => {
    const body = new RigidBody('body', 1, UNEVEN);
    const infinite = Float64Array.of(Number.POSITIVE_INFINITY, 0, 0);
    for (const term of ['explicit', 'implicit', 'conserving'] as const) {
      const v = Float64Array.of(0, 0, 0, 1, 2, 3);
      expect(new RotationStep(term).advance(body, v, 3, infinite, 0, 1)).toBe('notFinite');
    }
    const q = Float64Array.of(0, 0, 0, 1, 0, 0, 0);
    const v = Float64Array.of(0, 0, 0, 1, 2, 3);
    expect(new MidpointRotation().advance(body, q, 3, v, 3, infinite, null, 1)).toBe('notFinite');
    expect([...v]).toEqual([0, 0, 0, 1, 2, 3]);
    // Tens of radians in a step.
    const wild = new RotationStep('conserving');
    const spin = Float64Array.of(0, 0, 0, 30, 40, -20);
    const status = wild.advance(new RigidBody('rod', 1, [1, 1e-3, 2]), spin, 3, new Float64Array(3), 0, 1);
    expect(status).toBe('rotationNotConverged');
  });
});

describe('the gyroscopic term', () => {
  it('has the derivative it says', () => {
    const random = seeded(9);
    const body = new RigidBody('body', 1, [1, 0.2, -0.1, 0.2, 2, 0.3, -0.1, 0.3, 1.5]);
    const omega = vector(random, 3);
    const derivative = new Float64Array(9);
    body.addGyroscopicDerivative(omega, 0, 1, derivative);
    const term = (x: Float64Array): Float64Array => {
      const out = new Float64Array(3);
      body.addGyroscopic(x, 0, -1, out, 0);
      return out;
    };
    for (let j = 0; j < 3; j++) {
      const at = (d: number): Float64Array => term(omega.map((x, i) => (i === j ? x + d : x)));
      const [after, before] = [at(1e-5), at(-1e-5)];
      for (let i = 0; i < 3; i++)
        expect(Math.abs((after[i] - before[i]) / 2e-5 - derivative[3 * i + j])).toBeLessThan(1e-9);
    }
    // It does no work.
    expect(Math.abs(term(omega).reduce((sum, x, i) => sum + x * omega[i], 0))).toBeLessThan(1e-15);
  });
});
