/** Rotations, poses and matrices of the animation against rotation matrices after Rodrigues. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillMatrices, instanceGroups } from '@figures/animation/geometry/instancing';
import {
  fillPoses,
  interpolatePoses,
  POSE_NUMBERS,
  posePlan,
  startPoses,
} from '@figures/animation/geometry/poses';
import { fromZ, multiplyTo, rotated, slerpTo } from '@figures/animation/geometry/quaternions';
import {
  ground,
  planarBody,
  quaternion,
  rodrigues,
  sceneOf,
  shape,
  spatialBody,
  times,
  unit,
} from './support/scenes';

const coordinate = fc.double({ min: -3, max: 3, noNaN: true });
const vector = fc.tuple(coordinate, coordinate, coordinate);
const axis = vector.filter((v) => Math.hypot(...v) > 0.1).map(unit);
const angle = fc.double({ min: -3.1, max: 3.1, noNaN: true });

const expectClose = (a: ArrayLike<number>, b: ArrayLike<number>, digits = 12): void => {
  expect(a.length).toBe(b.length);
  Array.from(a).forEach((value, i) => expect(value).toBeCloseTo(b[i] ?? NaN, digits));
};

describe('rotations', () => {
  it('turn vectors as Rodrigues says', () => {
    fc.assert(
      fc.property(axis, angle, vector, (n, phi, v) => {
        expectClose(rotated(quaternion(n, phi), v), times(rodrigues(n, phi), v));
      }),
    );
  });

  it('follow each other from right to left', () => {
    fc.assert(
      fc.property(axis, angle, axis, angle, vector, (n, phi, m, psi, v) => {
        const product = [0, 0, 0, 0];
        multiplyTo(product, 0, quaternion(n, phi), 0, quaternion(m, psi), 0);
        expectClose(rotated(product, v), times(rodrigues(n, phi), times(rodrigues(m, psi), v)));
      }),
    );
  });

  it('turn z into any direction, the opposite one included', () => {
    expectClose(rotated(fromZ([0, 0, -1]), [0, 0, 1]), [0, 0, -1]);
    fc.assert(fc.property(axis, (n) => expectClose(rotated(fromZ(n), [0, 0, 1]), n, 12)));
  });

  it('are interpolated at constant speed about their common axis, the shorter way round', () => {
    fc.assert(
      fc.property(
        axis,
        angle,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.boolean(),
        (n, phi, s, flipped) => {
          const end = quaternion(n, phi).map((x) => (flipped ? -x : x));
          const out = [0, 0, 0, 0];
          slerpTo(out, 0, [1, 0, 0, 0], 0, end, 0, s);
          expectClose(rotated(out, [1, 2, 3]), times(rodrigues(n, s * phi), [1, 2, 3]), 9);
        },
      ),
    );
  });

  it('are of unit length after interpolation, also where the recorded ones are not quite', () => {
    const out = [0, 0, 0, 0];
    slerpTo(out, 0, [1.001, 0, 0, 0], 0, [0.999, 0, 0, 1e-9], 0, 0.5);
    expect(Math.hypot(...out)).toBeCloseTo(1, 14);
  });
});

describe('poses of a row', () => {
  const scene = sceneOf(ground, spatialBody('ball'), planarBody('rod'));
  const all = new Set(scene.bodies.flatMap(({ motion }) => motion?.signals ?? []));

  it('are read from the signals that the scene names; what does not move stays', () => {
    const plan = posePlan(scene, all);
    expect(plan.signals).toHaveLength(10);
    const values = [1, 2, 3, ...quaternion([0, 1, 0], 0.4), -1, 5, 0.6];
    const columns = values.map((value) => Float64Array.of(NaN, value));
    const poses = startPoses(scene);
    fillPoses(poses, plan, columns, 1);
    expectClose(poses.subarray(0, POSE_NUMBERS), [0, 0, 0, 1, 0, 0, 0]);
    expectClose(poses.subarray(POSE_NUMBERS, 2 * POSE_NUMBERS), values.slice(0, 7));
    expectClose(poses.subarray(2 * POSE_NUMBERS), [-1, 5, 0, ...quaternion([0, 0, 1], 0.6)]);
  });

  it('of a body whose signals are not all recorded are those of the start', () => {
    all.delete('ball.qz');
    const plan = posePlan(scene, all);
    all.add('ball.qz');
    expect(plan.unrecorded).toEqual(['ball']);
    expect(plan.signals).toEqual(['rod.x', 'rod.y', 'rod.phi']);
  });

  it('lie between two rows at the fraction asked for, and on them at its ends', () => {
    const a = Float64Array.of(0, 0, 0, 1, 0, 0, 0);
    const b = Float64Array.of(2, -4, 6, ...quaternion([0, 0, 1], 1));
    const out = new Float64Array(POSE_NUMBERS);
    interpolatePoses(out, a, b, 0.25);
    expectClose(out, [0.5, -1, 1.5, ...quaternion([0, 0, 1], 0.25)]);
    interpolatePoses(out, a, b, 0);
    expectClose(out, a);
    interpolatePoses(out, a, b, 1);
    expectClose(out, b);
  });
});

describe('copies of one form', () => {
  it('are all shapes that differ by their size only', () => {
    const scene = sceneOf(
      ground,
      spatialBody('a', shape({ kind: 'sphere', radius: 1 }), shape({ kind: 'box', halfLengths: [1, 2, 3] })),
      spatialBody('b', shape({ kind: 'sphere', radius: 0.2 })),
      spatialBody('c', shape({ kind: 'capsule', radius: 0.1, halfLength: 0.3 })),
      spatialBody('d', shape({ kind: 'capsule', radius: 0.2, halfLength: 0.6 })),
      spatialBody('e', shape({ kind: 'capsule', radius: 0.2, halfLength: 0.5 })),
    );
    const groups = instanceGroups(scene);
    expect(groups.map(({ form, bodies }) => [form.kind, [...bodies]])).toEqual([
      ['sphere', [1, 2]],
      ['box', [1]],
      ['capsule', [3, 4]],
      ['capsule', [5]],
    ]);
    expect([...(groups[0]?.scales ?? [])]).toEqual([1, 1, 1, 0.2, 0.2, 0.2]);
    expect([...(groups[1]?.scales ?? [])]).toEqual([1, 2, 3]);
  });

  it('have the matrix of the body times that of the shape times the scale', () => {
    fc.assert(
      fc.property(vector, axis, angle, vector, axis, angle, vector, (x, n, phi, s, m, psi, p) => {
        const box = shape({ kind: 'box', halfLengths: [0.5, 1, 2] }, s, quaternion(m, psi));
        const [group] = instanceGroups(sceneOf(spatialBody('a', box)));
        const out = new Float32Array(16);
        fillMatrices(out, group, Float64Array.of(...x, ...quaternion(n, phi)));
        const seen = [0, 1, 2].map(
          (i) => out[i] * p[0] + out[4 + i] * p[1] + out[8 + i] * p[2] + out[12 + i],
        );
        const inBody = times(rodrigues(m, psi), [0.5 * p[0], p[1], 2 * p[2]]).map((value, i) => value + s[i]);
        const wanted = times(rodrigues(n, phi), inBody).map((value, i) => value + x[i]);
        expectClose(seen, wanted, 4);
        expect([out[3], out[7], out[11], out[15]]).toEqual([0, 0, 0, 1]);
      }),
    );
  });
});
