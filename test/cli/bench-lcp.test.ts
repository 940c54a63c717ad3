/** Problems of the benchmark `lcp`: read from files, generated, and handed to the comparison program. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { randomProblem, readProblems, lcpBytes, toProblem } from '@cli/bench/lcp-data';
import { UsageError } from '@cli/command';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lcp-test-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const dense = {
  name: 'dense',
  n: 2,
  q: [-1, 2],
  M: {
    format: 'dense',
    rows: [
      [2, 1],
      [0, 3],
    ],
  },
};
// Entries of one place add up.
const coo = { name: 'coo', n: 2, q: [1, 1], M: { format: 'coo', i: [0, 1, 1], j: [0, 1, 1], x: [5, 1, 2] } };

describe('problems from files', () => {
  it('reads both forms of matrices, compressed or not, in the order of the file names', () => {
    writeFileSync(join(folder, 'b.json'), JSON.stringify(dense));
    writeFileSync(join(folder, 'a.json.gz'), gzipSync(JSON.stringify(coo)));
    writeFileSync(join(folder, 'README.md'), 'not a problem');
    const [first, second] = readProblems(folder);
    expect(first).toEqual({
      name: 'coo',
      n: 2,
      matrix: Float64Array.of(5, 0, 0, 3),
      q: Float64Array.of(1, 1),
    });
    expect(second.matrix).toEqual(Float64Array.of(2, 1, 0, 3));
  });

  it.each([
    ['no JSON', '{'],
    ['q of another length', JSON.stringify({ ...dense, q: [1] })],
    ['no matrix', JSON.stringify({ name: 'x', n: 1, q: [1] })],
  ])('names a file with %s', (_, text) => {
    writeFileSync(join(folder, 'bad.json'), text);
    expect(() => readProblems(folder)).toThrow(UsageError);
    expect(() => readProblems(folder)).toThrow('bad.json');
  });

  it('says when there is no such folder or nothing in it', () => {
    expect(() => readProblems(folder)).toThrow('has no .json');
    expect(() => readProblems(join(folder, 'none'))).toThrow('cannot be read');
  });
});

describe('a problem', () => {
  it('becomes sparse rows without zeros', () => {
    writeFileSync(join(folder, 'b.json'), JSON.stringify(dense));
    const problem = toProblem(readProblems(folder)[0]);
    expect(problem.symmetric).toBe(false);
    expect([...problem.rowStart]).toEqual([0, 2, 3]);
    expect([...problem.columns]).toEqual([0, 1, 1]);
    expect([...problem.values]).toEqual([2, 1, 3]);
  });

  it('reaches the comparison program by columns', () => {
    writeFileSync(join(folder, 'b.json'), JSON.stringify(dense));
    const bytes = lcpBytes(readProblems(folder)[0]);
    expect(bytes.readInt32LE(0)).toBe(2);
    const doubles = Array.from({ length: 6 }, (_, k) => bytes.readDoubleLE(4 + 8 * k));
    expect(doubles).toEqual([2, 0, 1, 3, -1, 2]);
  });

  it('is the same random one every time, symmetric and definite', () => {
    const { matrix } = randomProblem(5);
    expect(randomProblem(5).matrix).toEqual(matrix);
    for (let i = 0; i < 5; i++) {
      expect(matrix[6 * i]).toBeGreaterThan(0.1);
      for (let j = 0; j < 5; j++) expect(matrix[5 * i + j]).toBe(matrix[5 * j + i]);
    }
  });
});
