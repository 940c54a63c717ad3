/**
 * Each joint's rows, coordinates and limits: H and ∇h against differences, H = ∇h T, and γ against ḧ along a
 * motion.
 */
import { describe, expect, it } from 'vitest';
import { EngineError } from '@engine/errors';
import { frameAlong } from '@engine/spatial/joints/joint';
import { type JointDescription, jointDefinitions } from '@engine/spatial/joints/registry';
import { multiplyQuaternions, normaliseQuaternion, rotate, transposedRate } from '@engine/spatial/quaternion';
import { RowSet } from '@engine/spatial/rows';
import type { SpatialSystem } from '@engine/spatial/system';
import { type Random, seeded } from '../support/random';
import { compile, pose, turnAbout, vector } from './support/models';
import { positionRate } from './support/motion';

const first = { body: 'a', point: [0.3, -0.2, 0.5], frame: turnAbout([1, 2, 3], 0.7) };
const second = { body: 'b', point: [-0.5, 0.7, 0.1], frame: turnAbout([-1, 1, 2], 1.9) };
const onGround = { body: 'ground', point: [0.2, 0.9, -0.4], frame: turnAbout([0, 1, -1], 0.4) };

const between = (one: typeof first, two: typeof first): JointDescription[] => {
  const ends = { id: 'j', first: one, second: two };
  return [
    { type: 'ball', ...ends },
    { type: 'knee', ...ends, limits: { bend: [0.2, 2] } },
    { type: 'revolute', ...ends, limits: { angle: [-1, 1] } },
    { type: 'prismatic', ...ends, limits: { displacement: [Number.NEGATIVE_INFINITY, 1] } },
    { type: 'cylindrical', ...ends, limits: { displacement: [0, 1], angle: [-1, Number.POSITIVE_INFINITY] } },
    { type: 'fixed', ...ends },
    { type: 'distance', ...ends, length: 0.8 },
    { type: 'rope', ...ends, limits: { length: [0, 2] } },
    { type: 'pointPlane', ...ends, limits: { gap: [0, Number.POSITIVE_INFINITY] } },
    { type: 'planar', ...ends, limits: { x: [-1, 1], y: [-1, 1], angle: [-2, 2] } },
    { type: 'universal', ...ends, limits: { alpha: [-1, 1], beta: [-0.5, 0.5] } },
  ];
};

const bodies = ['a', 'b'].map((id) => ({ id, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0] }));
const cases: [string, JointDescription][] = [
  ...between(first, second).map((d): [string, JointDescription] => [`${d.type} between bodies`, d]),
  ...between(onGround, second).map((d): [string, JointDescription] => [`${d.type} on the ground`, d]),
  ...between(first, onGround).map((d): [string, JointDescription] => [
    `${d.type} of the ground on a body`,
    d,
  ]),
];

const STEP = 1e-5;
const TOLERANCE = 2e-8;
const P = 14;
const V = 12;

const positionOf = (rows: RowSet, q: Float64Array): Float64Array => {
  const out = new Float64Array(rows.count);
  rows.position(q, out);
  return out;
};
const jacobianOf = (rows: RowSet, q: Float64Array, space: 'velocity' | 'position'): Float64Array => {
  const width = space === 'velocity' ? V : P;
  const out = new Float64Array(rows.count * width).fill(7);
  rows.jacobian(q, out, width, space);
  return out;
};
const difference = (f: (s: number) => Float64Array): number[] => {
  const [after, before] = [f(STEP), f(-STEP)];
  return [...after].map((x, r) => (x - before[r]) / (2 * STEP));
};
const rateOf = (rows: RowSet, q: Float64Array, v: Float64Array): Float64Array => {
  const h = jacobianOf(rows, q, 'velocity');
  return Float64Array.from({ length: rows.count }, (_, r) =>
    v.reduce((sum, x, i) => sum + h[r * V + i] * x, 0),
  );
};

/** All rows, coordinates and limits of a system as one set. */
const everything = ({ equations, coordinates, limits }: SpatialSystem): RowSet =>
  new RowSet([...equations.kinds, ...coordinates.kinds, ...limits.kinds]);

/** State at time s of the motion through (q, v) with the accelerations a, to second order in s, |Q| = 1. */
function along(q: Float64Array, v: Float64Array, a: Float64Array, s: number): [Float64Array, Float64Array] {
  const speed = v.map((x, i) => x + s * a[i]);
  const place = q.slice();
  const half = v.map((x, i) => x + 0.5 * s * a[i]);
  for (let k = 0; k < 2; k++) {
    for (let i = 0; i < 3; i++) place[7 * k + i] += s * half[6 * k + i];
    const omega = half.subarray(6 * k + 3, 6 * k + 6);
    const angle = s * Math.hypot(...omega);
    const turn = Float64Array.from(turnAbout([...omega], angle));
    multiplyQuaternions(place, 7 * k + 3, turn, 0, place, 7 * k + 3);
  }
  return [place, speed];
}

describe.each(cases)('%s', (_, description) => {
  const system = compile(bodies, [description]);
  const rows = everything(system);

  it('has as many equations and coordinates as its definition says', () => {
    const definition = jointDefinitions.find(({ type }) => type === description.type)!;
    expect(system.equations.count).toBe(definition.rows);
    expect(system.coordinates.labels.map(({ row }) => row)).toEqual(definition.coordinates);
    expect(system.joints[0].type).toBe(description.type);
  });

  it('has the gradients of its functions, by q and by v', () => {
    const random: Random = seeded(11);
    for (let n = 0; n < 10; n++) {
      const q = pose(random, 2);
      const gradient = jacobianOf(rows, q, 'position');
      for (let i = 0; i < P; i++) {
        const column = difference((s) =>
          positionOf(
            rows,
            q.map((x, j) => (j === i ? x + s : x)),
          ),
        );
        for (let r = 0; r < rows.count; r++) {
          // The third derivative of an angle next to where there is none grows as the cube of its gradient.
          const steep = Math.hypot(...gradient.subarray(r * P, (r + 1) * P));
          expect(Math.abs(gradient[r * P + i] - column[r])).toBeLessThan(TOLERANCE * (1 + steep ** 3));
        }
      }
      // H = ∇h T, row by row: ᵗT of each gradient.
      const h = jacobianOf(rows, q, 'velocity');
      for (let r = 0; r < rows.count; r++) {
        for (let k = 0; k < 2; k++) {
          const pulled = new Float64Array(6);
          pulled.set(gradient.subarray(r * P + 7 * k, r * P + 7 * k + 3));
          transposedRate(q, 7 * k + 3, gradient, r * P + 7 * k + 3, pulled, 3);
          for (let i = 0; i < 6; i++) expect(Math.abs(h[r * V + 6 * k + i] - pulled[i])).toBeLessThan(1e-12);
        }
      }
    }
  });

  it('has H = ∇h T off the sphere too', () => {
    const random = seeded(12);
    const q = vector(random, P);
    const v = vector(random, V);
    const gradient = jacobianOf(rows, q, 'position');
    const dq = positionRate(system, q, v);
    const rate = rateOf(rows, q, v);
    for (let r = 0; r < rows.count; r++) {
      const chain = dq.reduce((sum, x, i) => sum + gradient[r * P + i] * x, 0);
      expect(Math.abs(rate[r] - chain)).toBeLessThan(1e-12 * (1 + Math.abs(chain)));
    }
  });

  it('has γ = H v̇ − ḧ', () => {
    const random = seeded(13);
    for (let n = 0; n < 10; n++) {
      const [q, v, a] = [pose(random, 2), vector(random, V), vector(random, V)];
      const gamma = new Float64Array(rows.count);
      rows.gamma(q, v, gamma);
      const second = difference((s) => rateOf(rows, ...along(q, v, a, s)));
      const accelerated = rateOf(rows, q, a);
      for (let r = 0; r < rows.count; r++) {
        // Angles and distances of nearly degenerate states are steep.
        const scale = 1 + Math.abs(gamma[r]);
        expect(Math.abs(accelerated[r] - gamma[r] - second[r]) / scale).toBeLessThan(10 * TOLERANCE);
      }
    }
  });
});

describe('coordinates', () => {
  /**
   * The second body displaced and turned in the frame of the joint, both given in the world's frame at the
   * start.
   */
  const coordinatesAt = (type: JointDescription['type'], shift: number[], turn: number[]): number[] => {
    const frame = turnAbout([1, -1, 2], 0.8);
    const world = Float64Array.from(shift);
    rotate(Float64Array.from(frame), 0, world, 0, world, 0);
    const orientation = Float64Array.from(frame);
    multiplyQuaternions(orientation, 0, Float64Array.from(turn), 0, orientation, 0);
    const system = compile(
      [{ id: 'a', mass: 1, inertia: [1, 1, 1], position: [...world], orientation: [...orientation] }],
      [
        {
          type,
          id: 'j',
          first: { body: 'ground', frame },
          second: { body: 'a' },
          length: 1,
        },
      ],
    );
    const q = system.initialPositions();
    for (const x of positionOf(system.equations, q)) expect(Math.abs(x)).toBeLessThan(1e-15);
    return [...positionOf(system.coordinates, q)];
  };
  const close = (found: number[], expected: number[]): void => {
    expect(found.length).toBe(expected.length);
    expected.forEach((x, i) => expect(found[i]).toBeCloseTo(x, 13));
  };
  const about = (axis: number[], angle: number): number[] => turnAbout(axis, angle);

  it('are the angles and displacements of the second frame in the first', () => {
    close(coordinatesAt('revolute', [0, 0, 0], about([0, 0, 1], 2.5)), [2.5]);
    close(coordinatesAt('revolute', [0, 0, 0], about([0, 0, 1], -2.5)), [-2.5]);
    close(coordinatesAt('prismatic', [0, 0, -0.4], [1, 0, 0, 0]), [-0.4]);
    close(coordinatesAt('cylindrical', [0, 0, 0.4], about([0, 0, 1], 1)), [0.4, 1]);
    close(coordinatesAt('planar', [0.1, 0.2, 0], about([0, 0, 1], -1)), [0.1, 0.2, -1]);
    close(coordinatesAt('knee', [0, 0, 0], about([3, -4, 0], 1.2)), [1.2]);
    close(coordinatesAt('rope', [3, 4, 12], about([1, 1, 1], 1)), [13]);
    const both = Float64Array.from(about([1, 0, 0], 0.7));
    multiplyQuaternions(both, 0, Float64Array.from(about([0, 1, 0], -0.3)), 0, both, 0);
    close(coordinatesAt('universal', [0, 0, 0], [...both]), [0.7, -0.3]);
  });

  it('have a rate that is the relative angular velocity about the axis, on the joint', () => {
    const axis = [1, 2, -2];
    const frame = frameAlong(axis);
    const system = compile(
      [
        {
          id: 'a',
          mass: 1,
          inertia: [1, 2, 3],
          position: [0, 0, 0],
          orientation: turnAbout(axis, 0.9),
          spin: axis.map((x) => (x / 3) * 1.7),
        },
      ],
      [{ type: 'revolute', id: 'j', first: { body: 'ground', frame }, second: { body: 'a', frame } }],
    );
    const h = new Float64Array(6);
    system.coordinates.jacobian(system.initialPositions(), h, 6, 'velocity');
    const rate = system.initialVelocities().reduce((sum, x, i) => sum + h[i] * x, 0);
    expect(rate).toBeCloseTo(1.7, 14);
  });

  it('have no gradient where they have no direction', () => {
    const ends = { id: 'j', first: { body: 'ground' }, second: { body: 'a' } };
    const at = (joint: JointDescription, orientation: number[]): void => {
      const system = compile(
        [{ id: 'a', mass: 1, inertia: [1, 1, 1], position: [0, 0, 0], orientation }],
        [joint],
      );
      const { coordinates } = system;
      const h = new Float64Array(6 * coordinates.count).fill(1);
      const gamma = new Float64Array(coordinates.count).fill(1);
      coordinates.jacobian(system.initialPositions(), h, 6, 'velocity');
      coordinates.gamma(system.initialPositions(), Float64Array.of(0, 0, 0, 1, 2, 3), gamma);
      expect(h.every((x) => x === 0)).toBe(true);
      expect(Math.abs(gamma[0])).toBe(0);
    };
    at({ type: 'rope', ...ends }, [1, 0, 0, 0]);
    at({ type: 'knee', ...ends }, [1, 0, 0, 0]);
    // e_x upright on the plane of the hinge
    at({ type: 'revolute', ...ends }, [1, 0, 1, 0]);
  });
});

describe('frameAlong', () => {
  it('turns the third axis to a direction', () => {
    for (const axis of [
      [0, 0, 1],
      [0, 0, -2],
      [1, 0, 0],
      [3, -4, 12],
      [1e-9, 0, -1],
    ]) {
      const q = Float64Array.from(frameAlong(axis));
      expect(normaliseQuaternion(q.slice(), 0)).toBe(true);
      expect(Math.hypot(...q)).toBeCloseTo(1, 14);
      const z = Float64Array.of(0, 0, 1);
      rotate(q, 0, z, 0, z, 0);
      const length = Math.hypot(...axis);
      axis.forEach((x, i) => expect(Math.abs(z[i] - x / length)).toBeLessThan(1e-8));
    }
  });
});

describe('a joint is refused', () => {
  const codeOf = (act: () => unknown): string => {
    try {
      act();
    } catch (error) {
      if (error instanceof EngineError) return error.details.code;
    }
    return 'none';
  };
  const body = { id: 'a', mass: 1, inertia: [1, 1, 1], position: [0, 0, 0] };
  const ends = { id: 'j', first: { body: 'ground' }, second: { body: 'a' } };
  const refused: [string, () => unknown][] = [
    [
      'joint-coordinate-unknown',
      () => compile([body], [{ type: 'ball', ...ends, limits: { angle: [0, 1] } }]),
    ],
    [
      'joint-coordinate-unknown',
      () => compile([body], [{ type: 'revolute', ...ends, limits: { bend: [0, 1] } }]),
    ],
    [
      'joint-limits-crossed',
      () => compile([body], [{ type: 'revolute', ...ends, limits: { angle: [1, 0] } }]),
    ],
    [
      'joint-limits-crossed',
      () => compile([body], [{ type: 'revolute', ...ends, limits: { angle: [Number.NaN, 0] } }]),
    ],
    ['joint-on-one-body', () => compile([body], [{ type: 'ball', ...ends, second: { body: 'ground' } }])],
    ['length-not-positive', () => compile([body], [{ type: 'distance', ...ends, length: 0 }])],
    ['body-unknown', () => compile([body], [{ type: 'ball', ...ends, second: { body: 'b' } }])],
    [
      'body-unknown',
      () => compile([body], [], [{ type: 'bodyForce', id: 'push', on: 'ground', value: () => undefined }]),
    ],
    [
      'point-not-finite',
      () => compile([body], [{ type: 'ball', ...ends, second: { body: 'a', point: [0, Number.NaN, 0] } }]),
    ],
    [
      'frame-zero',
      () => compile([body], [{ type: 'ball', ...ends, second: { body: 'a', frame: [0, 0, 0, 0] } }]),
    ],
    ['id-taken', () => compile([body], [{ type: 'ball', ...ends, id: 'a' }])],
    ['id-taken', () => compile([{ ...body, id: 'ground' }])],
    ['mass-not-positive', () => compile([{ ...body, mass: 0 }])],
    ['inertia-not-positive', () => compile([{ ...body, inertia: [1, 0, 1] }])],
    ['inertia-not-positive', () => compile([{ ...body, inertia: [1, 1] }])],
    ['inertia-not-positive', () => compile([{ ...body, inertia: [1, 0.1, 0, 0, 1, 0, 0, 0, 1] }])],
    ['inertia-not-positive', () => compile([{ ...body, inertia: [1, 2, 0, 2, 1, 0, 0, 0, 1] }])],
    ['state-not-finite', () => compile([{ ...body, position: [0, 0, Number.NaN] }])],
    ['orientation-zero', () => compile([{ ...body, orientation: [0, 0, 0, 0] }])],
  ];

  it.each(refused)('%s', (code, act) => {
    expect(codeOf(act)).toBe(code);
  });
});
