/**
 * Forces and moments: their power is that of the force at the point it acts on, in whatever frame they are
 * given.
 */
import { describe, expect, it } from 'vitest';
import { rotate, rotateBack } from '@engine/spatial/quaternion';
import { seeded } from '../support/random';
import { compile, pose, turnAbout, vector } from './support/models';
import { runHalfSteps } from './support/motion';

const body = { id: 'a', mass: 2, inertia: [1, 2, 3], position: [0, 0, 0] };
const clock = Float64Array.of(0.7);
const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((sum, x, i) => sum + x * b[i], 0);
const forceOf = (load: Parameters<typeof compile>[2], q: Float64Array, v: Float64Array): Float64Array => {
  const out = new Float64Array(6);
  compile([body], [], load).force(clock, q, v, out);
  return out;
};

describe('a force at a point', () => {
  const point = [0.3, -0.4, 0.5];

  it('has the power F·Ṗ + M·ω, in the world’s frame and in that of an attachment', () => {
    const random = seeded(1);
    const frame = turnAbout([1, 2, -1], 1.1);
    for (let n = 0; n < 20; n++) {
      const [q, v, value] = [pose(random, 1), vector(random, 6), vector(random, 6)];
      const ahead = (s: number): number[] => {
        // P along V and Ω, by a small turn
        const arm = Float64Array.from(point);
        const omega = v.subarray(3);
        const step = s * Math.hypot(...omega);
        rotate(Float64Array.from(turnAbout([...omega], step)), 0, arm, 0, arm, 0);
        rotate(q, 3, arm, 0, arm, 0);
        return [0, 1, 2].map((i) => q[i] + s * v[i] + arm[i]);
      };
      const [after, before] = [ahead(1e-5), ahead(-1e-5)];
      const velocity = after.map((x, i) => (x - before[i]) / 2e-5);
      const spin = v.slice(3);
      rotate(q, 3, spin, 0, spin, 0);
      const world = forceOf(
        [{ type: 'wrench', id: 'f', on: { body: 'a', point }, frame: 'world', value: [...value] }],
        q,
        v,
      );
      const power = dot(value.subarray(0, 3), velocity) + dot(value.subarray(3), spin);
      expect(dot(world, v)).toBeCloseTo(power, 8);
      // The same wrench in the attachment's frame.
      const turned = value.slice();
      for (const part of [0, 3]) {
        rotateBack(q, 3, turned, part, turned, part);
        rotateBack(Float64Array.from(frame), 0, turned, part, turned, part);
      }
      const local = forceOf(
        [
          {
            type: 'wrench',
            id: 'f',
            on: { body: 'a', point, frame },
            frame: 'body',
            value: (_, out) => out.set(turned),
          },
        ],
        q,
        v,
      );
      local.forEach((x, i) => expect(x).toBeCloseTo(world[i], 13));
    }
  });

  it('is a function of time where it is given as one, and nothing on the ground', () => {
    const q = Float64Array.of(0, 0, 0, 1, 0, 0, 0);
    const value = (t: Float64Array, out: Float64Array): void => {
      out[2] = 5 * t[0];
    };
    const v = new Float64Array(6);
    const on = { body: 'a' };
    expect([...forceOf([{ type: 'wrench', id: 'f', on, frame: 'world', value }], q, v)]).toEqual([
      0, 0, 3.5, 0, 0, 0,
    ]);
    const ground = { body: 'ground' };
    expect([...forceOf([{ type: 'wrench', id: 'f', on: ground, frame: 'world', value }], q, v)]).toEqual(
      new Array(6).fill(0),
    );
    expect([...forceOf([{ type: 'drag', id: 'd', on: ground, translational: 1 }], q, v)]).toEqual(
      new Array(6).fill(0),
    );
  });
});

it('drag takes energy at the rate c Ṗ·Ṗ + κ Ω·Ω', () => {
  const random = seeded(2);
  const [q, v] = [pose(random, 1), vector(random, 6)];
  const force = forceOf(
    [{ type: 'drag', id: 'd', on: { body: 'a' }, translational: 3, rotational: 0.5 }],
    q,
    v,
  );
  const [linear, angular] = [v.subarray(0, 3), v.subarray(3)];
  expect(dot(force, v)).toBeCloseTo(-3 * dot(linear, linear) - 0.5 * dot(angular, angular), 13);
});

it('weight has the potential −m g·x', () => {
  const random = seeded(3);
  const system = compile([body], [], [{ type: 'gravity', id: 'w', acceleration: [1, -2, 3] }]);
  const q = pose(random, 1);
  const force = new Float64Array(6);
  system.force(clock, q, new Float64Array(6), force);
  for (let i = 0; i < 3; i++) {
    const at = (d: number): number =>
      system.potentialEnergy(
        clock,
        q.map((x, j) => (i === j ? x + d : x)),
      );
    expect(-(at(0.5) - at(-0.5))).toBeCloseTo(force[i], 13);
  }
});

it('a thruster fixed to a wheel turns its body and pushes along the turning direction', () => {
  // Force along the body's y at the rim, moment 0.5 about z: φ = ½ (0.5/3) t².
  const system = compile(
    [body],
    [],
    [
      {
        type: 'wrench',
        id: 'jet',
        on: { body: 'a', point: [0.5, 0, 0] },
        frame: 'body',
        value: [0, 1, 0, 0, 0, 0],
      },
    ],
  );
  const { q, v } = runHalfSteps(system, { gyroscopic: 'conserving' }, 1e-3, 2000);
  const angle = 0.5 * (0.5 / 3) * 4;
  expect(v[5]).toBeCloseTo(1 / 3, 12);
  expect(2 * Math.atan2(q[6], q[3])).toBeCloseTo(angle, 6);
  // V̇ = R(φ) e_y/m, by Simpson's rule over φ(t)
  const n = 2000;
  const simpson = (f: (t: number) => number): number => {
    let sum = f(0) + f(2);
    for (let k = 1; k < n; k++) sum += (k % 2 === 1 ? 4 : 2) * f((2 * k) / n);
    return (sum * 2) / (3 * n);
  };
  const phi = (t: number): number => (t * t) / 12;
  expect(v[0]).toBeCloseTo(
    simpson((t) => -Math.sin(phi(t)) / 2),
    6,
  );
  expect(v[1]).toBeCloseTo(
    simpson((t) => Math.cos(phi(t)) / 2),
    6,
  );
});
