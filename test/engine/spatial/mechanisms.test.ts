/**
 * Bodies with joints against exact solutions: periods, angular velocities, precession, and forces of joints.
 */
import { describe, expect, it } from 'vitest';
import { ConstrainedAcceleration } from '../oracles/constrained-acceleration';
import { rotate } from '@engine/spatial/quaternion';
import type { SpatialSystem } from '@engine/spatial/system';
import { maximum } from '../support/order';
import { completeElliptic } from './support/free-top';
import { compile, pendulum, turnAbout } from './support/models';
import { RungeKutta, start } from './support/motion';

const violation = (system: SpatialSystem, q: Float64Array): number => {
  const out = new Float64Array(system.equations.count);
  system.equations.position(q, out);
  return maximum(out);
};

/** Time between two passages of x = 0 in the same direction. */
function period(system: SpatialSystem, h: number): number {
  const motion = new RungeKutta(system);
  const passages: number[] = [];
  while (passages.length < 3) {
    const [x, speed] = [motion.state.q[0], motion.state.v[0]];
    motion.step(h);
    const next = motion.state.q[0];
    if (x * next >= 0) continue;
    // Newton with the velocity at the nearer end: x is nearly linear where it passes.
    const t = motion.state.clock[0];
    passages.push(Math.abs(x) < Math.abs(next) ? t - h - x / speed : t - next / motion.state.v[0]);
  }
  return passages[2] - passages[0];
}

describe('a pendulum released from 90°, g = π² m/s², of length 1 m', () => {
  const exact = (4 * completeElliptic(Math.SQRT1_2)) / Math.PI;

  it('has the period 2.360681 s as a hinged body of the same reduced length', () => {
    expect(exact).toBeCloseTo(2.360681, 6);
    // I/(m l) + l = 1
    const body = pendulum({ mass: 1, inertia: 0.24, arm: 0.4, angle: Math.PI / 2, gravity: Math.PI ** 2 });
    expect(period(body, 2e-3)).toBeCloseTo(2.360681, 6);
  });

  it('has it as a point on a rod, and on a ball joint', () => {
    const bob = {
      id: 'bob',
      mass: 2,
      inertia: [1, 1, 1],
      position: [1, 0, 0],
    };
    const weight = { type: 'gravity', id: 'weight', acceleration: [0, 0, -(Math.PI ** 2)] } as const;
    const ends = { first: { body: 'ground' }, second: { body: 'bob' } };
    const rod = compile([bob], [{ type: 'distance', id: 'rod', ...ends, length: 1 }], [weight]);
    expect(period(rod, 2e-3)).toBeCloseTo(2.360681, 6);
    // Reduced length I/(m l) + l of a ball-jointed body whose inertia is 0.24 m about every axis.
    const hung = compile(
      [{ ...bob, inertia: [0.48, 0.48, 0.48], position: [0.4, 0, 0] }],
      [{ type: 'ball', id: 'pin', ...ends, second: { body: 'bob', point: [-0.4, 0, 0] } }],
      [weight],
    );
    expect(period(hung, 2e-3)).toBeCloseTo(2.360681, 6);
  });
});

it('a slender bar of 1 m, pinned 0.25 m from its middle and let go at 30°, passes the vertical at 2.1217 rad/s', () => {
  const system = pendulum({ mass: 1, inertia: 1 / 12, arm: 0.25, angle: Math.PI / 6, gravity: 9.8 });
  const motion = new RungeKutta(system);
  const h = 1e-3;
  while (motion.state.q[0] > 0) motion.step(h);
  // At the lowest point the angular velocity is stationary.
  expect(Math.abs(motion.state.v[4])).toBeCloseTo(2.1217, 4);
  const expected = Math.sqrt((2 * 9.8 * 0.25 * (1 - Math.cos(Math.PI / 6))) / (1 / 12 + 0.0625));
  expect(Math.abs(motion.state.v[4])).toBeCloseTo(expected, 5);
  expect(violation(system, motion.state.q)).toBeLessThan(1e-9);
});

describe('a heavy symmetric top on its point', () => {
  const [mass, arm, a, c, g] = [2, 0.5, 0.3, 0.4, 9.81];
  const about = a + mass * arm * arm;
  const tilt = 0.6;
  const top = (spin: number[]): SpatialSystem =>
    compile(
      [
        {
          id: 'top',
          mass,
          inertia: [a, a, c],
          position: [arm * Math.sin(tilt), 0, arm * Math.cos(tilt)],
          orientation: turnAbout([0, 1, 0], tilt),
          spin,
          // V = ω×r, in the body's frame (Ω₂ l, −Ω₁ l, 0), turned by the tilt about y
          velocity: [spin[1] * arm * Math.cos(tilt), -spin[0] * arm, -spin[1] * arm * Math.sin(tilt)],
        },
      ],
      [{ type: 'ball', id: 'tip', first: { body: 'ground' }, second: { body: 'top', point: [0, 0, -arm] } }],
      [{ type: 'gravity', id: 'weight', acceleration: [0, 0, -g] }],
    );

  it('precesses steadily where A p² cos θ − C s p + m g l = 0', () => {
    const s = 40;
    const discriminant = (c * s) ** 2 - 4 * about * Math.cos(tilt) * mass * g * arm;
    for (const sign of [-1, 1]) {
      const p = (c * s + sign * Math.sqrt(discriminant)) / (2 * about * Math.cos(tilt));
      // ω = p e_z + … e₃; the component of e_z across e₃ is −sin θ along the body's x.
      const motion = new RungeKutta(top([-p * Math.sin(tilt), 0, s]));
      const h = 2.5e-4;
      const steps = 2000;
      for (let k = 0; k < steps; k++) motion.step(h);
      const axis = Float64Array.of(0, 0, 1);
      rotate(motion.state.q, 3, axis, 0, axis, 0);
      const angle = p * steps * h;
      expect(axis[0]).toBeCloseTo(Math.sin(tilt) * Math.cos(angle), 6);
      expect(axis[1]).toBeCloseTo(Math.sin(tilt) * Math.sin(angle), 6);
      expect(axis[2]).toBeCloseTo(Math.cos(tilt), 6);
    }
  });

  it('keeps its energy, its spin and its moment of momentum about the vertical while it nutates', () => {
    const system = top([0, 0, 25]);
    const motion = new RungeKutta(system);
    const energy = motion.energy();
    const vertical = (): number => {
      const { q, v } = motion.state;
      const momentum = new Float64Array(3);
      system.bodies[0].angularMomentum(q, 0, v, 0, momentum);
      return momentum[2] + mass * (q[0] * v[1] - q[1] * v[0]);
    };
    const before = vertical();
    let lowest = 1;
    for (let k = 0; k < 4000; k++) {
      motion.step(5e-4);
      lowest = Math.min(lowest, motion.state.q[2] / arm);
      expect(Math.abs(motion.energy() - energy)).toBeLessThan(1e-8 * energy);
    }
    expect(lowest).toBeLessThan(Math.cos(tilt) - 0.05);
    expect(Math.abs(vertical() - before)).toBeLessThan(1e-8);
    expect(Math.abs(motion.state.v[5] - 25)).toBeLessThan(1e-10);
    expect(violation(system, motion.state.q)).toBeLessThan(1e-8);
  });
});

describe('forces of joints', () => {
  it('carry the weight of a body at rest: λ of a rod is its thrust, of a hinge the force on the second body', () => {
    const weight = { type: 'gravity', id: 'weight', acceleration: [0, 0, -10] } as const;
    const body = { id: 'a', mass: 3, inertia: [1, 1, 1], position: [0, 0, -2] };
    const ends = { first: { body: 'ground' }, second: { body: 'a' } };
    const rod = compile([body], [{ type: 'distance', id: 'rod', ...ends, length: 2 }], [weight]);
    const forceOf = (system: SpatialSystem): { multipliers: Float64Array; acceleration: Float64Array } => {
      const { clock, q, v } = start(system);
      const acceleration = new Float64Array(system.velocities);
      const multipliers = new Float64Array(system.equations.count);
      const solver = new ConstrainedAcceleration(system);
      expect(solver.solve(clock, q, v, acceleration, multipliers)).toBe('ok');
      return { multipliers, acceleration };
    };
    expect(forceOf(rod).multipliers[0]).toBeCloseTo(-30, 12);
    const beam = compile(
      [body],
      [{ type: 'fixed', id: 'wall', ...ends, second: { body: 'a', point: [0, 0, 2] } }],
      [weight],
    );
    const { multipliers, acceleration } = forceOf(beam);
    expect([...multipliers].map((x) => Math.round(x * 1e9) / 1e9 + 0)).toEqual([0, 0, 30, 0, 0, 0]);
    expect(maximum(acceleration)).toBeLessThan(1e-13);
  });

  it('of redundant joints are refused, and infinite forces named', () => {
    const body = { id: 'a', mass: 3, inertia: [1, 1, 1], position: [0, 0, 0] };
    const ends = { first: { body: 'ground' }, second: { body: 'a' } };
    const twice = compile(
      [body],
      [
        { type: 'ball', id: 'one', ...ends },
        { type: 'revolute', id: 'two', ...ends },
      ],
    );
    const out = [new Float64Array(6), new Float64Array(8)] as const;
    const { clock, q, v } = start(twice);
    expect(new ConstrainedAcceleration(twice).solve(clock, q, v, ...out)).toBe('singularConstraints');
    const pulled = compile(
      [body],
      [{ type: 'ball', id: 'one', ...ends }],
      [
        {
          type: 'wrench',
          id: 'pull',
          on: { body: 'a' },
          frame: 'world',
          value: [Number.POSITIVE_INFINITY, 0, 0, 0, 0, 0],
        },
      ],
    );
    expect(new ConstrainedAcceleration(pulled).solve(clock, q, v, out[0], new Float64Array(3))).toBe(
      'notFinite',
    );
  });
});

describe('a double pendulum in space keeps energy and joints over 2 s on', () => {
  const orientation = turnAbout([1, -2, 1], 0.9);
  const place = (local: number[]): number[] => {
    const out = Float64Array.from(local);
    rotate(Float64Array.from(orientation), 0, out, 0, out, 0);
    return [...out];
  };
  const upper = {
    id: 'upper',
    mass: 2,
    inertia: [0.4, 0.5, 0.6],
    position: place([0.5, 0, 0]),
    orientation,
  };
  const lower = {
    id: 'lower',
    mass: 1,
    inertia: [0.2, 0.1, 0.25],
    position: place([1.5, 0, 0]),
    orientation,
  };
  const upperEnds = {
    id: 'shoulder',
    first: { body: 'ground', frame: orientation },
    second: { body: 'upper', point: [-0.5, 0, 0] },
  };
  const lowerEnds = {
    id: 'elbow',
    first: { body: 'upper', point: [0.5, 0, 0] },
    second: { body: 'lower', point: [-0.5, 0, 0] },
  };
  const cases = [
    ['ball', 'universal'],
    ['universal', 'knee'],
    ['revolute', 'universal'],
    ['universal', 'prismatic'],
    ['ball', 'cylindrical'],
    ['ball', 'planar'],
    ['universal', 'fixed'],
  ] as const;

  it.each(cases)('%s and %s', (shoulder, elbow) => {
    const system = compile(
      [upper, lower],
      [
        { type: shoulder, ...upperEnds },
        { type: elbow, ...lowerEnds },
      ],
      [{ type: 'gravity', id: 'weight', acceleration: [0, 0, -9.81] }],
    );
    expect(violation(system, system.initialPositions())).toBeLessThan(1e-15);
    const motion = new RungeKutta(system);
    const before = motion.energy();
    const scale = (): number => system.kineticEnergy(motion.state.v);
    let moved = 0;
    for (let k = 0; k < 1000; k++) {
      motion.step(2e-3);
      moved = Math.max(moved, scale());
    }
    expect(moved).toBeGreaterThan(1);
    expect(Math.abs(motion.energy() - before)).toBeLessThan(1e-6 * moved);
    expect(violation(system, motion.state.q)).toBeLessThan(1e-6);
  });
});
