/**
 * Row vectors times the inverse of a mass matrix, c ↦ c M⁻¹. M falls into irreducible diagonal blocks: single
 * masses, bodies, or a whole finite-element mesh. Blocks of moderate size are inverted outright, because
 * |M⁻¹| is what carries the magnitudes of a `TrackedVector` along; larger ones are factorised if they are
 * symmetric positive definite.
 */
import { EnvelopeCholesky } from '../linalg/cholesky';
import { factorLU, solveLU } from '../linalg/lu';
import { reverseCuthillMcKee } from '../linalg/ordering';
import { type MatrixEntry, type SparseRows, sparseFromEntries } from '../linalg/sparse';
import type { TrackedVector } from './elimination';

/* Sparse matrices put together from blocks, given either way by the model. */

/** Collects entries in any order; those in the same place add up. */
export class SparseBuilder {
  readonly #entries: MatrixEntry[] = [];

  constructor(private readonly rows: number) {}

  add(row: number, column: number, value: number): void {
    if (value !== 0) this.#entries.push([row, column, value]);
  }

  /** Columns increase within each row. */
  build(): SparseRows {
    return sparseFromEntries(this.rows, this.#entries);
  }
}

/**
 * Entries below this fraction of the largest of their row and of the largest of their column are what
 * rounding left where the model meant zero, as in 0.1 + 0.2 − 0.3. Leaving them out changes no product by
 * more than its own rounding.
 */
const ROUNDING = 16 * Number.EPSILON;

/**
 * Largest entries of the rows and columns of a matrix that is made of several parts, each given with its
 * place.
 */
export class EntryScales {
  readonly #row: Float64Array;
  readonly #column: Float64Array;

  constructor(size: number) {
    this.#row = new Float64Array(size);
    this.#column = new Float64Array(size);
  }

  include(part: SparseRows, row: number, column: number): void {
    forEachEntry(part, 0, (i, j, value) => {
      this.#row[row + i] = Math.max(this.#row[row + i], Math.abs(value));
      this.#column[column + j] = Math.max(this.#column[column + j], Math.abs(value));
    });
  }

  /** The part without entries that are nothing but rounding. */
  withoutRounding(part: SparseRows, row: number, column: number): SparseRows {
    const kept = new SparseBuilder(part.rows);
    forEachEntry(part, 0, (i, j, value) => {
      const largest = Math.min(this.#row[row + i], this.#column[column + j]);
      if (Math.abs(value) > ROUNDING * largest) kept.add(i, j, value);
    });
    return kept.build();
  }
}

/**
 * Visits the non-zero entries of a matrix.
 * @param columns number of its columns; of no matter where it is sparse
 */
export function forEachEntry(
  matrix: Float64Array | SparseRows,
  columns: number,
  visit: (row: number, column: number, value: number) => void,
): void {
  if (matrix instanceof Float64Array) {
    matrix.forEach((value, k) => {
      if (value !== 0) visit(Math.floor(k / columns), k % columns, value);
    });
    return;
  }
  for (let row = 0; row < matrix.rows; row++)
    for (let k = matrix.rowStart[row]; k < matrix.rowStart[row + 1]; k++)
      if (matrix.values[k] !== 0) visit(row, matrix.columns[k], matrix.values[k]);
}

/** Largest block that is inverted outright: 2·300³ operations, some tens of milliseconds. */
const LARGEST_INVERSE = 300;

interface Block {
  /** coordinates of the block, increasing */
  readonly coordinates: Int32Array;
  /** adds c M⁻¹, c restricted to the block, to `out`; coordinates are shifted by `offset` in both */
  apply(c: TrackedVector, offset: number, out: TrackedVector): void;
}

export class MassInverse {
  private constructor(
    private readonly blocks: readonly Block[],
    /** block of each coordinate */
    private readonly blockOf: Int32Array,
    private readonly seen: Uint8Array,
  ) {}

  /** @returns null when a block is singular to rounding */
  static of(matrix: Float64Array | SparseRows, size: number): MassInverse | null {
    const builder = new SparseBuilder(size);
    forEachEntry(matrix, size, (i, j, value) => builder.add(i, j, value));
    const mass = builder.build();
    const blocks: Block[] = [];
    const blockOf = new Int32Array(size);
    for (const coordinates of irreducibleBlocks(mass)) {
      const block = makeBlock(mass, coordinates);
      if (block === null) return null;
      for (const i of coordinates) blockOf[i] = blocks.length;
      blocks.push(block);
    }
    return new MassInverse(blocks, blockOf, new Uint8Array(blocks.length));
  }

  /** Adds c M⁻¹ to `out`, for the coordinates from `offset` on. */
  apply(c: TrackedVector, offset: number, out: TrackedVector): void {
    const size = this.blockOf.length;
    this.seen.fill(0);
    for (let k = 0; k < c.count; k++) {
      const i = c.support[k] - offset;
      if (i < 0 || i >= size) continue;
      const block = this.blockOf[i];
      if (this.seen[block] === 1) continue;
      this.seen[block] = 1;
      this.blocks[block].apply(c, offset, out);
    }
  }
}

/** Sets of coordinates that the entries of M connect. */
function irreducibleBlocks(mass: SparseRows): Int32Array[] {
  const parent = Int32Array.from({ length: mass.rows }, (_, i) => i);
  const root = (i: number): number => {
    let r = i;
    while (parent[r] !== r) {
      parent[r] = parent[parent[r]];
      r = parent[r];
    }
    return r;
  };
  for (let i = 0; i < mass.rows; i++)
    for (let k = mass.rowStart[i]; k < mass.rowStart[i + 1]; k++) {
      const [a, b] = [root(i), root(mass.columns[k])];
      // The smaller coordinate becomes the root, so that blocks come in the order of their first coordinates.
      parent[Math.max(a, b)] = Math.min(a, b);
    }
  const members = new Map<number, number[]>();
  for (let i = 0; i < mass.rows; i++) {
    const block = members.get(root(i));
    if (block === undefined) members.set(i, [i]);
    else block.push(i);
  }
  return [...members.values()].map((block) => Int32Array.from(block));
}

/** The block in local numbering. */
function localBlock(mass: SparseRows, coordinates: Int32Array): SparseRows {
  const local = new Map<number, number>();
  coordinates.forEach((i, k) => local.set(i, k));
  const builder = new SparseBuilder(coordinates.length);
  coordinates.forEach((i, row) => {
    for (let k = mass.rowStart[i]; k < mass.rowStart[i + 1]; k++)
      builder.add(row, local.get(mass.columns[k]) ?? 0, mass.values[k]);
  });
  return builder.build();
}

function makeBlock(mass: SparseRows, coordinates: Int32Array): Block | null {
  const matrix = localBlock(mass, coordinates);
  const factorised = coordinates.length > LARGEST_INVERSE ? factorisedBlock(matrix, coordinates) : null;
  return factorised ?? invertedBlock(matrix, coordinates);
}

function invertedBlock(matrix: SparseRows, coordinates: Int32Array): Block | null {
  const n = coordinates.length;
  const factors = new Float64Array(n * n);
  forEachEntry(matrix, n, (i, j, value) => (factors[i * n + j] = value));
  const pivots = new Int32Array(n);
  if (!factorLU(factors, 0, n, pivots, 0)) return null;
  // Column j of the inverse stands in inverse[j n …], so that c M⁻¹ takes inner products of contiguous
  // numbers.
  const inverse = new Float64Array(n * n);
  for (let j = 0; j < n; j++) {
    inverse[j * n + j] = 1;
    solveLU(factors, 0, n, pivots, 0, inverse, j * n);
  }
  return {
    coordinates,
    apply: (c, offset, out) => {
      for (let j = 0; j < n; j++) {
        let value = 0;
        let magnitude = 0;
        for (let i = 0; i < n; i++) {
          const entry = inverse[j * n + i];
          value += c.value[offset + coordinates[i]] * entry;
          magnitude += c.magnitude[offset + coordinates[i]] * Math.abs(entry);
        }
        out.add(offset + coordinates[j], value, magnitude);
      }
    },
  };
}

/**
 * |M⁻¹| is not at hand here. With S = diag(M)^½ the matrix S⁻¹ M S⁻¹ of a mesh has a modest condition number,
 * so the largest entry of S M⁻¹ |c| is a fair magnitude for all entries of S c M⁻¹.
 */
function factorisedBlock(matrix: SparseRows, coordinates: Int32Array): Block | null {
  const n = coordinates.length;
  const factor = factorise(matrix);
  if (factor === null) return null;
  const root = new Float64Array(n);
  forEachEntry(matrix, n, (i, j, value) => {
    if (i === j) root[i] = Math.sqrt(value);
  });
  const value = new Float64Array(n);
  const magnitude = new Float64Array(n);
  return {
    coordinates,
    apply: (c, offset, out) => {
      for (let k = 0; k < n; k++) {
        value[k] = c.value[offset + coordinates[k]];
        magnitude[k] = c.magnitude[offset + coordinates[k]];
      }
      factor(value);
      factor(magnitude);
      let largest = 0;
      for (let k = 0; k < n; k++) largest = Math.max(largest, root[k] * Math.abs(magnitude[k]));
      for (let k = 0; k < n; k++) out.add(offset + coordinates[k], value[k], largest / root[k]);
    },
  };
}

/** @returns x ↦ A⁻¹ x in place; null when A is not symmetric positive definite */
export function factorise(matrix: SparseRows): ((x: Float64Array) => void) | null {
  const n = matrix.rows;
  if (!isSymmetricSparse(matrix)) return null;
  const order = reverseCuthillMcKee(matrix);
  const place = new Int32Array(n);
  order.forEach((row, k) => (place[row] = k));
  const cholesky = new EnvelopeCholesky(n);
  cholesky.begin(n);
  for (let k = 0; k < n; k++) {
    const [start, end] = [matrix.rowStart[order[k]], matrix.rowStart[order[k] + 1]];
    let first = k;
    for (let e = start; e < end; e++) first = Math.min(first, place[matrix.columns[e]]);
    cholesky.beginRow(k, first);
    for (let e = start; e < end; e++) {
      const column = place[matrix.columns[e]];
      if (column <= k) cholesky.set(k, column, matrix.values[e]);
    }
  }
  if (!cholesky.factor()) return null;
  const permuted = new Float64Array(n);
  return (x) => {
    for (let k = 0; k < n; k++) permuted[k] = x[order[k]];
    cholesky.solve(permuted);
    for (let k = 0; k < n; k++) x[order[k]] = permuted[k];
  };
}

/**
 * Rounded copies of one number differ by less than this, in units of the geometric mean of their diagonal
 * entries.
 */
const SYMMETRY = 1e-12;

function isSymmetricSparse(matrix: SparseRows): boolean {
  const root = new Float64Array(matrix.rows);
  const antisymmetric = new SparseBuilder(matrix.rows);
  forEachEntry(matrix, matrix.rows, (i, j, value) => {
    if (i === j) root[i] = Math.sqrt(value);
    else {
      antisymmetric.add(i, j, value);
      antisymmetric.add(j, i, -value);
    }
  });
  let symmetric = true;
  // A negative or missing diagonal entry makes the comparison with NaN or 0, and fail.
  forEachEntry(antisymmetric.build(), matrix.rows, (i, j, value) => {
    symmetric &&= Math.abs(value) <= SYMMETRY * root[i] * root[j];
  });
  return symmetric;
}
