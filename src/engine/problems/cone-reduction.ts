/**
 * Rows of a model of which some are contacts with friction in a tangent plane, as a friction-contact problem
 * in space. Every law that such a problem has room for becomes a block of three rows, (N, T1, T2), whose
 * reaction is in the cone of Coulomb with the coefficient μ of the block; rows without a law of their own,
 * equations, are eliminated before.
 *
 *     contact, friction, friction   the block as it stands
 *     contact, friction             N and T1; T2 stands alone with the mobility w of the contact: it has no
 *                                   velocity but w r_T2, so that r_T2 = 0 (`contact-dynamics/joint-rows.ts`)
 *     box [l, ∞)                    N with λ = l + r_N and μ = 0; both tangents stand alone
 *     box (−∞, u]                   the same of −y and λ = u − r_N
 *     box [l, u]                    T1 with λ = ½ (l + u) + r_T1 and μ = 1; N stands alone with the velocity
 *                                   w (r_N − d), d = ½ (u − l), that makes r_N = d the bound of friction
 *     box (−∞, ∞)                   eliminated
 *     cone                          as it stands with λ_n = r_N − a, its flow dilating by ν
 *
 * So λ = λ⁰ + T r with signs T, and W of the problem is that of the rows with signs, after the elimination of
 * equations its Schur complement. Equations that depend on others, as of redundant joints, are left out.
 */
import type { SparseRows } from '../linalg/sparse';
import type { LawRow } from '../model/forms';
import { isSecondSlip } from '../model/nsds';
import { FrictionContactProblem } from './friction-contact';

/** Pivot over the first, of equations, below which one depends on the others. */
const DEPENDENT = 1e-12;

interface Block {
  /** row of each component, −1 where it stands alone */
  readonly rows: readonly [number, number, number];
  readonly mu: number;
  /** sign of λ and y in the block */
  readonly sign: 1 | -1;
  /** λ⁰ of its row that has one */
  readonly offset: number;
  /** d of a bounded multiplier, else 0 */
  readonly bound: number;
  /** ν */
  readonly dilatancy: number;
}

const ALONE = -1;

function blockOf(laws: readonly LawRow[], row: number): Block | null {
  const law = laws[row];
  if (law.kind === 'cone') {
    const { friction, dilatancy, apex } = law.cone;
    return { rows: [row, row + 1, row + 2], mu: friction, sign: 1, offset: -apex, bound: 0, dilatancy };
  }
  if (law.kind !== 'box') throw new Error(`a friction-contact problem has no room for a ${law.kind}`);
  const contact = { sign: 1, offset: 0, bound: 0, dilatancy: 0 } as const;
  const next = laws.at(row + 1);
  if (next?.kind === 'friction') {
    const isDisc = row + 2 < laws.length && isSecondSlip(laws, row + 2);
    return { ...contact, rows: [row, row + 1, isDisc ? row + 2 : ALONE], mu: next.coefficient };
  }
  const { lower, upper } = law;
  const [hasLower, hasUpper] = [Number.isFinite(lower), Number.isFinite(upper)];
  if (!hasLower && !hasUpper) return null;
  if (hasLower && hasUpper)
    return {
      rows: [ALONE, row, ALONE],
      mu: 1,
      ...contact,
      offset: (lower + upper) / 2,
      bound: (upper - lower) / 2,
    };
  const stop = { rows: [row, ALONE, ALONE], mu: 0, bound: 0, dilatancy: 0 } as const;
  return hasLower ? { ...stop, sign: 1, offset: lower } : { ...stop, sign: -1, offset: upper };
}

export class ConeReduction {
  readonly problem: FrictionContactProblem;

  readonly #blocks: readonly Block[];
  /** rows that are equations */
  readonly #equations: readonly number[];
  /** by block: the row that λ⁰ belongs to, the first that does not stand alone */
  readonly #first: Int32Array;
  /** λ⁰ by row */
  readonly #offsets: Float64Array;
  /**
   * numbers of the blocks that take part, how many, and the place of each row in the matrix, −1 for others
   */
  readonly #taken: Int32Array;
  #takenCount = 0;
  readonly #place: Int32Array;
  #size = 0;
  /** equations that are kept, at the first places in the order of elimination; those left out after them */
  #eliminated = 0;
  #left = 0;
  readonly #order: Int32Array;
  /** rows in the order of their places, eliminated: factors below, what is left of W at the end */
  #matrix = new Float64Array(0);
  readonly #right: Float64Array;

  /** @param laws by row @param delassus W over all rows, whose values may change */
  constructor(
    laws: readonly LawRow[],
    private readonly delassus: SparseRows,
  ) {
    const blocks: Block[] = [];
    const equations: number[] = [];
    laws.forEach((law, row) => {
      if (law.kind === 'friction' || (law.kind === 'cone' && law.component > 0)) return;
      const block = blockOf(laws, row);
      if (block === null) equations.push(row);
      else blocks.push(block);
    });
    this.#blocks = blocks;
    this.#equations = equations;
    this.problem = new FrictionContactProblem(3, blocks.length, blocks.length ** 2);
    if (blocks.some(({ dilatancy }) => dilatancy > 0))
      this.problem.dilatancy = new Float64Array(blocks.length);
    this.#place = new Int32Array(laws.length);
    this.#right = new Float64Array(laws.length);
    this.#order = new Int32Array(laws.length);
    this.#taken = new Int32Array(blocks.length);
    this.#first = Int32Array.from(blocks, ({ rows }) => rows.find((row) => row >= 0) ?? 0);
    this.#offsets = new Float64Array(laws.length);
    blocks.forEach(({ offset }, block) => (this.#offsets[this.#first[block]] = offset));
  }

  /** Takes over W and which rows take part. @param active 1 for those, by row */
  restrict(active: Uint8Array): void {
    const blocks = this.#blocks;
    this.#place.fill(-1);
    this.#size = 0;
    for (let k = 0; k < this.#equations.length; k++)
      if (active[this.#equations[k]] === 1) this.#append(this.#equations[k]);
    const equations = this.#size;
    this.#takenCount = 0;
    for (let block = 0; block < blocks.length; block++) {
      const { rows } = blocks[block];
      let takesPart = false;
      for (let a = 0; a < 3; a++) if (rows[a] >= 0 && active[rows[a]] === 1) takesPart = true;
      if (!takesPart) continue;
      this.#taken[this.#takenCount++] = block;
      for (let a = 0; a < 3; a++) if (rows[a] >= 0) this.#append(rows[a]);
    }
    this.#gather();
    this.#eliminate(equations);
    this.#layOut();
  }

  #append(row: number): void {
    this.#place[row] = this.#size;
    this.#order[this.#size++] = row;
  }

  #gather(): void {
    const n = this.#size;
    if (this.#matrix.length < n * n) this.#matrix = new Float64Array(n * n);
    this.#matrix.fill(0, 0, n * n);
    const { rowStart, columns, values } = this.delassus;
    for (let i = 0; i < n; i++) {
      const row = this.#order[i];
      for (let k = rowStart[row]; k < rowStart[row + 1]; k++) {
        const j = this.#place[columns[k]];
        if (j >= 0) this.#matrix[i * n + j] += values[k];
      }
    }
  }

  /** Eliminates the first `count` rows, the largest pivot of the diagonal first. */
  #eliminate(count: number): void {
    const n = this.#size;
    const a = this.#matrix;
    let first = 0;
    this.#eliminated = 0;
    for (let k = 0; k < count; k++) {
      let pivot = k;
      for (let i = k + 1; i < count; i++)
        if (Math.abs(a[i * n + i]) > Math.abs(a[pivot * n + pivot])) pivot = i;
      if (pivot !== k) this.#exchange(k, pivot);
      const diagonal = a[k * n + k];
      if (k === 0) first = Math.abs(diagonal);
      if (!(Math.abs(diagonal) > DEPENDENT * first)) break;
      for (let i = k + 1; i < n; i++) {
        const factor = a[i * n + k] / diagonal;
        a[i * n + k] = factor;
        if (factor === 0) continue;
        for (let j = k + 1; j < n; j++) a[i * n + j] -= factor * a[k * n + j];
      }
      this.#eliminated++;
    }
    this.#left = count;
  }

  #exchange(k: number, p: number): void {
    const n = this.#size;
    const a = this.#matrix;
    for (let j = 0; j < n; j++) swap(a, k * n + j, p * n + j);
    for (let i = 0; i < n; i++) swap(a, i * n + k, i * n + p);
    const order = this.#order;
    swap(order, k, p);
    this.#place[order[k]] = k;
    this.#place[order[p]] = p;
  }

  /** W and μ of the problem. */
  #layOut(): void {
    const { problem } = this;
    const { W } = problem;
    const count = this.#takenCount;
    let entry = 0;
    for (let i = 0; i < count; i++) {
      const own = this.#blocks[this.#taken[i]];
      W.rowStart[i] = entry;
      problem.mu[i] = own.mu;
      if (problem.dilatancy !== null) problem.dilatancy[i] = own.dilatancy;
      for (let j = 0; j < count; j++) {
        if (!this.#writeBlock(i, j, 9 * entry)) continue;
        W.columns[entry] = j;
        if (i === j) W.diagonal[i] = entry;
        entry++;
      }
    }
    W.rowStart[count] = entry;
    W.rows = count;
    problem.count = count;
    problem.isSymmetric = this.#isSymmetric();
    problem.revision++;
  }

  /**
   * Writes a block of W from `at` on.
   * @param i, j places among the blocks that take part
   * @returns whether it stands there: one that is zero does not
   */
  #writeBlock(i: number, j: number, at: number): boolean {
    const own = this.#blocks[this.#taken[i]];
    const other = this.#blocks[this.#taken[j]];
    const { values } = this.problem.W;
    const n = this.#size;
    let isZero = i !== j;
    for (let a = 0; a < 3; a++)
      for (let b = 0; b < 3; b++) {
        const row = own.rows[a];
        const column = other.rows[b];
        let value = 0;
        if (row >= 0 && column >= 0)
          value = own.sign * other.sign * this.#matrix[this.#place[row] * n + this.#place[column]];
        else if (i === j && a === b) value = this.#mobility(this.#taken[i]);
        values[at + 3 * a + b] = value;
        if (value !== 0) isZero = false;
      }
    return !isZero;
  }

  /** w of a block: that of its first row, 1 where nothing moves it. */
  #mobility(block: number): number {
    const place = this.#place[this.#first[block]];
    const own = this.#matrix[place * this.#size + place];
    return own > 0 ? own : 1;
  }

  #isSymmetric(): boolean {
    const n = this.#size;
    const a = this.#matrix;
    const last = this.#left;
    for (let i = last; i < n; i++)
      for (let j = last; j < i; j++) {
        const scale = Math.abs(a[i * n + i]) + Math.abs(a[j * n + j]);
        if (Math.abs(a[i * n + j] - a[j * n + i]) > SYMMETRIC * scale) return false;
      }
    return true;
  }

  /**
   * Right side of the problem, and the guess.
   * @param free y at λ = 0, by row
   * @param lambda the last multipliers, by row
   */
  pose(free: Float64Array, lambda: Float64Array): void {
    const n = this.#size;
    const right = this.#right;
    const { rowStart, columns, values } = this.delassus;
    for (let k = 0; k < n; k++) right[k] = free[this.#order[k]];
    for (let i = 0; i < this.#takenCount; i++) {
      const block = this.#taken[i];
      const { offset } = this.#blocks[block];
      if (offset === 0) continue;
      const moved = this.#first[block];
      for (let k = 0; k < n; k++) {
        const row = this.#order[k];
        for (let e = rowStart[row]; e < rowStart[row + 1]; e++)
          if (columns[e] === moved) right[k] += values[e] * offset;
      }
    }
    for (let k = 0; k < this.#eliminated; k++)
      for (let i = k + 1; i < n; i++) right[i] -= this.#matrix[i * n + k] * right[k];
    const { q, r } = this.problem;
    for (let i = 0; i < this.#takenCount; i++) {
      const block = this.#taken[i];
      const { rows, sign, bound } = this.#blocks[block];
      for (let a = 0; a < 3; a++) {
        const row = rows[a];
        const at = 3 * i + a;
        q[at] = row < 0 ? 0 : sign * right[this.#place[row]];
        r[at] = row < 0 ? 0 : sign * (lambda[row] - this.#offsets[row]);
      }
      if (rows[0] >= 0) continue;
      q[3 * i] = -this.#mobility(block) * bound;
      r[3 * i] = bound;
    }
  }

  /** λ by row from the solution; 0 on rows that do not take part. */
  recover(lambda: Float64Array): void {
    const n = this.#size;
    lambda.fill(0);
    for (let i = 0; i < this.#takenCount; i++) {
      const { rows, sign } = this.#blocks[this.#taken[i]];
      for (let a = 0; a < 3; a++) {
        const row = rows[a];
        if (row >= 0) lambda[row] = this.#offsets[row] + sign * this.problem.r[3 * i + a];
      }
    }
    // Of the eliminated rows the right side has what was known of it: y = 0 there.
    for (let k = this.#eliminated - 1; k >= 0; k--) {
      let rest = -this.#right[k];
      for (let j = k + 1; j < n; j++) {
        const row = this.#order[j];
        rest -= this.#matrix[k * n + j] * (lambda[row] - this.#offsets[row]);
      }
      lambda[this.#order[k]] = rest / this.#matrix[k * n + k];
    }
  }
}

function swap(values: Float64Array | Int32Array, k: number, p: number): void {
  const kept = values[k];
  values[k] = values[p];
  values[p] = kept;
}

/** How far W may be from symmetric by rounding, relative to its diagonal. */
const SYMMETRIC = 1e-10;
