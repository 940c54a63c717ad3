/** Problems of the benchmark `friction`: read from files, generated, and handed to the comparison program. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readFrictionProblems, toBytes } from '@cli/bench/friction-data';
import { spherePile } from '@cli/bench/sphere-pile';
import { UsageError } from '@cli/command';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'friction-test-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const plane = {
  name: 'two in the plane',
  dimension: 2,
  contacts: 2,
  mu: [0.3, 0.4],
  q: [-1, 0.5, -2, 0.25],
  W: {
    format: 'bsr',
    blockSize: 2,
    rowptr: [0, 1, 3],
    colind: [0, 0, 1],
    blocks: [
      [
        [1, 2],
        [3, 4],
      ],
      [
        [5, 6],
        [7, 8],
      ],
      [
        [9, 10],
        [11, 12],
      ],
    ],
  },
};

describe('friction-contact problems from files', () => {
  it('are read compressed or not, with their diagonal blocks found', () => {
    writeFileSync(join(folder, 'a.json'), JSON.stringify(plane));
    writeFileSync(join(folder, 'b.json.gz'), gzipSync(JSON.stringify({ ...plane, name: 'again' })));
    const [{ problem }, again] = readFrictionProblems(folder);
    expect(again.name).toBe('again');
    expect([...problem.W.diagonal]).toEqual([0, 2]);
    expect([...problem.W.values]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect([problem.count, problem.W.rows, problem.dimension]).toEqual([2, 2, 2]);
  });

  it.each([
    ['no JSON', '{'],
    ['a dimension of four', JSON.stringify({ ...plane, dimension: 4 })],
    ['a coefficient too few', JSON.stringify({ ...plane, mu: [0.3] })],
    ['no diagonal block', JSON.stringify({ ...plane, W: { ...plane.W, colind: [1, 0, 1] } })],
  ])('are refused by name with %s', (_, text) => {
    writeFileSync(join(folder, 'bad.json'), text);
    expect(() => readFrictionProblems(folder)).toThrow(UsageError);
    expect(() => readFrictionProblems(folder)).toThrow('bad.json');
  });

  it('are missed when there are none', () => {
    expect(() => readFrictionProblems(folder)).toThrow('has no .json');
    expect(() => readFrictionProblems(join(folder, 'none'))).toThrow('cannot be read');
  });

  it('reach the comparison program as they are', () => {
    writeFileSync(join(folder, 'a.json'), JSON.stringify(plane));
    const bytes = toBytes(readFrictionProblems(folder)[0].problem);
    const integers = Array.from({ length: 9 }, (_, k) => bytes.readInt32LE(4 * k));
    expect(integers).toEqual([2, 2, 3, 0, 1, 3, 0, 0, 1]);
    const doubles = Array.from({ length: 18 }, (_, k) => bytes.readDoubleLE(36 + 8 * k));
    expect(doubles).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, -1, 0.5, -2, 0.25, 0.3, 0.4]);
  });
});

describe('a pile of spheres', () => {
  it('has the number of contacts that was asked for, and an operator that is symmetric', () => {
    const { W, count } = spherePile(150);
    expect(count).toBe(150);
    const entries = new Map<string, number>();
    for (let i = 0; i < count; i++) {
      for (let k = W.rowStart[i]; k < W.rowStart[i + 1]; k++) {
        for (let e = 0; e < 9; e++) {
          const [row, column] = [3 * i + Math.floor(e / 3), 3 * W.columns[k] + (e % 3)];
          entries.set(`${row} ${column}`, W.values[9 * k + e]);
        }
      }
    }
    for (const [place, value] of entries) {
      expect(entries.get(place.split(' ').reverse().join(' '))).toBe(value);
    }
  });

  it('has the mobility of a sphere on a plane: 1 along the normal, 1 + r² m/I along tangents', () => {
    const { W } = spherePile(1);
    expect([...W.values]).toEqual([1, 0, 0, 0, 3.5, 0, 0, 0, 3.5]);
  });

  it('has the mobility of a sphere on a sphere twice over, and the coupling of two in a column', () => {
    // Of a cube of two: contact 0 is below sphere 0, contact 8 below the sphere on top of it.
    const { W } = spherePile(9);
    const block = (i: number, j: number): number[] => {
      for (let k = W.rowStart[i]; k < W.rowStart[i + 1]; k++) {
        if (W.columns[k] === j) return [...W.values.subarray(9 * k, 9 * k + 9)];
      }
      return [];
    };
    expect(block(8, 8)).toEqual([2, 0, 0, 0, 7, 0, 0, 0, 7]);
    // Pushed up at its foot a sphere approaches the one above; rolled at its foot it slips the other way at its top.
    expect(block(0, 8)).toEqual([-1, 0, 0, 0, 1.5, 0, 0, 0, 1.5]);
    expect(block(0, 7)).toEqual([]);
  });

  it('is the same one for the same seed only', () => {
    expect(spherePile(50).q).toEqual(spherePile(50).q);
    expect(spherePile(50, 0.5, 2).q).not.toEqual(spherePile(50).q);
  });
});
