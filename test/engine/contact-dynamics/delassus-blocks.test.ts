import { describe, expect, it } from 'vitest';
import { DelassusBlocks, type FrameRows, type Mobility } from '@engine/contact-dynamics/delassus-blocks';
import { FrameGraph } from '@engine/contact-dynamics/contacts/frame-graph';
import { type BlockRows, createBlockRows } from '@engine/linalg/block-rows';
import { rankOf } from '@engine/linalg/cholesky';
import { seeded } from '../support/random';

/** Numbers in [−1, 1). */
function entries(seed: number): () => number {
  const { uniform } = seeded(seed);
  return () => uniform(-1, 1);
}

/** Groups with dense inverses, one after the other. */
class DenseMobility implements Mobility {
  readonly sizes: Int32Array;
  readonly offsets: number[] = [];

  constructor(readonly inverses: readonly Float64Array[]) {
    this.sizes = Int32Array.from(inverses, (inverse) => Math.round(Math.sqrt(inverse.length)));
    let sum = 0;
    for (const size of this.sizes) {
      this.offsets.push(sum);
      sum += size;
    }
  }

  apply(group: number, x: Float64Array, at: number): void {
    const n = this.sizes[group];
    const inverse = this.inverses[group];
    const before = x.slice(at, at + n);
    for (let i = 0; i < n; i++) {
      x[at + i] = 0;
      for (let j = 0; j < n; j++) x[at + i] += inverse[i * n + j] * before[j];
    }
  }
}

/** X ᵗX + 1, which is symmetric and positive definite. */
function definite(n: number, random: () => number): Float64Array {
  const x = Float64Array.from({ length: n * n }, random);
  return Float64Array.from({ length: n * n }, (_, e) => {
    const [i, j] = [Math.floor(e / n), e % n];
    let sum = i === j ? 1 : 0;
    for (let k = 0; k < n; k++) sum += x[i * n + k] * x[j * n + k];
    return sum;
  });
}

/** Frames between groups with random rows, in the order of the pattern. */
function framesOf(
  pairs: readonly (readonly [number, number])[],
  mobility: DenseMobility,
  random: () => number,
): FrameRows {
  const at: number[] = [];
  const groups: number[] = [];
  let length = 0;
  for (const [first, second] of pairs)
    for (const group of [first, second === first ? -1 : second]) {
      groups.push(group);
      at.push(length);
      if (group >= 0) length += 3 * mobility.sizes[group];
    }
  return {
    groups: Int32Array.from(groups),
    at: Int32Array.from(at),
    values: Float64Array.from({ length }, random),
  };
}

/** H A⁻¹ ᵗH with whole matrices. */
function denseDelassus(
  count: number,
  { groups, at, values }: FrameRows,
  mobility: DenseMobility,
): number[][] {
  const size = mobility.sizes.reduce((sum, n) => sum + n, 0);
  const H = Array.from({ length: 3 * count }, () => new Float64Array(size));
  for (let side = 0; side < 2 * count; side++) {
    if (groups[side] < 0) continue;
    const n = mobility.sizes[groups[side]];
    for (let r = 0; r < 3; r++)
      for (let m = 0; m < n; m++)
        H[3 * (side >> 1) + r][mobility.offsets[groups[side]] + m] += values[at[side] + r * n + m];
  }
  const moved = H.map((row) => {
    const x = row.slice();
    mobility.sizes.forEach((_, group) => mobility.apply(group, x, mobility.offsets[group]));
    return x;
  });
  return H.map((row) => moved.map((other) => row.reduce((sum, h, m) => sum + h * other[m], 0)));
}

const toDense = ({ rows, rowStart, columns, values }: BlockRows): number[][] => {
  const dense = Array.from({ length: 3 * rows }, () => new Array<number>(3 * rows).fill(0));
  for (let i = 0; i < rows; i++)
    for (let k = rowStart[i]; k < rowStart[i + 1]; k++)
      for (let e = 0; e < 9; e++)
        dense[3 * i + Math.floor(e / 3)][3 * columns[k] + (e % 3)] = values[9 * k + e];
  return dense;
};

function assembled(
  pairs: readonly (readonly [number, number])[],
  mobility: Mobility,
  rows: FrameRows,
): BlockRows {
  const graph = new FrameGraph(mobility.sizes.length);
  for (const pair of pairs) graph.insert(...pair);
  const W = createBlockRows(3, 1, 1);
  graph.compile(W, new Int32Array(graph.extent));
  new DelassusBlocks(mobility).fill(W, rows);
  return W;
}

const largestDifference = (a: number[][], b: number[][]): number =>
  Math.max(...a.map((row, i) => Math.max(...row.map((value, j) => Math.abs(value - b[i][j])))));

describe('W in blocks', () => {
  it.each([
    [
      'four frames between one pair of bodies',
      [
        [0, 1],
        [0, 1],
        [1, 0],
        [0, 1],
      ],
    ],
    [
      'a chain with obstacles',
      [
        [0, -1],
        [0, 1],
        [1, 2],
        [2, -1],
        [2, 2],
      ],
    ],
  ] as const)('is H A⁻¹ ᵗH of %s', (_what, pairs) => {
    const random = entries(11);
    const mobility = new DenseMobility([6, 6, 12].map((n) => definite(n, random)));
    const rows = framesOf(pairs, mobility, random);
    const W = assembled(pairs, mobility, rows);
    const dense = denseDelassus(pairs.length, rows, mobility);
    expect(largestDifference(toDense(W), dense)).toBeLessThan(1e-13);
  });

  it('is not one term for each pair of frames, as S3 prints it', () => {
    const random = entries(5);
    const pairs = [
      [0, 1],
      [0, 1],
    ] as const;
    const mobility = new DenseMobility([definite(6, random), definite(6, random)]);
    const rows = framesOf(pairs, mobility, random);
    // Only the first body that both frames share.
    const onlyFirst = { ...rows, groups: rows.groups.map((group, side) => (side % 2 === 0 ? group : -1)) };
    const printed = assembled(pairs, mobility, onlyFirst);
    const dense = denseDelassus(2, rows, mobility);
    expect(largestDifference(toDense(printed), dense)).toBeGreaterThan(1e-2);
  });

  it('is symmetric to the last bit', () => {
    const random = entries(3);
    const pairs = Array.from({ length: 40 }, (_, k) => [k % 7, (3 * k + 1) % 9] as const);
    const mobility = new DenseMobility(Array.from({ length: 9 }, () => definite(6, random)));
    const dense = toDense(assembled(pairs, mobility, framesOf(pairs, mobility, random)));
    dense.forEach((row, i) => row.forEach((value, j) => expect(value).toBe(dense[j][i])));
  });

  it('has rank 6 for a box on four coplanar contacts', () => {
    // Unit mass and side: I = 1/6. Velocities V and Ω in the frame of the contacts, which is that of the
    // body.
    const inverse = new Float64Array(36);
    for (let k = 0; k < 6; k++) inverse[7 * k] = k < 3 ? 1 : 6;
    const mobility = new DenseMobility([inverse]);
    const corners = [
      [-0.5, -0.5],
      [0.5, -0.5],
      [-0.5, 0.5],
      [0.5, 0.5],
    ];
    const values = corners.flatMap(([x, y]) => {
      const z = -0.5;
      // Rows: normal z, then x, y of V + Ω × c.
      return [0, 0, 1, y, -x, 0, 1, 0, 0, 0, z, -y, 0, 1, 0, -z, 0, x];
    });
    const pairs = corners.map(() => [0, -1] as const);
    const rows: FrameRows = {
      groups: Int32Array.from(pairs.flat()),
      at: Int32Array.from(pairs.flatMap((_, k) => [18 * k, 0])),
      values: Float64Array.from(values),
    };
    const W = assembled(pairs, mobility, rows);
    expect(rankOf(W)).toBe(6);
    // Three of them hold the body as well as four do, and one contact alone takes three of its velocities.
    expect(rankOf(leading(W, 3))).toBe(6);
    expect(rankOf(leading(W, 1))).toBe(3);
  });

  it('has full rank where nothing is redundant', () => {
    const random = entries(9);
    const pairs = [
      [0, 1],
      [1, 2],
      [2, -1],
    ] as const;
    const mobility = new DenseMobility([0, 1, 2].map(() => definite(6, random)));
    expect(rankOf(assembled(pairs, mobility, framesOf(pairs, mobility, random)))).toBe(9);
  });
});

/** The first block rows and columns of a full matrix. */
function leading(W: BlockRows, count: number): BlockRows {
  const part = createBlockRows(3, count, count * count);
  part.rows = count;
  for (let i = 0; i < count; i++) {
    part.rowStart[i + 1] = (i + 1) * count;
    for (let j = 0; j < count; j++) {
      part.columns[i * count + j] = j;
      const from = 9 * (W.rowStart[i] + j);
      part.values.set(W.values.subarray(from, from + 9), 9 * (i * count + j));
    }
  }
  return part;
}
