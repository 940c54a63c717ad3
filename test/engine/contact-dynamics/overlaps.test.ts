/** Overlaps of contacts, and that to remove them adds no energy. */
import { describe, expect, it } from 'vitest';
import { box } from '@engine/model/shapes/box';
import { sphere } from '@engine/model/shapes/sphere';
import { ContactDynamics, type ContactDynamicsSettings } from '@engine/contact-dynamics/contact-dynamics';
import { GEOMETRY } from '@engine/contact-dynamics/contacts/contact-list';
import { ENERGY } from '@engine/contact-dynamics/energy-terms';
import { AutomaticFriction } from '@engine/solvers/friction/automatic';
import { compileSpatial } from '@engine/spatial/compile';
import { GivenContacts } from './sources';
import { certified, detected, dry, G, gaussSeidel, simulate, weight } from './worlds';

const TOLERANCE = 1e-5;

/** Cubes that fall together. */
const heap = (restitution: number, settings: Partial<ContactDynamicsSettings>): ContactDynamics =>
  simulate(
    {
      bodies: Array.from({ length: 4 }, (_, k) => ({
        id: `cube${k}`,
        mass: 1,
        inertia: [1 / 6, 1 / 6, 1 / 6],
        position: [0.01 * k, 0, 0.52 + 1.02 * k],
      })),
      loads: [weight(0, 0, -G)],
    },
    { h: 5e-3, tolerance: 1e-6, ...settings },
    detected(Array.from({ length: 4 }, () => box(0.5, 0.5, 0.5))),
    dry(0.5, restitution),
    new AutomaticFriction(),
  );

const deepest = ({ contacts }: ContactDynamics): number => {
  let gap = 0;
  for (let c = 0; c < (contacts?.count ?? 0); c++)
    gap = Math.min(gap, contacts?.geometry[GEOMETRY * c + GEOMETRY - 1] ?? 0);
  return -gap;
};

describe.each([0, 0.4])('cubes that have fallen on one another, e = %f', (restitution) => {
  const fallen = (settings: Partial<ContactDynamicsSettings>): ContactDynamics => {
    const dynamics = heap(restitution, settings);
    const { system } = dynamics;
    const start = system.potentialEnergy(dynamics.clock, dynamics.q);
    for (let k = 0; k < 600; k++) {
      expect(dynamics.advance()).toBe('ok');
      const { energy, totalEnergy } = dynamics;
      const taken = totalEnergy[ENERGY.contactNormal] + totalEnergy[ENERGY.contactTangent];
      expect(energy[ENERGY.kinetic] + energy[ENERGY.potential]).toBeLessThan(start * (1 + 1e-12));
      // What has been lifted was paid.
      expect(totalEnergy[ENERGY.corrections]).toBeLessThan(-taken + 1e-12);
    }
    expect(dynamics.u.every((value) => value === 0)).toBe(true);
    return dynamics;
  };

  it('overlap, and do so no longer where overlaps are removed', () => {
    expect(deepest(fallen({}))).toBeGreaterThan(10 * TOLERANCE);
    const dynamics = fallen({ overlap: TOLERANCE });
    expect(deepest(dynamics)).toBeLessThan(TOLERANCE);
    const place = dynamics.q.slice();
    for (let k = 0; k < 50; k++) expect(dynamics.advance()).toBe('ok');
    expect(dynamics.q).toEqual(place);
  });
});

describe('boxes that fall onto one another while those below are lifted', () => {
  /**
   * Boxes of 0.2 m with gaps of 1 mm, dropped together.
   * @returns deepest overlap on the way, and heights in the end
   */
  const drop = (
    settings: Partial<ContactDynamicsSettings>,
    joined = false,
  ): { deepest: number; z: number[] } => {
    const count = 12;
    const id = (k: number): string => `box${k}`;
    const dynamics = simulate(
      {
        bodies: Array.from({ length: count }, (_, k) => ({
          id: id(k),
          mass: 8,
          inertia: [0.05, 0.05, 0.05],
          position: [0, 0, 0.101 + 0.201 * k],
        })),
        // Each second one hangs together with the one below it.
        joints: joined
          ? [5, 7].map((k) => ({
              type: 'fixed' as const,
              id: `joint${k}`,
              first: { body: id(k), point: [0, 0, 0.1005] },
              second: { body: id(k + 1), point: [0, 0, -0.1005] },
            }))
          : [],
        loads: [weight(0, 0, -G)],
      },
      { h: 5e-3, tolerance: 1e-8, ...settings },
      detected(Array.from({ length: count }, () => box(0.1, 0.1, 0.1))),
      dry(0.5),
      new AutomaticFriction(),
    );
    let most = 0;
    for (let k = 0; k < 300; k++) {
      expect(dynamics.advance()).toBe('ok');
      most = Math.max(most, deepest(dynamics));
    }
    expect(deepest(dynamics)).toBeLessThan(settings.overlap ?? Infinity);
    return { deepest: most, z: Array.from({ length: count }, (_, k) => dynamics.q[7 * k + 2]) };
  };

  it.each([false, true])('are not swallowed by them, some joined: %s', (joined) => {
    const plain = drop({}, joined);
    const lifted = drop({ overlap: 1e-4 }, joined);
    // What falls arrives later and deeper where the pile stands higher, by a step's way at the most.
    expect(lifted.deepest).toBeLessThan(2 * plain.deepest);
    lifted.z.forEach((z, k) => {
      expect(z).toBeGreaterThan(0.2 * k + 0.1 - 12e-4);
      expect(z).toBeLessThan(0.201 * k + 0.102);
    });
  });
});

describe('without dissipation', () => {
  it('nothing is lifted: a ball that bounces with e = 1 goes the same way', () => {
    const run = (settings: Partial<ContactDynamicsSettings>): ContactDynamics => {
      const dynamics = simulate(
        {
          bodies: [{ id: 'ball', mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0.8] }],
          loads: [weight(0, 0, -G)],
        },
        settings,
        detected([sphere(0.5)]),
        dry(0, 1),
      );
      const start = dynamics.system.potentialEnergy(dynamics.clock, dynamics.q);
      certified(dynamics, 3000, dry(0, 1), () => {
        const { energy } = dynamics;
        expect(Math.abs(energy[ENERGY.kinetic] + energy[ENERGY.potential] - start)).toBeLessThan(1e-11);
      });
      return dynamics;
    };
    expect(run({ overlap: TOLERANCE }).q).toEqual(run({}).q);
  });
});

describe('what nothing has paid for', () => {
  it('stays: a cube that is 1 mm deep from the start, until something dissipates', () => {
    const cube = (
      id: string,
      z: number,
      speed = 0,
    ): Parameters<typeof compileSpatial>[0]['bodies'][number] => ({
      id,
      mass: 1,
      inertia: [1 / 6, 1 / 6, 1 / 6],
      position: [0, 0, z],
      velocity: [0, 0, speed],
    });
    const shape = box(0.5, 0.5, 0.5);
    const run = (bodies: readonly ReturnType<typeof cube>[]): ContactDynamics => {
      const dynamics = simulate(
        { bodies, loads: [weight(0, 0, -G)] },
        { overlap: TOLERANCE, tolerance: 1e-6 },
        detected(bodies.map(() => shape)),
        dry(0.5),
        new AutomaticFriction(),
      );
      for (let k = 0; k < 100; k++) expect(dynamics.advance()).toBe('ok');
      return dynamics;
    };
    expect(run([cube('low', 0.499)]).q[2]).toBe(0.499);
    // Half a joule of what comes down is more than enough for 2 kg · g · 1 mm.
    const { q } = run([cube('low', 0.499), cube('high', 1.5, -1)]);
    expect(q[2]).toBeGreaterThan(0.5 - TOLERANCE);
    expect(q[9] - q[2]).toBeGreaterThan(1 - TOLERANCE);
  });
});

describe('a removal that the solver does not manage', () => {
  it('is said, and leaves positions as the step left them', () => {
    const system = compileSpatial({
      bodies: [
        { id: 'ball', mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0.45], velocity: [0, 0, -1] },
      ],
      joints: [],
      loads: [],
    });
    const floor = new GivenContacts([
      { body: 0, point: [0, 0, 0], radius: 0.5, normal: [0, 0, 1], offset: 0 },
    ]);
    const solver = gaussSeidel();
    let calls = 0;
    const dynamics = new ContactDynamics(
      system,
      floor,
      [dry(0)],
      {
        solve: (problem, tolerance, result) => {
          solver.solve(problem, tolerance, result);
          if (calls++ === 1) result.status = 'maxIterations';
        },
      },
      {
        t0: 0,
        h: 1e-3,
        motion: { gyroscopic: 'conserving' },
        tolerance: 1e-12,
        projects: false,
        overlap: TOLERANCE,
      },
    );
    expect(dynamics.advance()).toBe('overlapUnsolved');
    expect(dynamics.q[2]).toBeCloseTo(0.4495, 15);
  });
});
