/** Multipliers as joint forces against statics and closed forms. */
import { describe, expect, it } from 'vitest';
import { JOINT_FORCE, JointForces } from '../oracles/planar/joint-force';
import type { ConstrainedMotion } from '../oracles/planar/constrained-motion';
import type { MultibodySystem } from '../oracles/planar/system';
import { compile, G, pendulum } from './support/mechanisms';
import { FORMULATIONS, run, start } from './support/motion';

const { x, y, moment, bodyX, bodyY } = JOINT_FORCE;

function forceOf(
  motion: ConstrainedMotion,
  system: MultibodySystem,
  constraint: number,
  side: 'first' | 'second',
): Float64Array {
  expect(motion.dynamics()).toBe('ok');
  const forces = new JointForces(system);
  const out = new Float64Array(5);
  forces.place(motion.clock, motion.q);
  forces.force(constraint, side, motion.q, motion.multipliers, out);
  return out;
}

describe('the rod of a pendulum from the horizontal', () => {
  it.each(FORMULATIONS)('pulls with 3 m g cos θ, and its multiplier is the tension: $type', (formulation) => {
    const system = pendulum(2);
    const motion = start(system, formulation, 0.002);
    run(motion, 0.002, 2, () => {
      const force = forceOf(motion, system, 0, 'second');
      const cosine = -motion.q[1];
      // m v² = 2 m g cos θ comes from the energy, whose error is that of RK4.
      expect(Math.abs(motion.multipliers[0] - 3 * 2 * G * cosine)).toBeLessThan(1e-5);
      expect(Math.abs(force[x] + 3 * 2 * G * cosine * motion.q[0])).toBeLessThan(1e-5);
      expect(Math.abs(force[y] + 3 * 2 * G * cosine * motion.q[1])).toBeLessThan(1e-5);
      expect(force[moment]).toBe(0);
    });
  });
});

describe('the pin of a bar released from the horizontal', () => {
  it('carries a quarter of the weight at first, and 5/2 of it at the lowest point', () => {
    // Bar of length 2a: θ̈ = ¾ g/a at the start, ω² = 3/2 g/a at the bottom.
    const system = compile(
      [{ id: 'bar', mass: 3, inertia: 1, position: [1, 0, 0] }],
      [{ type: 'revolute', id: 'pin', first: { body: 'ground' }, second: { body: 'bar', point: [-1, 0] } }],
    );
    const motion = start(system, { type: 'projection' }, 1e-3);
    const weight = 3 * G;
    const initial = forceOf(motion, system, 0, 'second');
    expect(initial[x]).toBeCloseTo(0, 12);
    expect(initial[y]).toBeCloseTo(weight / 4, 12);
    expect(initial[moment]).toBeCloseTo(0, 12);
    run(motion, 1e-3, 0.75, () => {
      const force = forceOf(motion, system, 0, 'second');
      const angle = -motion.q[2];
      // Along the bar m ω² a + m g sin, across it m g cos / 4, with ω² = 3/2 (g/a) sin; in the body's frame.
      expect(force[bodyX]).toBeCloseTo(-(5 / 2) * weight * Math.sin(angle), 8);
      expect(force[bodyY]).toBeCloseTo((weight / 4) * Math.cos(angle), 8);
      expect(Math.hypot(force[x], force[y])).toBeCloseTo(Math.hypot(force[bodyX], force[bodyY]), 10);
      expect(force[moment]).toBeCloseTo(0, 10);
    });
    expect(motion.q[2]).toBeLessThan(-1.5);
  });
});

describe('bodies at rest', () => {
  it('hang in a rigid connection by their weight and its moment', () => {
    const system = compile(
      [{ id: 'beam', mass: 5, inertia: 2, position: [1, 2, 0.5] }],
      [
        {
          type: 'fixed',
          id: 'clamp',
          first: { body: 'ground', point: [1 - 1.5 * Math.cos(0.5), 2 - 1.5 * Math.sin(0.5)] },
          second: { body: 'beam', point: [-1.5, 0] },
          angle: 0.5,
        },
      ],
    );
    const motion = start(system, { type: 'direct' }, 0.1);
    const force = forceOf(motion, system, 0, 'second');
    expect(force[x]).toBeCloseTo(0, 12);
    expect(force[y]).toBeCloseTo(5 * G, 12);
    // The weight turns the beam about the clamp by −m g · 1.5 cos φ.
    expect(force[moment]).toBeCloseTo(5 * G * 1.5 * Math.cos(0.5), 12);
    expect(force[bodyX]).toBeCloseTo(5 * G * Math.sin(0.5), 12);
    expect(force[bodyY]).toBeCloseTo(5 * G * Math.cos(0.5), 12);
  });

  it('press on each other with equal and opposite forces', () => {
    const system = compile(
      [
        { id: 'upper', mass: 1, inertia: 1, position: [0, -1, 0] },
        { id: 'lower', mass: 2, inertia: 1, position: [0, -3, 0] },
      ],
      [
        { type: 'revolute', id: 'top', first: { body: 'ground' }, second: { body: 'upper', point: [0, 1] } },
        {
          type: 'revolute',
          id: 'middle',
          first: { body: 'upper', point: [0, -1] },
          second: { body: 'lower', point: [0, 1] },
        },
      ],
    );
    const motion = start(system, { type: 'direct' }, 0.1);
    const [onUpper, onLower] = [forceOf(motion, system, 1, 'first'), forceOf(motion, system, 1, 'second')];
    expect(onLower[y]).toBeCloseTo(2 * G, 12);
    expect(onUpper[y]).toBeCloseTo(-2 * G, 12);
    expect(forceOf(motion, system, 0, 'second')[y]).toBeCloseTo(3 * G, 12);
    expect(() => forceOf(motion, system, 0, 'first')).toThrow(
      expect.objectContaining({
        details: expect.objectContaining({ where: 'top', code: 'joint-force-on-ground' }) as unknown,
      }) as Error,
    );
  });

  it('turn their gear partners by the ratio', () => {
    // A motor moment of 6 N m on the first wheel, the second held by its inertia: φ̈₂ = −3 φ̈₁.
    const system = compile(
      [
        { id: 'one', mass: 1, inertia: 2, position: [0, 0, 0] },
        { id: 'two', mass: 1, inertia: 0.5, position: [1, 0, 0] },
      ],
      [
        { type: 'revolute', id: 'a', first: { body: 'ground' }, second: { body: 'one' } },
        { type: 'revolute', id: 'b', first: { body: 'ground', point: [1, 0] }, second: { body: 'two' } },
        { type: 'gear', id: 'teeth', first: 'one', second: 'two', ratio: -3 },
      ],
      [{ type: 'applied', id: 'motor', on: { body: 'one' }, law: (_, __, ___, out) => out.set([0, 0, 6]) }],
    );
    const motion = start(system, { type: 'direct' }, 0.1);
    const onTwo = forceOf(motion, system, 2, 'second');
    // (J₁ + 9 J₂) φ̈₁ = 6
    const acceleration = 6 / 6.5;
    expect(motion.acceleration[2]).toBeCloseTo(acceleration, 12);
    expect(motion.acceleration[5]).toBeCloseTo(-3 * acceleration, 12);
    expect(onTwo[moment]).toBeCloseTo(-0.5 * 3 * acceleration, 12);
    expect(forceOf(motion, system, 2, 'first')[moment]).toBeCloseTo(2 * acceleration - 6, 12);
  });
});
