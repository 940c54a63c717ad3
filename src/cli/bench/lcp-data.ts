/** Linear complementarity problems to measure solvers on: from files, or random. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { AffineVariationalInequality } from '@engine/problems/avi';
import { UsageError } from '../command';
import { generator } from './random';

export interface LcpData {
  name: string;
  n: number;
  /** n × n by rows; it is symmetric or not */
  matrix: Float64Array;
  q: Float64Array;
}

/** A file: `M` in coordinates with entries that add up, or by rows. */
interface LcpFile {
  name: string;
  n: number;
  q: number[];
  M: { format: 'coo'; i: number[]; j: number[]; x: number[] } | { format: 'dense'; rows: number[][] };
}

/**
 * All problems of a folder, `.json` or `.json.gz`, in the order of their names.
 * @throws {UsageError} when the folder or a file cannot be read, or is not of that form
 */
export function readProblems(folder: string): LcpData[] {
  const names = filesOf(folder)
    .filter((name) => /\.json(\.gz)?$/.test(name))
    .sort();
  if (names.length === 0) throw new UsageError(`The folder ${folder} has no .json or .json.gz files.`);
  return names.map((name) => {
    try {
      const bytes = readFileSync(join(folder, name));
      const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
      return fromFile(JSON.parse(text) as LcpFile);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new UsageError(`${name} is not a linear complementarity problem: ${reason}`);
    }
  });
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    throw new UsageError(`The folder ${folder} cannot be read.`);
  }
}

function fromFile({ name, n, q, M }: LcpFile): LcpData {
  if (!Number.isInteger(n) || !Array.isArray(q) || typeof M !== 'object')
    throw new Error('n, q or M is missing');
  const matrix = new Float64Array(n * n);
  if (M.format === 'coo') M.x.forEach((x, k) => (matrix[M.i[k] * n + M.j[k]] += x));
  else M.rows.forEach((row, i) => matrix.set(row, i * n));
  if (q.length !== n) throw new Error(`q has ${q.length} entries, not ${n}`);
  return { name, n, matrix, q: Float64Array.from(q) };
}

/** Symmetric positive definite, A ᵗA/n + I/10 with entries of A in [−1, 1), and q in [−1, 1). */
export function randomProblem(n: number): LcpData {
  const next = generator(n + 1);
  const a = Float64Array.from({ length: n * n }, next);
  const matrix = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += a[i * n + k] * a[j * n + k];
      const value = sum / n + (i === j ? 0.1 : 0);
      matrix[i * n + j] = value;
      matrix[j * n + i] = value;
    }
  }
  return { name: `random-${n}`, n, matrix, q: Float64Array.from({ length: n }, next) };
}

/** As the time loop would pose it: sparse rows without zeros. */
export function toProblem({ n, matrix, q }: LcpData): AffineVariationalInequality {
  let symmetric = true;
  let entries = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      if (matrix[i * n + j] !== 0) entries++;
      symmetric &&= matrix[i * n + j] === matrix[j * n + i];
    }
  }
  const problem = new AffineVariationalInequality(n, entries, symmetric);
  problem.size = n;
  problem.isFull = entries === n * n;
  let entry = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      if (matrix[i * n + j] === 0) continue;
      problem.columns[entry] = j;
      problem.values[entry++] = matrix[i * n + j];
    }
    problem.rowStart[i + 1] = entry;
  }
  problem.q.set(q);
  return problem;
}

/** What the comparison program reads: int32 n, then the matrix by columns and q as doubles, little-endian. */
export function lcpBytes({ n, matrix, q }: LcpData): Buffer {
  const bytes = Buffer.alloc(4 + 8 * (n * n + n));
  bytes.writeInt32LE(n, 0);
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) bytes.writeDoubleLE(matrix[i * n + j], 4 + 8 * (j * n + i));
  }
  q.forEach((value, i) => bytes.writeDoubleLE(value, 4 + 8 * (n * n + i)));
  return bytes;
}
