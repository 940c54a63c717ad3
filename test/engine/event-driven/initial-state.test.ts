/** Initial states of models with joints: what is wrong with them, and the nearest one that is right. */
import { describe, expect, it } from 'vitest';
import type { InteractionDocument, SystemDocument } from '@engine/document/types';
import { EngineError } from '@engine/errors';
import {
  initialRedundancy,
  projectInitialState,
  startDefects,
} from '@engine/event-driven/joints/initial-state';
import { describeRedundancy } from '@engine/multibody/redundancy';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { body, G, joint } from '../support/bodies';
import { buildSound } from '../support/built';
import { particle, model } from '../support/models';
import { simulateEvents } from './support';

const of = (systems: SystemDocument[], interactions: InteractionDocument[]): NonSmoothDynamicalSystem =>
  buildSound(model(systems, interactions)).model;
const rod = (systems: string[], length = 1): InteractionDocument =>
  joint('rod', systems, { type: 'Distance', length });

/** The error of something. @throws when there is none */
function failureOf(act: () => unknown): EngineError {
  try {
    act();
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error('there was no error');
}

describe('a pendulum that starts off its rod', () => {
  const off = (): NonSmoothDynamicalSystem => of([body('bob', [1.1, 0, 0.2], [0.3, 2, 0.1])], [rod(['bob'])]);

  it('is refused with the name of the rod and how much it is off', () => {
    const error = failureOf(() => simulateEvents(off()));
    expect(error.details).toMatchObject({ code: 'inconsistent-start', where: 'rod', time: 0 });
    // ½ (1.1² − 1)
    expect(error.message).toContain('1.050e-1');
    expect(error.details.remedy).toContain('projected');
  });

  it('says what is violated, positions first, with units', () => {
    expect(startDefects(off(), 0)).toMatchObject([
      {
        constraint: 'rod',
        row: 'length',
        level: 'position',
        size: expect.closeTo(0.105, 12) as number,
        unit: 'm',
        isKept: false,
        message: 'The initial positions violate “rod” (length) by 0.1050 m.',
      },
      {
        constraint: 'rod',
        row: 'length',
        level: 'velocity',
        size: expect.closeTo(0.33, 12) as number,
        unit: 'm/s',
      },
    ]);
  });

  it('is moved onto it, along the rod, with what it does across; its angle is left alone', () => {
    const { status, q, v, moved } = projectInitialState(off(), 0);
    expect(status).toBe('ok');
    expect([...q, ...v].map((x) => Number(x.toFixed(12)) + 0)).toEqual([1, 0, 0.2, 0, 2, 0.1]);
    expect(moved).toEqual([
      { system: 'bob', coordinate: 0, from: [1.1, 0.3], to: [expect.closeTo(1, 12), expect.closeTo(0, 12)] },
    ]);
  });

  it('is left alone when it is right', () => {
    const right = of([body('bob', [1, 0, 0])], [rod(['bob'])]);
    expect(startDefects(right, 0)).toEqual([]);
    expect(projectInitialState(right, 0)).toMatchObject({ status: 'ok', moved: [] });
  });
});

it('of two bodies the lighter one gives way', () => {
  const heavy = body('heavy', [0, 0, 0], [0, 0, 0], { mass: 3 });
  const light = body('light', [1.4, 0, 0], [0.8, 0, 0], { mass: 1 });
  const { q, v } = projectInitialState(of([heavy, light], [rod(['heavy', 'light'])]), 0);
  // The mass centre and the momentum stay.
  expect(q[0]).toBeCloseTo(0.1, 12);
  expect(q[3]).toBeCloseTo(1.1, 12);
  expect(v[0]).toBeCloseTo(0.2, 12);
  expect(v[3]).toBeCloseTo(0.2, 12);
});

it('a driver takes part in the velocities, and systems without joints do not', () => {
  const driver = joint('motor', ['arm'], { type: 'Driver', start: 0.5, rate: 2 });
  const pin = joint('pin', ['arm'], { type: 'Revolute', point2: [-1, 0] });
  const { status, q, v } = projectInitialState(
    of([particle('ball', 7, 8), body('arm', [1, 0.4, 0.4])], [pin, driver]),
    0,
  );
  expect(status).toBe('ok');
  const expected = [7, Math.cos(0.5), Math.sin(0.5), 0.5, 8, -2 * Math.sin(0.5), 2 * Math.cos(0.5), 2];
  [...q, ...v].forEach((value, k) => expect(value).toBeCloseTo(expected[k], 10));
});

it('what a law that asks for ẏ = 0 alone would keep is projected onto zero, as any joint', () => {
  const relation = { type: 'LagrangianLinear', H: [[1, 1]] };
  const systems = [particle('a', 1, 2), particle('b', 3, 0)];
  const { q, v } = projectInitialState(of(systems, [joint('tie', ['a', 'b'], relation)]), 0);
  expect([...q]).toEqual([expect.closeTo(-1, 14), expect.closeTo(1, 14)]);
  expect([...v]).toEqual([expect.closeTo(1, 14), expect.closeTo(-1, 14)]);
  const law = { type: 'Equality', level: 'position' };
  const strict = projectInitialState(of(systems, [joint('tie', ['a', 'b'], relation, law)]), 0);
  expect([...strict.q]).toEqual([expect.closeTo(-1, 14), expect.closeTo(1, 14)]);
});

it('a mechanism that cannot be assembled is said to be none', () => {
  const anchors = [rod(['bob']), joint('other', ['bob'], { type: 'Distance', point1: [5, 0], length: 1 })];
  const { status, q, moved } = projectInitialState(of([body('bob', [1, 0.3, 0])], anchors), 0);
  expect(status).not.toBe('ok');
  expect([...q]).toEqual([1, 0.3, 0]);
  expect(moved).toEqual([]);
});

describe('redundant joints', () => {
  /** A platform on three parallel cranks, of which one says nothing new. */
  const platform = (third = 1): NonSmoothDynamicalSystem =>
    of(
      [body('platform', [0, -1, 0])],
      [-1, 0, 1].map((x, k) =>
        joint(`crank${k}`, ['platform'], {
          type: 'Distance',
          point1: [x, 0],
          point2: [x, 0],
          length: k === 2 ? third : 1,
        }),
      ),
    );

  it('are named with the rank', () => {
    const report = initialRedundancy(platform(), 0);
    expect(report).toMatchObject({ rows: 3, rank: 2 });
    expect(report.redundant.map(({ constraint, repeats }) => [constraint, repeats])).toEqual([
      ['crank2', ['crank0', 'crank1']],
    ]);
    expect(describeRedundancy(report)).toBe(
      'The 3 constraint equations have rank 2: “crank2” (length) repeats “crank0”, “crank1”.',
    );
  });

  it.each(['Projection', 'Direct'] as const)(
    'do not stop %s, which gives them no force of their own',
    (type) => {
      const start = of(
        [body('platform', [0, -1, 0], [2, 0, 0])],
        platform().interactions.map((_, k) =>
          joint(`crank${k}`, ['platform'], {
            type: 'Distance',
            point1: [k - 1, 0],
            point2: [k - 1, 0],
            length: 1,
          }),
        ),
      );
      const simulation = simulateEvents(start, { tEnd: 1, constraints: { type } });
      expect(simulation.redundancy.rank).toBe(2);
      // At the lowest point: weight and centripetal force, on cranks of which the last has none.
      const forces = [...simulation.state.subarray(1 + 6 + 6, 1 + 6 + 9)].map((x) => -x);
      expect(forces.reduce((sum, x) => sum + x, 0)).toBeCloseTo(G + 4, 9);
      expect(Math.abs(forces[2])).toBe(0);
      simulation.run();
      // All cranks are parallel: the platform is a pendulum that does not turn.
      expect(Math.abs(simulation.state[3])).toBeLessThan(1e-9);
      expect(Math.hypot(simulation.state[1], simulation.state[2])).toBeCloseTo(1, 9);
    },
  );

  it.each(['SimplePartitioning', 'FullPartitioning'] as const)('are refused by %s', (type) => {
    const error = failureOf(() => simulateEvents(platform(), { constraints: { type } }));
    expect(error.details).toMatchObject({ code: 'constraints-redundant', where: 'crank2' });
    expect(error.message).toContain('rank 2');
  });

  it('are left out of a projection that satisfies them all the same', () => {
    const { status, q } = projectInitialState(
      of(
        [body('platform', [0.01, -0.97, 0])],
        [-1, 0, 1].map((x, k) =>
          joint(`crank${k}`, ['platform'], { type: 'Distance', point1: [x, 0], point2: [x, 0], length: 1 }),
        ),
      ),
      0,
    );
    expect(status).toBe('ok');
    expect(Math.hypot(q[0], q[1])).toBeCloseTo(1, 9);
    expect(q[2]).toBeCloseTo(0, 9);
  });

  it('that contradict one another are an error under every formulation', () => {
    const motor = (id: string, rate: number): InteractionDocument =>
      joint(id, ['wheel'], { type: 'Driver', rate });
    const wheel = body('wheel', [0, 0, 0], [0, 0, 1]);
    for (const type of ['Projection', 'Direct', 'SimplePartitioning'] as const) {
      const error = failureOf(() =>
        simulateEvents(of([wheel], [motor('one', 1), motor('two', 3)]), { constraints: { type } }),
      );
      expect(error.details).toMatchObject({ code: 'constraints-contradictory', where: 'two' });
    }
  });
});
