/** Initial states that do not satisfy the constraints, and constraints that depend on one another. */
import { describe, expect, it } from 'vitest';
import { ConstrainedMotion } from '../oracles/planar/constrained-motion';
import { correctInitialState, findViolations, requireConsistent } from '@engine/multibody/consistency';
import { constantMotion, uniformMotion } from '@engine/multibody/rows';
import type { ConstraintDescription } from '../oracles/planar/compile';
import { findRedundancy, requireIndependent } from '@engine/multibody/redundancy';
import type { MultibodySystem } from '../oracles/planar/system';
import { seeded } from '../support/random';
import { compile, doublePendulum, pendulum, sliderCrank } from './support/mechanisms';
import { start } from './support/motion';

const clock = Float64Array.of(0);
const failure = (details: object): Error =>
  expect.objectContaining({ details: expect.objectContaining(details) as unknown }) as Error;

describe('an inconsistent start', () => {
  it('is named with constraint, equation and size, worst first', () => {
    const system = doublePendulum([0.3, 0.5]);
    const q = system.initialPositions();
    const v = system.initialVelocities();
    expect(findViolations(system, clock, q, v)).toEqual([]);
    q[3] += 0.02;
    q[4] += 0.001;
    q[1] -= 0.005;
    v[4] += 0.1;
    const violations = findViolations(system, clock, q, v);
    expect(violations.map(({ constraint, row, level }) => `${constraint} ${row} ${level}`)).toEqual([
      'elbow y velocity',
      'elbow x position',
      'elbow y position',
      'shoulder y position',
    ]);
    expect(violations[0].size).toBeCloseTo(0.1, 12);
    expect(violations[0].unit).toBe('m/s');
    expect(violations[1].size).toBeCloseTo(0.02, 12);
    expect(violations[1].unit).toBe('m');
    expect(() => requireConsistent(system, clock, q, v)).toThrow(
      failure({
        code: 'initial-position-inconsistent',
        where: 'elbow',
        message: 'The initial positions violate “elbow” (x) by 0.02000 m; one more constraint is violated.',
      }),
    );
  });

  it('is refused by a motion, also where only velocities are', () => {
    const system = sliderCrank(uniformMotion(0.7, 5));
    const q = system.initialPositions();
    const v = system.initialVelocities();
    v[2] = 4;
    expect(() => new ConstrainedMotion(system, q, v, { formulation: { type: 'direct' }, h: 0.01 })).toThrow(
      failure({
        code: 'initial-velocity-inconsistent',
        where: 'motor',
        message: expect.stringContaining('“motor” (angle) by -1.000 rad/s') as unknown,
      }),
    );
    q[2] = Number.NaN;
    expect(() => new ConstrainedMotion(system, q, v, { formulation: { type: 'direct' }, h: 0.01 })).toThrow(
      failure({ code: 'initial-position-inconsistent' }),
    );
  });

  it('is mended on request, and says by how much', () => {
    const system = sliderCrank(uniformMotion(0.7, 5));
    const random = seeded(31);
    for (let k = 0; k < 20; k++) {
      const q = system.initialPositions().map((x) => x + random.uniform(-0.03, 0.03));
      const v = new Float64Array(9);
      const before = q.slice();
      const { status, position, velocity } = correctInitialState(system, clock, q, v);
      expect(status).toBe('ok');
      expect(findViolations(system, clock, q, v, 1e-13)).toEqual([]);
      const moved = q.map((x, i) => Math.abs(x - before[i]));
      expect(position.size).toBe(Math.max(...moved));
      expect(position.coordinate).toBe(system.coordinateLabel(moved.indexOf(position.size)));
      // Fully driven: there is one state only.
      system.initialPositions().forEach((x, i) => expect(q[i]).toBeCloseTo(x, 12));
      system.initialVelocities().forEach((x, i) => expect(v[i]).toBeCloseTo(x, 11));
      expect(velocity.coordinate).toBe('crank.phi');
      expect(velocity.size).toBeCloseTo(5, 11);
    }
  });

  it('is corrected to the nearest state in the metric of the mass', () => {
    // Two beads on one rod: the light one gives way to the heavy one, m₁ Δ₁ = m₂ Δ₂.
    const system = compile(
      [
        { id: 'heavy', mass: 99, inertia: 1, position: [0, 0, 0.4] },
        { id: 'light', mass: 1, inertia: 1, position: [1.5, 0, 0.7], velocity: [3, 1, 0] },
      ],
      [{ type: 'distance', id: 'rod', first: { body: 'heavy' }, second: { body: 'light' }, length: 1 }],
    );
    const q = system.initialPositions();
    const v = system.initialVelocities();
    expect(correctInitialState(system, clock, q, v).status).toBe('ok');
    [0.005, 0, 0.4, 1.005, 0, 0.7].forEach((x, i) => expect(q[i]).toBeCloseTo(x, 13));
    [0.03, 0, 0, 0.03, 1, 0].forEach((x, i) => expect(v[i]).toBeCloseTo(x, 13));
    // In general: M (q − q̃) is a combination of the rows of Φ_q at the corrected state, here along the rod.
    const skew = Float64Array.of(0, 0, 0, 0.9, 0.8, 0);
    const given = skew.slice();
    expect(correctInitialState(system, clock, skew, new Float64Array(6)).status).toBe('ok');
    const along = [skew[3] - skew[0], skew[4] - skew[1]];
    const push = [99 * (skew[0] - given[0]), 99 * (skew[1] - given[1])];
    expect(push[0] * along[1] - push[1] * along[0]).toBeCloseTo(0, 13);
    expect(push[0] + (skew[3] - given[3])).toBeCloseTo(0, 12);
    expect(push[1] + (skew[4] - given[4])).toBeCloseTo(0, 12);
  });

  it('is mended to rounding also next to a dead point, where rounding is large', () => {
    // A circle that nearly touches a line: the place along the line is known to 10⁵ times the rounding of the
    // distance.
    const alpha = 3e-6;
    const random = seeded(32);
    for (let k = 0; k < 100; k++) {
      const turn = random.uniform(0, 2 * Math.PI);
      const length = random.uniform(0.5, 2);
      const at = (radius: number, angle: number): [number, number] => [
        radius * Math.cos(angle),
        radius * Math.sin(angle),
      ];
      const [x, y] = at(length, turn + 1.2 * alpha);
      const system = compile(
        [{ id: 'bead', mass: 1, inertia: 1, position: [x, y, 0] }],
        [
          { type: 'distance', id: 'rod', first: { body: 'ground' }, second: { body: 'bead' }, length },
          {
            type: 'pointOnLine',
            id: 'line',
            first: { body: 'ground', point: at(length * Math.cos(alpha), turn) },
            second: { body: 'bead' },
            axis: turn + Math.PI / 2,
          },
        ],
      );
      const q = system.initialPositions();
      expect(correctInitialState(system, clock, q, new Float64Array(3)).status).toBe('ok');
      expect(findViolations(system, clock, q, new Float64Array(3), 1e-14)).toEqual([]);
    }
  });

  it('that cannot be mended stays as it is', () => {
    // A triangle of rods 1, 1 and 3 does not close.
    const rod = (id: string, first: string, second: string, length: number): ConstraintDescription => ({
      type: 'distance',
      id,
      first: { body: first },
      second: { body: second },
      length,
    });
    const system = compile(
      [
        { id: 'a', mass: 1, inertia: 1, position: [1, 0, 0] },
        { id: 'b', mass: 1, inertia: 1, position: [0, 1.2, 0] },
      ],
      [rod('one', 'ground', 'a', 1), rod('two', 'a', 'b', 1), rod('three', 'b', 'ground', 3)],
    );
    const q = system.initialPositions();
    const v = system.initialVelocities();
    const { status } = correctInitialState(system, clock, q, v);
    expect(status).toBe('positionNotConverged');
    expect(q).toEqual(system.initialPositions());
    expect(v).toEqual(system.initialVelocities());
  });
});

describe('constraints that depend on one another', () => {
  const pin: ConstraintDescription = {
    type: 'revolute',
    id: 'pin',
    first: { body: 'ground' },
    second: { body: 'bar', point: [-1, 0] },
  };
  const bar = (...constraints: ConstraintDescription[]): MultibodySystem =>
    compile([{ id: 'bar', mass: 1, inertia: 1, position: [1, 0, 0] }], [pin, ...constraints]);
  const rank = (system: MultibodySystem) =>
    findRedundancy(system, clock, system.initialPositions(), system.initialVelocities());

  it('are none in a mechanism', () => {
    expect(rank(sliderCrank())).toEqual({ rows: 8, rank: 8, redundant: [] });
    expect(rank(pendulum())).toEqual({ rows: 1, rank: 1, redundant: [] });
  });

  it('are named with rank, equation and what they repeat', () => {
    const system = bar({
      type: 'distance',
      id: 'tie',
      first: { body: 'ground' },
      second: { body: 'bar' },
      length: 1,
    });
    expect(rank(system)).toEqual({
      rows: 3,
      rank: 2,
      redundant: [{ constraint: 'tie', row: 'length', index: 2, repeats: ['pin'], contradiction: 0 }],
    });
    expect(() => start(system, { type: 'direct' }, 0.1)).toThrow(
      failure({
        code: 'constraints-redundant',
        where: 'tie',
        message: 'The 3 constraint equations have rank 2: “tie” (length) repeats “pin”.',
      }),
    );
  });

  it('are found in a parallelogram with a third crank', () => {
    const crank = (id: string, x: number) => ({
      id,
      mass: 1,
      inertia: 1,
      position: [x + 0.3, 0.4, 0] as const,
    });
    const joints = (id: string, x: number): ConstraintDescription[] => [
      {
        type: 'revolute',
        id: `${id} foot`,
        first: { body: 'ground', point: [x, 0] },
        second: { body: id, point: [-0.3, -0.4] },
      },
      {
        type: 'revolute',
        id: `${id} head`,
        first: { body: id, point: [0.3, 0.4] },
        second: { body: 'table', point: [x - 1, 0] },
      },
    ];
    const system = compile(
      [
        crank('a', 0),
        crank('b', 1),
        crank('c', 2),
        { id: 'table', mass: 1, inertia: 1, position: [1.6, 0.8, 0] },
      ],
      [...joints('a', 0), ...joints('b', 1), ...joints('c', 2)],
    );
    const { rows, rank: found, redundant } = rank(system);
    expect([rows, found]).toEqual([12, 11]);
    expect(redundant.map(({ constraint }) => constraint)).toEqual(['c head']);
    expect(redundant[0].contradiction).toBe(0);
    expect(redundant[0].repeats).toContain('c foot');
  });

  it('contradict each other where they prescribe different motions', () => {
    const drive = (id: string, rate: number): ConstraintDescription => ({
      type: 'driver',
      id,
      driven: { body: 'bar' },
      coordinate: 'angle',
      motion: uniformMotion(0, rate),
    });
    const system = bar(drive('one', 1), drive('two', 3));
    const { redundant } = rank(system);
    expect(redundant).toEqual([
      {
        constraint: 'two',
        row: 'angle',
        index: 3,
        repeats: ['one'],
        contradiction: expect.closeTo(2, 12) as number,
      },
    ]);
    const q = system.initialPositions();
    expect(() => requireIndependent(system, clock, q, new Float64Array(3))).toThrow(
      failure({
        code: 'constraints-contradictory',
        where: 'two',
        message: expect.stringContaining('contradicts “one”, by 2.000') as unknown,
      }),
    );
    // The same in the second derivative: one accelerates, the other does not.
    const accelerating = bar(drive('one', 0), {
      type: 'driver',
      id: 'two',
      driven: { body: 'bar' },
      coordinate: 'angle',
      motion: (_, out) => out.set([0, 0, 4]),
    });
    expect(rank(accelerating).redundant[0].contradiction).toBeCloseTo(4, 12);
  });

  it('include one that constrains nothing', () => {
    // Its two ends are in one place, so that the rod has no direction.
    const system = compile(
      [{ id: 'bar', mass: 1, inertia: 1, position: [0, 0, 0] }],
      [
        {
          type: 'distance',
          id: 'rope',
          first: { body: 'ground' },
          second: { body: 'bar' },
          length: constantMotion(1),
        },
      ],
    );
    expect(() => requireIndependent(system, clock, new Float64Array(3), new Float64Array(3))).toThrow(
      failure({
        code: 'constraints-redundant',
        message: expect.stringContaining('constrains nothing') as unknown,
      }),
    );
  });

  it('are more than there are coordinates', () => {
    const system = bar(
      { type: 'driver', id: 'one', driven: { body: 'bar' }, coordinate: 'angle', motion: constantMotion(0) },
      { type: 'driver', id: 'two', driven: { body: 'bar' }, coordinate: 'x', motion: constantMotion(1) },
    );
    expect(() => start(system, { type: 'fullPartitioning' }, 0.1)).toThrow(
      failure({
        code: 'constraints-redundant',
        where: 'two',
        message: expect.stringContaining('The 4 constraint equations have rank 3') as unknown,
      }),
    );
  });
});
