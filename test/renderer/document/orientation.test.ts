/** Turns and angles of Euler against products of rotation matrices, and back again. */
import { describe, expect, it } from 'vitest';
import {
  eulerOf,
  type OrientationQuaternion,
  quaternionOfEuler,
  quaternionOfTurn,
  type Triple,
  turnOf,
} from '@renderer/document/orientation';

type Matrix = number[][];

const product = (a: Matrix, b: Matrix): Matrix =>
  a.map((row) => [0, 1, 2].map((j) => row.reduce((sum, entry, k) => sum + entry * b[k][j], 0)));

/** Rotation matrices about the axes, as they stand in any textbook. */
const about = {
  x: (a: number): Matrix => [
    [1, 0, 0],
    [0, Math.cos(a), -Math.sin(a)],
    [0, Math.sin(a), Math.cos(a)],
  ],
  y: (a: number): Matrix => [
    [Math.cos(a), 0, Math.sin(a)],
    [0, 1, 0],
    [-Math.sin(a), 0, Math.cos(a)],
  ],
  z: (a: number): Matrix => [
    [Math.cos(a), -Math.sin(a), 0],
    [Math.sin(a), Math.cos(a), 0],
    [0, 0, 1],
  ],
};

/** Where a quaternion takes the unit vectors, by the product Q ∘ (0, e) ∘ Q*. */
function matrixOf([w, x, y, z]: OrientationQuaternion): Matrix {
  const times = (a: number[], b: number[]): number[] => [
    a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
    a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
    a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
  ];
  const columns = [
    [0, 1, 0, 0],
    [0, 0, 1, 0],
    [0, 0, 0, 1],
  ].map((unit) => times(times([w, x, y, z], unit), [w, -x, -y, -z]).slice(1));
  return [0, 1, 2].map((i) => columns.map((column) => column[i]));
}

function expectClose(a: Matrix, b: Matrix): void {
  a.forEach((row, i) => row.forEach((entry, j) => expect(entry).toBeCloseTo(b[i][j], 13)));
}

const ANGLES = [-3, -Math.PI / 2, -0.7, 0, 0.4, Math.PI / 2, 2.9];

describe('the quaternion of angles', () => {
  it('of Euler is the product of the turns about z, the new y and the new x', () => {
    for (const yaw of ANGLES)
      for (const pitch of ANGLES)
        for (const roll of ANGLES) {
          const quaternion = quaternionOfEuler([yaw, pitch, roll]);
          if (quaternion === null) throw new Error('no quaternion');
          expect(Math.hypot(...quaternion)).toBeCloseTo(1, 14);
          expectClose(matrixOf(quaternion), product(product(about.z(yaw), about.y(pitch)), about.x(roll)));
          // The angles read back may be others of the same orientation, as at a pitch beyond 90°.
          const back = quaternionOfEuler(eulerOf(quaternion) ?? [0, 0, 0]);
          if (back === null) throw new Error('no quaternion');
          const digits = Math.abs(Math.abs(pitch) - Math.PI / 2) < 1e-9 ? 6 : 12;
          matrixOf(back).forEach((row, i) =>
            row.forEach((entry, j) => expect(entry).toBeCloseTo(matrixOf(quaternion)[i][j], digits)),
          );
        }
  });

  it('of an axis and an angle turns about that axis, of any length', () => {
    expect(quaternionOfTurn(Math.PI / 2, [0, 0, 5])).toEqual([
      Math.cos(Math.PI / 4),
      0,
      0,
      Math.sin(Math.PI / 4),
    ]);
    for (const angle of ANGLES) {
      expectClose(matrixOf(quaternionOfTurn(angle, [3, 0, 0]) ?? [0, 0, 0, 0]), about.x(angle));
      expectClose(matrixOf(quaternionOfTurn(angle, [0, 0.1, 0]) ?? [0, 0, 0, 0]), about.y(angle));
    }
  });

  it('is none where the axis has no length or something is no number', () => {
    expect(quaternionOfTurn(1, [0, 0, 0])).toBeNull();
    expect(quaternionOfTurn(Number.NaN, [0, 0, 1])).toBeNull();
    expect(quaternionOfTurn(1, [0, Number.NaN, 1])).toBeNull();
    expect(quaternionOfEuler([0, Number.POSITIVE_INFINITY, 0])).toBeNull();
  });
});

describe('the turn of a quaternion', () => {
  it('is the shorter of the two, whatever its length and sign', () => {
    const axis: Triple = [2 / 3, -1 / 3, 2 / 3];
    for (const scale of [1, -1, 7, -0.01]) {
      const quaternion = (quaternionOfTurn(1.2, axis) ?? [0, 0, 0, 0]).map(
        (entry) => scale * entry,
      ) as OrientationQuaternion;
      const turn = turnOf(quaternion);
      expect(turn?.angle).toBeCloseTo(1.2, 13);
      axis.forEach((entry, i) => expect(turn?.axis[i]).toBeCloseTo(entry, 13));
    }
    expect(turnOf([-1, 0, 0, -1])?.angle).toBeCloseTo(Math.PI / 2, 13);
  });

  it('is none of zero, and no turn of one that is parallel', () => {
    expect(turnOf([0, 0, 0, 0])).toBeNull();
    expect(eulerOf([0, 0, 0, 0])).toBeNull();
    expect(turnOf([-3, 0, 0, 0])).toEqual({ angle: 0, axis: [0, 0, 1] });
  });
});
