/** Coulomb friction in the plane in the time-stepping scheme, against solutions by hand. */
import { describe, expect, it } from 'vitest';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import type { TimeStepping } from '@engine/time-stepping/time-stepping';
import * as forms from '../support/forms';
import { maximum, observedOrder } from '../support/order';
import { brick, cornerRelation, dragSled, stack } from '../support/planar';

const G = 9.81;

function start(model: NonSmoothDynamicalSystem, h: number, theta = 0.5): TimeStepping {
  const systems = model.systems.map((_, i) => i);
  return forms.simulate(model, { h, integrators: [forms.moreauJean(systems, theta)] });
}

function advance(simulation: TimeStepping, steps: number): TimeStepping {
  for (let k = 0; k < steps; k++) simulation.advance();
  return simulation;
}

const q = ({ state, context }: TimeStepping): number[] => [
  ...state.subarray(context.q, context.q + context.size),
];
const v = ({ state, context }: TimeStepping): number[] => [
  ...state.subarray(context.v, context.v + context.size),
];
const lambda = ({ state, context, rows }: TimeStepping): number[] => {
  const first = context.v + context.size + 2 * rows.count;
  return [...state.subarray(first, first + rows.count)];
};

/** What a certificate says of a run without defect. */
function expectCertified({ certificate }: TimeStepping, tolerance = 1e-12): void {
  const { complementarity, coneViolation, dynamics } = certificate.report;
  expect(complementarity).toBeLessThan(tolerance);
  expect(coneViolation).toBeLessThan(tolerance);
  expect(dynamics).toBeLessThan(tolerance);
}

describe('a disc that hits the floor', () => {
  const [m, r, mu, e] = [2, 0.3, 0.25, 0.6];
  const inertia = 0.5 * m * r * r;
  const impact = (U: number, V: number, omega: number, et: number): TimeStepping => {
    const disc = forms.linearLagrangian(
      [0, r, 0],
      [U, -V, omega],
      [
        [m, 0, 0],
        [0, m, 0],
        [0, 0, inertia],
      ],
    );
    const relation = forms.lagrangianRelation(
      [
        [0, 1, 0],
        [1, 0, r],
      ],
      [-r, 0],
    );
    const model = {
      systems: [forms.system('disc', disc)],
      interactions: [forms.interaction('floor', [0], relation, forms.frictionImpact(mu, e, et))],
    };
    return advance(start(model, 1e-3), 1);
  };

  // The tangential mobility of the rim is 1/m + r²/I = 3/m; friction has at most μ m (1 + e) V.
  const [V, omega] = [2, 1.5];
  const normal = m * (1 + e) * V;
  it.each([
    ['grips', 0.5, 0],
    ['grips and springs back', 0.5, 0.4],
    ['slides on to the right', 9, 0],
    ['slides on to the right, whatever e_t is', 9, 0.4],
    ['slides on to the left', -9, 0],
  ])('%s', (_, U, et) => {
    const slip = U + r * omega;
    const grip = (-m / 3) * (1 + et) * slip;
    const tangential = Math.abs(grip) <= mu * normal ? grip : -Math.sign(slip) * mu * normal;
    const simulation = impact(U, V, omega, et);
    const [p, t] = lambda(simulation);
    expect(p).toBeCloseTo(normal, 13);
    expect(t).toBeCloseTo(tangential, 13);
    const expected = [U + tangential / m, e * V, omega + (r * tangential) / inertia];
    expected.forEach((value, i) => {
      expect(v(simulation)[i]).toBeCloseTo(value, 13);
    });
    expectCertified(simulation, 1e-14);
    expect(simulation.certificate.energyDrift).toBeLessThan(1e-14);
  });
});

describe('a brick on a slope', () => {
  const mu = 0.5;
  const friction = Math.atan(mu);

  it.each([0, 0.3, 0.99 * friction, -0.99 * friction])('of %s rad rests without creep', (slope) => {
    const simulation = start(brick(slope, mu), 1e-3);
    let fastest = 0;
    for (let k = 0; k < 5000; k++) fastest = Math.max(fastest, maximum(v(advance(simulation, 1))));
    expect(fastest).toBeLessThanOrEqual(1e-15);
    expect(maximum(q(simulation))).toBeLessThan(1e-15);
    const [n, t] = lambda(simulation);
    expect(n).toBeCloseTo(1e-3 * G * Math.cos(slope), 15);
    expect(t).toBeCloseTo(-1e-3 * G * Math.sin(slope), 15);
    expectCertified(simulation);
  });

  it.each([1.01, 1.5, -1.2])('of %s times the angle of friction slides down', (factor) => {
    const slope = factor * friction;
    const simulation = advance(start(brick(slope, mu), 1e-3), 1000);
    const a = G * (Math.abs(Math.sin(slope)) - mu * Math.cos(slope)) * Math.sign(slope);
    expect(v(simulation)[0]).toBeCloseTo(a, 12);
    expect(q(simulation)[0]).toBeCloseTo(a / 2, 12);
    expectCertified(simulation);
  });

  it('pushed up stops where its energy is spent, to first order in the step, and stays', () => {
    const slope = 0.3;
    const a = G * (Math.sin(slope) + mu * Math.cos(slope));
    const steps = [4e-3, 2e-3, 1e-3, 5e-4].map((h) => h * 1.07);
    const errors = steps.map((h) => {
      const simulation = advance(start(brick(slope, mu, { v0: [-1, 0] }), h), Math.ceil(0.4 / h));
      expect(v(simulation)).toEqual([0, 0]);
      expectCertified(simulation);
      return Math.abs(q(simulation)[0] + 1 / (2 * a));
    });
    errors.forEach((error, k) => {
      expect(error).toBeLessThan(steps[k]);
    });
    expect(errors[3]).toBeLessThan(2e-4);
  });

  it('dissipates what friction takes, and the balance of energy knows', () => {
    const simulation = start(brick(0, mu, { v0: [2, 0] }), 1e-3);
    advance(simulation, 100);
    const lost = 2 - simulation.certificate.kinetic;
    // F · distance
    expect(lost).toBeCloseTo(mu * G * q(simulation)[0], 12);
    expect(simulation.certificate.energyDrift).toBeLessThan(1e-14);
  });
});

describe('a sled that is dragged to and fro', () => {
  // m = 1, F = 8 cos t against μ N = 7.848: it slips while |F| has been larger, and sticks in between.
  const sled = (h: number, t: number): TimeStepping =>
    advance(
      start(
        dragSled(0.8, (time) => 8 * Math.cos(time)),
        h,
      ),
      Math.round(t / h),
    );

  /** Where f changes its sign. */
  const root = (f: (t: number) => number, from: number, to: number): number => {
    let [low, high] = [from, to];
    for (let k = 0; k < 60; k++) {
      const middle = (low + high) / 2;
      if (f(middle) > 0 === f(low) > 0) low = middle;
      else high = middle;
    }
    return low;
  };
  const limit = 0.8 * G;
  const firstEnd = root((t) => 8 * Math.sin(t) - limit * t, 0.1, 1);
  const first = 8 * (1 - Math.cos(firstEnd)) - (limit / 2) * firstEnd ** 2;
  // From 8 cos t = −μ N on.
  const begin = Math.acos(-limit / 8);
  const speed = (t: number): number => 8 * (Math.sin(t) - Math.sin(begin)) + limit * (t - begin);
  const end = root(speed, begin + 0.1, 4);
  const second =
    8 * (Math.cos(begin) - Math.cos(end)) -
    8 * Math.sin(begin) * (end - begin) +
    (limit / 2) * (end - begin) ** 2;

  it('has the two slips of the solution by hand', () => {
    for (const [time, known] of [
      [firstEnd, 0.338608],
      [begin, 2.946347],
      [end, 3.532835],
    ])
      expect(time).toBeCloseTo(known, 6);
    expect(first).toBeCloseTo(0.00434857, 9);
    expect(second).toBeCloseTo(-0.013045737, 9);
  });

  it('slips so far, to first order in the step', () => {
    const steps = [4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4];
    const errors = steps.map((h) => {
      const afterFirst = q(sled(h, 2))[0];
      const last = sled(h, 5);
      expectCertified(last, 1e-10);
      expect(v(last)).toEqual([0, 0]);
      return [Math.abs(afterFirst - first), Math.abs(q(last)[0] - afterFirst - second)];
    });
    for (const which of [0, 1]) {
      const own = errors.map((pair) => pair[which]);
      expect(own[4]).toBeLessThan(1e-7);
      expect(observedOrder(steps, own)).toBeGreaterThan(0.9);
    }
  });

  it('moves at 0.15 s as it does by hand', () => {
    // v = 8 sin t − 7.848 t
    expect(v(sled(1e-4, 0.15))[0]).toBeCloseTo(8 * Math.sin(0.15) - 7.848 * 0.15, 5);
  });
});

describe('a block that rocks about its corners', () => {
  const [a, b] = [0.5, 0.125];
  const R = Math.hypot(a, b);
  const alpha = Math.atan2(b, a);
  const tilt = 0.5 * alpha;
  // Tilted by θ > 0 it stands on its right corner: φ = −θ.
  const block = (): NonSmoothDynamicalSystem => {
    const body = forms.linearLagrangian(
      [-R * Math.sin(alpha - tilt), R * Math.cos(alpha - tilt), -tilt],
      [0, 0, 0],
      [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, (R * R) / 3],
      ],
      { force: [0, -G, 0] },
    );
    return {
      systems: [forms.system('block', body)],
      interactions: [
        forms.interaction('left', [0], cornerRelation(-b, -a), forms.frictionImpact(2)),
        forms.interaction('right', [0], cornerRelation(b, -a), forms.frictionImpact(2)),
      ],
    };
  };
  /** Angular velocity at θ from rest at `tilt`: θ̇² = 2 p² (cos(α − tilt) − cos(α − θ)), p² = 3 g / 4 R. */
  const speed = (theta: number): number =>
    Math.sqrt(((3 * G) / (2 * R)) * (Math.cos(alpha - tilt) - Math.cos(alpha - theta)));

  it('lands when and as fast as a rigid pendulum does, and goes on with Housner’s part of its speed', () => {
    // ∫ dθ/θ̇ with θ = tilt (1 − s²), which takes the root at the start away.
    const n = 4000;
    let landing = 0;
    for (let k = 0; k < n; k++) {
      const s = (k + 0.5) / n;
      landing += (2 * s * tilt) / speed(tilt * (1 - s * s)) / n;
    }
    const h = 1e-4;
    const simulation = start(block(), h);
    advance(simulation, Math.round(landing / h) - 20);
    expect(v(simulation)[2]).toBeCloseTo(speed(-q(simulation)[2]), 3);
    // The corner it turns about has not moved.
    const [x, , angle] = q(simulation);
    expect(x + b * Math.cos(angle) + a * Math.sin(angle)).toBeCloseTo(0, 6);
    let before = v(simulation)[2];
    // Until the left corner pushes.
    while (lambda(simulation)[0] === 0) {
      before = v(simulation)[2];
      simulation.advance();
    }
    expect(simulation.time).toBeCloseTo(landing, 3);
    const after = v(simulation)[2];
    expect(before).toBeCloseTo(speed(0), 2);
    expect(after / before).toBeCloseTo(1 - 1.5 * Math.sin(alpha) ** 2, 3);
    expectCertified(simulation, 1e-9);
  });
});

describe('a stack of ten boxes with forty redundant rows', () => {
  it.each([
    ['at rest', 0, 0.5],
    ['pushed at the top by less than friction', 2, 0.5],
    ['at rest with large friction', 0, 3],
  ])('%s stays for a thousand steps', (_, push, mu) => {
    const boxes = 10;
    const simulation = start(stack({ boxes, mu, push }), 1e-3);
    let fastest = 0;
    for (let k = 0; k < 1000; k++) fastest = Math.max(fastest, maximum(v(advance(simulation, 1))));
    expect(fastest).toBeLessThan(1e-14);
    const impulses = lambda(simulation);
    // The floor carries all, and holds against the push.
    expect(impulses[0] + impulses[2]).toBeCloseTo(boxes * G * 1e-3, 13);
    expect(impulses[1] + impulses[3]).toBeCloseTo(-push * 1e-3, 13);
    expectCertified(simulation, 1e-11);
    expect(simulation.events).toBe(2 * boxes);
  });

  it('whose top is pushed by more slides there alone', () => {
    const [boxes, mu, push] = [10, 0.2, 2.5];
    const simulation = advance(start(stack({ boxes, mu, push }), 1e-3), 200);
    const speeds = v(simulation);
    expect(speeds[3 * (boxes - 1)]).toBeCloseTo(0.2 * (push - mu * G), 12);
    expect(maximum(speeds.slice(0, 3 * (boxes - 1)))).toBeLessThan(1e-13);
    expectCertified(simulation, 1e-11);
  });
});

describe('without friction', () => {
  it('μ = 0 gives the bits of an impact law', () => {
    const slippery = start(brick(0.3, 0, { e: 0.5, q0: [0, 0.2] }), 1e-3);
    const { systems } = brick(0.3, 0, { q0: [0, 0.2] });
    const contact = forms.interaction('slope', [0], forms.lagrangianRelation([[0, 1]]), forms.impact(0.5));
    const plain = start({ systems, interactions: [contact] }, 1e-3);
    for (let k = 0; k < 1500; k++) {
      advance(slippery, 1);
      advance(plain, 1);
      expect([q(slippery), v(slippery)]).toEqual([q(plain), v(plain)]);
    }
    expect(plain.events).toBeGreaterThan(5);
    expect(slippery.events).toBe(plain.events);
  });
});

describe('friction with step control', () => {
  it('locates the impact and slides on with certified steps', () => {
    const simulation = forms.simulate(brick(0.6, 0.5, { e: 0.2, q0: [0, 0.1] }), {
      h: 1e-3,
      integrators: [forms.moreauJean([0])],
      stepControl: { tolerance: 1e-5, hMin: 1e-5, hMax: 1e-2 },
      tEnd: 1,
    });
    while (!simulation.isAtEnd) simulation.advance();
    expect(simulation.rejectedSteps).toBeGreaterThan(3);
    expectCertified(simulation, 1e-12);
  });
});
