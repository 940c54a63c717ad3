/** Loads: forces against the gradient of their energies, and damping against the power it takes. */
import { describe, expect, it } from 'vitest';
import type { LoadDescription } from '../oracles/planar/load';
import { seeded } from '../support/random';
import { compile } from './support/mechanisms';
import { energy, run, start } from './support/motion';

const bodies = [
  { id: 'a', mass: 2, inertia: 1, position: [0, 0, 0] as const },
  { id: 'b', mass: 3, inertia: 1, position: [0, 0, 0] as const },
];
const clock = Float64Array.of(0);
const ends = {
  first: { body: 'a', point: [0.3, -0.2] as const },
  second: { body: 'b', point: [-0.4, 0.6] as const },
};

const conservative: readonly LoadDescription[] = [
  { type: 'gravity', id: 'load', acceleration: [1, -9.81] },
  { type: 'spring', id: 'load', ...ends, stiffness: 40, length: 0.7 },
  {
    type: 'spring',
    id: 'load',
    first: { body: 'ground', point: [1, 1] },
    second: ends.second,
    stiffness: 40,
    length: 0,
  },
  { type: 'torsionSpring', id: 'load', first: 'a', second: 'b', stiffness: 5, angle: 0.4 },
  { type: 'torsionSpring', id: 'load', first: 'ground', second: 'b', stiffness: 5 },
];

describe.each(conservative)('a load with an energy: $type', (load) => {
  it('is its negative gradient', () => {
    const system = compile(bodies, [], [load]);
    const random = seeded(21);
    for (let k = 0; k < 20; k++) {
      const q = Float64Array.from({ length: 6 }, () => random.uniform(-2, 2));
      const force = new Float64Array(6);
      system.force(clock, q, new Float64Array(6), force);
      for (let i = 0; i < 6; i++) {
        const at = (s: number): number =>
          system.potentialEnergy(
            clock,
            q.map((value, j) => (j === i ? value + s : value)),
          );
        expect(Math.abs(force[i] + (at(1e-5) - at(-1e-5)) / 2e-5)).toBeLessThan(1e-6);
      }
    }
  });
});

describe('dampers', () => {
  it.each<LoadDescription>([
    { type: 'spring', id: 'load', ...ends, stiffness: 0, damping: 3, length: 1 },
    { type: 'torsionSpring', id: 'load', first: 'a', second: 'b', stiffness: 0, damping: 3 },
  ])('take power c times the square of their rate: $type', (load) => {
    const system = compile(bodies, [], [load]);
    const random = seeded(22);
    for (let k = 0; k < 20; k++) {
      const q = Float64Array.from({ length: 6 }, () => random.uniform(-2, 2));
      const v = Float64Array.from({ length: 6 }, () => random.uniform(-2, 2));
      const force = new Float64Array(6);
      system.force(clock, q, v, force);
      const length = (s: number): number => {
        if (load.type !== 'spring') return q[5] + s * v[5] - q[2] - s * v[2];
        const point = (offset: number, [x, y]: readonly [number, number]): [number, number] => {
          const angle = q[offset + 2] + s * v[offset + 2];
          return [
            q[offset] + s * v[offset] + Math.cos(angle) * x - Math.sin(angle) * y,
            q[offset + 1] + s * v[offset + 1] + Math.sin(angle) * x + Math.cos(angle) * y,
          ];
        };
        const [one, two] = [point(0, ends.first.point), point(3, ends.second.point)];
        return Math.hypot(two[0] - one[0], two[1] - one[1]);
      };
      const rate = (length(1e-5) - length(-1e-5)) / 2e-5;
      const power = force.reduce((sum, x, i) => sum + x * v[i], 0);
      expect(Math.abs(power + 3 * rate * rate)).toBeLessThan(1e-6);
    }
  });

  it('of ends in one place do nothing', () => {
    const load: LoadDescription = {
      type: 'spring',
      id: 'load',
      first: { body: 'a' },
      second: { body: 'b' },
      stiffness: 4,
      damping: 1,
      length: 1,
    };
    const force = new Float64Array(6).fill(7);
    compile(bodies, [], [load]).force(clock, new Float64Array(6), new Float64Array(6), force);
    expect([...force]).toEqual([0, 0, 0, 0, 0, 0]);
  });
});

it('an applied load sees time, positions and velocities and acts at its point', () => {
  const system = compile(
    bodies,
    [],
    [
      {
        type: 'applied',
        id: 'load',
        on: ends.second,
        law: (time, q, v, out) => out.set([time[0], q[3], v[4]]),
      },
    ],
  );
  const force = new Float64Array(6);
  system.force(
    Float64Array.of(2),
    Float64Array.of(0, 0, 0, 5, 0, Math.PI / 2),
    Float64Array.of(0, 0, 0, 0, 7, 0),
    force,
  );
  // The point stands at (−0.6, −0.4) from the mass centre: moment 7 + (−0.6)·5 − (−0.4)·2.
  [0, 0, 0, 2, 5, 7 - 3 + 0.8].forEach((value, i) => expect(force[i]).toBeCloseTo(value, 14));
});

it('a mass on a spring in a slot swings as it should', () => {
  const system = compile(
    [{ id: 'block', mass: 2, inertia: 1, position: [1.1, 0, 0] }],
    [{ type: 'prismatic', id: 'slide', first: { body: 'ground' }, second: { body: 'block' } }],
    [
      {
        type: 'spring',
        id: 'spring',
        first: { body: 'ground' },
        second: { body: 'block' },
        stiffness: 50,
        length: 1,
      },
    ],
  );
  const motion = start(system, { type: 'fullPartitioning' }, 1e-3);
  const before = energy(system, motion);
  run(motion, 1e-3, 1, () => expect(motion.q[0]).toBeCloseTo(1 + 0.1 * Math.cos(5 * motion.clock[0]), 10));
  expect(energy(system, motion)).toBeCloseTo(before, 10);
});
