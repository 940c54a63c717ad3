/** Joints eliminated from w = W z + q: the rows that are left give what all rows together give. */
import { describe, expect, it } from 'vitest';
import { JointElimination } from '@engine/event-driven/decision/joint-elimination';
import { type Random, seeded } from '../support/random';

const vector = (random: Random, n: number): Float64Array =>
  Float64Array.from({ length: n }, () => random.uniform(-1, 1));

/** W = C ᵗC with these rows of C, its rows `size` entries apart, and q in the range of the rows. */
function problem(C: readonly Float64Array[], v: Float64Array, size: number) {
  const count = C.length;
  const values = new Float64Array(count * size);
  const dot = (a: Float64Array, b: Float64Array): number => a.reduce((sum, x, k) => sum + x * b[k], 0);
  for (let i = 0; i < count; i++) for (let j = 0; j < count; j++) values[i * size + j] = dot(C[i], C[j]);
  return { count, size, values, q: Float64Array.from(C, (row) => dot(row, v)) };
}

describe('eliminated joints', () => {
  const cases: readonly (readonly [name: string, joints: readonly number[], isTwice: boolean])[] = [
    ['at the front', [0, 1], false],
    ['between others', [1, 4], false],
    ['that say the same', [0, 2, 5], true],
    ['of which there are none', [], false],
  ];
  it.each(cases)('%s have no velocity, and the others the one of the whole problem', (_, joints, isTwice) => {
    const random = seeded(7);
    const C = Array.from({ length: 6 }, () => vector(random, 8));
    if (isTwice) C[joints[2]] = C[joints[0]].map((x) => -2 * x);
    const rows = problem(C, vector(random, 8), 9);
    const elimination = new JointElimination(3, 7);
    const places = Int32Array.of(...joints, 0, 0, 0);
    // What has been eliminated before leaves nothing.
    elimination.eliminate(rows, Int32Array.of(3), 1);
    elimination.eliminate(rows, places, joints.length);
    const { held, shares, W, q } = elimination;
    const { count, size, values } = rows;
    const isJoint = (i: number): boolean => joints.some((joint) => joint === i);
    const others = Array.from({ length: count }, (__, i) => i).filter((i) => !isJoint(i));
    const z = new Float64Array(count);
    for (const i of others) z[i] = random.uniform(-1, 1);
    joints.forEach((place, r) => {
      z[place] = others.reduce((sum, c) => sum - shares[c * joints.length + r] * z[c], held[r]);
    });
    for (let i = 0; i < count; i++) {
      let w = rows.q[i];
      for (let j = 0; j < count; j++) w += values[i * size + j] * z[j];
      const left = others.reduce((sum, c) => sum + W[i * count + c] * z[c], q[i]);
      expect(w).toBeCloseTo(isJoint(i) ? 0 : left, 12);
    }
  });

  it('answer a velocity of theirs', () => {
    const random = seeded(8);
    const rows = problem(
      Array.from({ length: 4 }, () => vector(random, 6)),
      new Float64Array(6),
      4,
    );
    const elimination = new JointElimination(2, 4);
    elimination.eliminate(rows, Int32Array.of(3, 1), 2);
    const impulse = Float64Array.of(0.3, -0.7);
    elimination.solve(impulse);
    const W = (i: number, j: number): number => rows.values[i * 4 + j];
    expect(W(3, 3) * impulse[0] + W(3, 1) * impulse[1]).toBeCloseTo(0.3, 12);
    expect(W(1, 3) * impulse[0] + W(1, 1) * impulse[1]).toBeCloseTo(-0.7, 12);
  });
});
