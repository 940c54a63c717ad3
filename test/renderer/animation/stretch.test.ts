/** Bodies that deform in a picture: F = R U, and matrices that take corners where F does. */
import { expect, it } from 'vitest';
import type { Scene } from '@engine/scene/scene';
import { fillMatrices, instanceGroups } from '@figures/animation/geometry/instancing';
import {
  fillPoses,
  interpolatePoses,
  POSE_NUMBERS,
  poseNumbers,
  posePlan,
  startPoses,
} from '@figures/animation/geometry/poses';
import { rotated } from '@figures/animation/geometry/quaternions';
import { polarTo, stretchTo } from '@figures/animation/geometry/stretch';
import { startBox } from '@figures/animation/geometry/motion-bounds';

const signals = Array.from({ length: 12 }, (_, k) => `soft.q[${k}]`);
const shape = {
  geometry: { kind: 'box', halfLengths: [1, 2, 3] },
  position: [0.5, 0, 0],
  orientation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
} as const;
const scene: Scene = {
  bodies: [
    { id: 'stone', position: [9, 0, 0], orientation: [1, 0, 0, 0], motion: null, shapes: [shape] },
    {
      id: 'soft',
      position: [1, 2, 3],
      orientation: [1, 0, 0, 0],
      deformation: [2, 0, 0, 0, 1, 0, 0, 0, 1],
      motion: { kind: 'affine', signals },
      shapes: [shape],
    },
  ],
  joints: [],
};
const F = [0.2, -1.1, 0.1, 0.9, 0.3, 0, 0.1, 0.2, 1.3];
const apply = (f: readonly number[], x: readonly number[]): number[] =>
  [0, 1, 2].map((i) => f[3 * i] * x[0] + f[3 * i + 1] * x[1] + f[3 * i + 2] * x[2]);
const columns = [4, 5, 6, ...F].map((x) => Float64Array.of(x));

it('a deformation gradient is a turn after a stretch', () => {
  const [turn, stretch] = [new Float64Array(4), new Float64Array(6)];
  polarTo(turn, 0, stretch, 0, F);
  expect(Math.hypot(...turn)).toBeCloseTo(1, 14);
  for (const x of [
    [1, 0, 0],
    [0, 1, 0],
    [0.3, -0.2, 2],
  ] as const) {
    const stretched = new Float64Array(3);
    stretchTo(stretched, 0, stretch, 0, x[0], x[1], x[2]);
    rotated(turn, [stretched[0], stretched[1], stretched[2]]).forEach((value, i) =>
      expect(value).toBeCloseTo(apply(F, x)[i], 13),
    );
  }
});

it('the matrix of a shape takes its corners where F takes them', () => {
  const plan = posePlan(scene, new Set(signals));
  const poses = startPoses(scene);
  expect(poses.length).toBe(poseNumbers(scene));
  expect(poses.length).toBe(2 * POSE_NUMBERS + 6);
  expect([...poses.subarray(2 * POSE_NUMBERS)]).toEqual([2, 1, 1, 0, 0, 0]);
  fillPoses(poses, plan, columns, 0);
  const [group] = instanceGroups(scene);
  const out = new Float32Array(32);
  fillMatrices(out, group, poses);
  const corner = [1, -1, 1];
  // In the frame of the body: the shape is turned by 90° about z, and moved.
  const inBody = rotated(shape.orientation, [1, -2, 3]).map((x, i) => x + shape.position[i]);
  apply(F, inBody).forEach((x, i) => {
    const drawn = corner.reduce((sum, c, k) => sum + c * out[16 + 4 * k + i], out[16 + 12 + i]);
    expect(drawn).toBeCloseTo(x + [4, 5, 6][i], 5);
  });
  // What does not deform is drawn as it was.
  expect([...out.subarray(12, 15)]).toEqual([9.5, 0, 0]);
});

it('the room of a scene is that of the stretched body', () => {
  const { least, most } = startBox({ bodies: [scene.bodies[1]], joints: [] });
  // The box, turned by 90° about z, reaches from x = −1.5 to 2.5 in the frame of the body; F doubles that.
  expect(least[0]).toBeCloseTo(1 - 3, 12);
  expect(most[0]).toBeCloseTo(1 + 5, 12);
  expect([least[1], most[1]]).toEqual([expect.closeTo(1, 12), expect.closeTo(3, 12)]);
  expect([least[2], most[2]]).toEqual([expect.closeTo(0, 12), expect.closeTo(6, 12)]);
});

it('between two pictures stretches lie on the chord', () => {
  const [a, b] = [startPoses(scene), startPoses(scene)];
  b[2 * POSE_NUMBERS] = 4;
  const out = startPoses(scene);
  interpolatePoses(out, a, b, 0.25, scene.bodies.length);
  expect(out[2 * POSE_NUMBERS]).toBeCloseTo(2.5, 14);
  expect(out[POSE_NUMBERS]).toBe(1);
});
