/** Positions by half steps, velocities by whole ones: what the scheme of S4 is exact for, and its order. */
import { describe, expect, it } from 'vitest';
import { BodyMotion, HalfStep, type HalfStepSystem } from '@engine/contact-dynamics/schemes/half-steps';
import { SaddlePoint } from '@engine/multibody/consistency';
import type { SpatialSystem } from '@engine/spatial/system';
import { maximum, observedOrder } from '../support/order';
import { compile, pendulum } from './support/models';
import { runHalfSteps, start } from './support/motion';

/** m q̈ = force(t, q, u) in one coordinate */
const particle = (mass: number, force: (t: number, q: number, u: number) => number): HalfStepSystem => ({
  positions: 1,
  velocities: 1,
  advance(q, u, time) {
    q[0] += time * u[0];
    return Number.isFinite(q[0]);
  },
  addFreeVelocity(clock, q, u, h) {
    u[0] += (h * force(clock[0], q[0], u[0])) / mass;
    return 'ok';
  },
  applyInverseMass(x) {
    x[0] /= mass;
  },
});

function run(
  system: HalfStepSystem,
  q0: number,
  u0: number,
  h: number,
  end: number,
  impulse: number | null = null,
): { q: number; u: number } {
  const [q, u] = [Float64Array.of(q0), Float64Array.of(u0)];
  const scheme = new HalfStep(system);
  for (let k = 0; k < Math.round(end / h); k++) {
    expect(scheme.begin(Float64Array.of(k * h), q, u, h)).toBe('ok');
    expect(scheme.finish(q, u, h, impulse === null ? null : Float64Array.of(impulse))).toBe('ok');
  }
  return { q: q[0], u: u[0] };
}

describe('the scheme', () => {
  it('falls freely exactly', () => {
    const { q, u } = run(
      particle(2, () => -2 * 9.81),
      3,
      1.5,
      0.125,
      2,
    );
    expect(q).toBeCloseTo(3 + 1.5 * 2 - 0.5 * 9.81 * 4, 13);
    expect(u).toBeCloseTo(1.5 - 9.81 * 2, 13);
  });

  it('is off by 3.51e-4, 8.77e-5, 2.19e-5 for the oscillator q̈ = −q, h = 0.1, 0.05, 0.025: order 2', () => {
    const steps = [0.1, 0.05, 0.025];
    const errors = steps.map((h) => {
      const { q } = run(
        particle(1, (_, x) => -x),
        1,
        0,
        h,
        1,
      );
      return Math.abs(q - Math.cos(1));
    });
    expect(errors[0]).toBeCloseTo(3.51e-4, 6);
    expect(errors[1]).toBeCloseTo(8.77e-5, 7);
    expect(errors[2]).toBeCloseTo(2.19e-5, 7);
    expect(observedOrder(steps, errors)).toBeCloseTo(2, 2);
  });

  it('is of order 2 for forces of time, which are those of the middle of the step', () => {
    const steps = [0.1, 0.05, 0.025];
    const errors = steps.map((h) => {
      const { q } = run(
        particle(1, (t) => Math.cos(3 * t)),
        0,
        0,
        h,
        1,
      );
      return Math.abs(q - (1 - Math.cos(3)) / 9);
    });
    expect(observedOrder(steps, errors)).toBeCloseTo(2, 1);
  });

  it('takes impulses over the step: h f given as ᵗH R is f', () => {
    const h = 0.05;
    const byForce = run(
      particle(2, (_, x) => -x + 3),
      1,
      0,
      h,
      1,
    );
    const byImpulse = run(
      particle(2, (_, x) => -x),
      1,
      0,
      h,
      1,
      3 * h,
    );
    expect(byImpulse.q).toBeCloseTo(byForce.q, 14);
    expect(byImpulse.u).toBeCloseTo(byForce.u, 14);
  });

  it('is symmetric: the way back is the way there', () => {
    const spring = particle(1, (_, x) => -Math.sin(x));
    const there = run(spring, 1, 0.3, 0.1, 3);
    const back = run(spring, there.q, -there.u, 0.1, 3);
    expect(back.q).toBeCloseTo(1, 13);
    expect(back.u).toBeCloseTo(-0.3, 13);
  });

  it('says so when something is no longer finite', () => {
    const scheme = new HalfStep(particle(1, () => 0));
    const [q, u] = [Float64Array.of(0), Float64Array.of(Number.POSITIVE_INFINITY)];
    expect(scheme.begin(new Float64Array(1), q, u, 0.1)).toBe('notFinite');
    const fine = Float64Array.of(0);
    expect(scheme.finish(fine, Float64Array.of(0), 0.1, Float64Array.of(Number.NaN))).toBe('notFinite');
  });
});

describe('a projectile', () => {
  const INCH = 0.0254;
  const [vx, vz, g] = [2.54, 12.7, 9.81456];
  const thrown = (drag: boolean): SpatialSystem =>
    compile(
      [{ id: 'ball', mass: 3, inertia: [1, 1, 1], position: [0, 0, 0], velocity: [vx, 0, vz] }],
      [],
      [
        { type: 'gravity', id: 'weight', acceleration: [0, 0, -g] },
        ...(drag ? [{ type: 'drag', id: 'air', on: { body: 'ball' }, translational: 3 } as const] : []),
      ],
    );

  it('with drag −m v is at x = 86.138 in after 1.976 s', () => {
    const steps = 1024;
    const { q } = runHalfSteps(
      thrown(true),
      { gyroscopic: 'explicit', loads: 'predicted' },
      1.976 / steps,
      steps,
    );
    expect(q[0] / INCH).toBeCloseTo(86.138, 3);
    const decay = 1 - Math.exp(-1.976);
    expect(q[0]).toBeCloseTo(vx * decay, 5);
    expect(q[2]).toBeCloseTo((vz + g) * decay - g * 1.976, 4);
  });

  it('is met with order 2 by the predicted velocity, with order 1 by the one at the start', () => {
    for (const [loads, order] of [
      ['predicted', 2],
      ['start', 1],
    ] as const) {
      const steps = [64, 128, 256];
      const errors = steps.map((n) => {
        const { q } = runHalfSteps(thrown(true), { gyroscopic: 'explicit', loads }, 1.976 / n, n);
        return Math.abs(q[0] - vx * (1 - Math.exp(-1.976)));
      });
      expect(
        observedOrder(
          steps.map((n) => 1 / n),
          errors,
        ),
      ).toBeCloseTo(order, 1);
    }
  });

  it('without drag is exact', () => {
    const { q } = runHalfSteps(thrown(false), { gyroscopic: 'conserving' }, 0.0625, 16);
    expect(q[0]).toBeCloseTo(vx, 13);
    expect(q[2]).toBeCloseTo(vz - 0.5 * g, 13);
  });
});

describe('with joints held at velocity level, H(q_½) u⁺ = 0', () => {
  /** Impulses R = −W⁻¹ B, by M u⁺ − ᵗH R = M u_free, H u⁺ = 0. */
  function swing(
    system: SpatialSystem,
    h: number,
    end: number,
  ): { energy: number; drift: number; angle: number } {
    const { velocities: n, equations } = system;
    const state = start(system);
    const scheme = new HalfStep(new BodyMotion(system, { gyroscopic: 'conserving' }));
    const mass = new Float64Array(n * n);
    system.mass(mass);
    const jacobian = new Float64Array(equations.count * n);
    const saddle = new SaddlePoint(n, equations.count);
    const energyOf = (): number =>
      system.kineticEnergy(state.v) + system.potentialEnergy(state.clock, state.q);
    const before = energyOf();
    const violation = new Float64Array(equations.count);
    let drift = 0;
    for (let k = 0; k < Math.round(end / h); k++) {
      expect(scheme.begin(Float64Array.of(k * h), state.q, state.v, h)).toBe('ok');
      equations.jacobian(state.q, jacobian, n, 'velocity');
      expect(saddle.factor(mass, jacobian)).toBe(true);
      const right = Float64Array.from(
        { length: equations.count },
        (_, r) => -state.v.reduce((sum, x, i) => sum + jacobian[r * n + i] * x, 0),
      );
      const jump = new Float64Array(n);
      const reaction = new Float64Array(equations.count);
      saddle.solve(jump, right, jump, reaction);
      const impulse = Float64Array.from(
        { length: n },
        (_, i) => -reaction.reduce((sum, x, r) => sum + jacobian[r * n + i] * x, 0),
      );
      expect(scheme.finish(state.q, state.v, h, impulse)).toBe('ok');
      equations.position(state.q, violation);
      drift = Math.max(drift, maximum(violation));
    }
    return { energy: Math.abs(energyOf() - before), drift, angle: Math.atan2(state.q[0], -state.q[2]) };
  }

  it('a pendulum drifts from its hinge and loses energy with order 1', () => {
    const swung = [4e-3, 2e-3, 1e-3].map((h) =>
      swing(pendulum({ mass: 1, inertia: 0.24, arm: 0.4, angle: 1.5, gravity: Math.PI ** 2 }), h, 1),
    );
    const steps = [4, 2, 1];
    const drift = observedOrder(
      steps,
      swung.map((end) => end.drift),
    );
    const energy = observedOrder(
      steps,
      swung.map((end) => end.energy),
    );
    expect(drift).toBeCloseTo(1, 1);
    expect(energy).toBeCloseTo(1, 1);
  });
});
