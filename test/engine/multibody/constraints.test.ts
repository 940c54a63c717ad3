/**
 * Each constraint's Φ_q, Φ_t and γ against finite differences of its Φ, and of Φ_q q̇ + Φ_t along a motion.
 */
import { describe, expect, it } from 'vitest';
import { addConstraintRate } from '@engine/multibody/constrained-system';
import type { BodyDescription } from '../oracles/planar/system';
import { type PrescribedCoordinate, uniformMotion } from '@engine/multibody/rows';
import type { ConstraintDescription } from '../oracles/planar/compile';
import { type Random, seeded } from '../support/random';
import { compile } from './support/mechanisms';

const EQUATIONS = {
  revolute: 2,
  prismatic: 2,
  pointOnLine: 1,
  distance: 1,
  fixed: 3,
  gear: 1,
  driver: 1,
};

/** value(t) = mean + amplitude sin(ω t + phase). @param omega rad/s */
const harmonicMotion =
  (mean: number, amplitude: number, omega: number, phase: number): PrescribedCoordinate =>
  (clock, out) => {
    const sine = amplitude * Math.sin(omega * clock[0] + phase);
    out[0] = mean + sine;
    out[1] = omega * amplitude * Math.cos(omega * clock[0] + phase);
    out[2] = -omega * omega * sine;
  };

const wave = harmonicMotion(1.3, 0.4, 1.7, 0.3);
const [first, second] = [
  { body: 'a', point: [0.3, -0.2] as const },
  { body: 'b', point: [-0.5, 0.7] as const },
];
const onGround = { body: 'ground', point: [0.2, 0.9] as const };

const cases: readonly [string, ConstraintDescription][] = [
  ['revolute joint', { type: 'revolute', id: 'c', first, second }],
  ['revolute joint on the ground', { type: 'revolute', id: 'c', first: onGround, second }],
  ['revolute joint of the ground on a body', { type: 'revolute', id: 'c', first, second: onGround }],
  ['prismatic joint', { type: 'prismatic', id: 'c', first, second, axis: 0.4, angle: 0.2 }],
  ['prismatic joint on the ground', { type: 'prismatic', id: 'c', first: onGround, second, axis: 2 }],
  ['pin in a slot', { type: 'pointOnLine', id: 'c', first, second, axis: -0.8 }],
  ['pin on the ground in a slot', { type: 'pointOnLine', id: 'c', first, second: onGround }],
  ['rod', { type: 'distance', id: 'c', first, second, length: 0.8 }],
  ['rod to the ground', { type: 'distance', id: 'c', first: onGround, second, length: 1.5 }],
  ['actuator', { type: 'distance', id: 'c', first, second, length: wave }],
  ['rigid connection', { type: 'fixed', id: 'c', first, second, angle: -0.3 }],
  ['gear', { type: 'gear', id: 'c', first: 'a', second: 'b', ratio: -2.5, angle: 0.1 }],
  ['driven angle', { type: 'driver', id: 'c', driven: first, coordinate: 'angle', motion: wave }],
  [
    'driven relative angle',
    { type: 'driver', id: 'c', driven: second, coordinate: 'angle', relativeTo: 'a', motion: wave },
  ],
  ['driven x', { type: 'driver', id: 'c', driven: first, coordinate: 'x', motion: wave }],
  ['driven y', { type: 'driver', id: 'c', driven: second, coordinate: 'y', motion: uniformMotion(1, 3) }],
];

const bodies: readonly BodyDescription[] = [
  { id: 'a', mass: 1, inertia: 1, position: [0, 0, 0] },
  { id: 'b', mass: 1, inertia: 1, position: [0, 0, 0] },
];

const SIZE = 6;
const vector = (random: Random): Float64Array =>
  Float64Array.from({ length: SIZE }, () => random.uniform(-1.5, 1.5));
/** Step of the central differences, whose error is about 1e-10 for numbers of the order 1. */
const STEP = 1e-5;
const TOLERANCE = 1e-8;

describe.each(cases)('%s', (_, description) => {
  const system = compile(bodies, [description], []);
  const { rows } = system;

  const position = (t: number, q: Float64Array): Float64Array => {
    const out = new Float64Array(rows);
    system.position(Float64Array.of(t), q, out);
    return out;
  };
  const rate = (t: number, q: Float64Array, v: Float64Array): Float64Array => {
    const jacobian = new Float64Array(rows * SIZE);
    const out = new Float64Array(rows);
    system.jacobian(Float64Array.of(t), q, jacobian);
    system.timeDerivative(Float64Array.of(t), q, out);
    addConstraintRate(jacobian, v, rows, SIZE, out);
    return out;
  };
  const difference = (f: (s: number) => Float64Array): number[] => {
    const [after, before] = [f(STEP), f(-STEP)];
    return [...after].map((x, r) => (x - before[r]) / (2 * STEP));
  };
  const along = (q: Float64Array, v: Float64Array, a: Float64Array, s: number): Float64Array =>
    q.map((x, i) => x + v[i] * s + 0.5 * a[i] * s * s);

  it('has an equation for each degree of freedom that it takes away', () => {
    expect(rows).toBe(EQUATIONS[description.type]);
    expect(system.constraints[0].type).toBe(description.type);
    for (let r = 0; r < rows; r++) expect(system.rowLabel(r).constraint).toBe('c');
  });

  it('has the derivatives of its equations', () => {
    const random = seeded(7);
    for (let k = 0; k < 20; k++) {
      const [q, v, a] = [vector(random), vector(random), vector(random)];
      const t = random.uniform(-2, 2);
      const clock = Float64Array.of(t);
      const jacobian = new Float64Array(rows * SIZE);
      const timeDerivative = new Float64Array(rows);
      const gamma = new Float64Array(rows);
      system.jacobian(clock, q, jacobian);
      system.timeDerivative(clock, q, timeDerivative);
      system.gamma(clock, q, v, gamma);
      for (let i = 0; i < SIZE; i++) {
        const column = difference((s) =>
          position(
            t,
            q.map((x, j) => (j === i ? x + s : x)),
          ),
        );
        for (let r = 0; r < rows; r++)
          expect(Math.abs(jacobian[r * SIZE + i] - column[r])).toBeLessThan(TOLERANCE);
      }
      const byTime = difference((s) => position(t + s, q));
      // Φ̈ = Φ_q q̈ − γ along q(s) = q + v s + ½ a s²
      const second = difference((s) =>
        rate(
          t + s,
          along(q, v, a, s),
          v.map((x, i) => x + a[i] * s),
        ),
      );
      for (let r = 0; r < rows; r++) {
        let accelerated = -gamma[r];
        for (let i = 0; i < SIZE; i++) accelerated += jacobian[r * SIZE + i] * a[i];
        expect(Math.abs(timeDerivative[r] - byTime[r])).toBeLessThan(TOLERANCE);
        expect(Math.abs(accelerated - second[r])).toBeLessThan(TOLERANCE);
      }
    }
  });
});

describe('the meaning of the equations', () => {
  const clock = Float64Array.of(0);
  const at = (description: ConstraintDescription, q: readonly number[]): number[] => {
    const system = compile(bodies, [description], []);
    const out = new Float64Array(system.rows);
    system.position(clock, Float64Array.from(q), out);
    return [...out];
  };

  it('a revolute joint is from the first point to the second', () => {
    const [x, y] = at({ type: 'revolute', id: 'c', first: onGround, second }, [0, 0, 0, 3, 1, Math.PI / 2]);
    expect(x).toBeCloseTo(3 - 0.7 - 0.2, 14);
    expect(y).toBeCloseTo(1 - 0.5 - 0.9, 14);
  });

  it('a slide is across its axis, and its bodies keep their angle', () => {
    const joint: ConstraintDescription = {
      type: 'prismatic',
      id: 'c',
      first: { body: 'a' },
      second: { body: 'b' },
      axis: Math.PI / 2,
      angle: 0.1,
    };
    // Vertical in the frame of a, which is turned by 90°: along −x of the world.
    expect(at(joint, [0, 0, Math.PI / 2, -5, 0, Math.PI / 2 + 0.1])).toEqual([
      expect.closeTo(0, 14),
      expect.closeTo(0, 14),
    ]);
    expect(at(joint, [0, 0, 0, 0.25, 7, 0.3])).toEqual([expect.closeTo(-0.25, 14), expect.closeTo(0.2, 14)]);
  });

  it('a rod is its excess length to first order', () => {
    const rod: ConstraintDescription = {
      type: 'distance',
      id: 'c',
      first: { body: 'ground' },
      second: { body: 'b' },
      length: 5,
    };
    expect(at(rod, [0, 0, 0, 3, 4, 1])).toEqual([0]);
    expect(at(rod, [0, 0, 0, 3.003, 4.004, 1])[0]).toBeCloseTo(0.005, 5);
  });

  it('a gear turns the second body by the ratio', () => {
    const gear: ConstraintDescription = { type: 'gear', id: 'c', first: 'a', second: 'b', ratio: -2 };
    expect(at(gear, [0, 0, 0.5, 0, 0, -1])).toEqual([0]);
  });
});
