/**
 * Systems (1 + L W R) x = b with L and R of diagonal blocks: what interior points make of W in scaled
 * variables, in which no matrix is ever singular. Where what W is made of is known, W = B ᵗB + E, they are
 * solved through the velocities of the bodies (Woodbury 1950), with F = 1 + L E R,
 *
 *     (1 + ᵗB R F⁻¹ L B) z = ᵗB R F⁻¹ b,     x = F⁻¹ (b − L B z):
 *
 * blocks of six for bodies in place of those for contacts, which are more and each coupled with all others on
 * their bodies. Where only W is known, as
 *
 *     (L⁻¹ R⁻¹ + W) y = L⁻¹ b,     x = R⁻¹ y,
 *
 * because W keeps in this form what it has no rank for: zeros that L and R would turn into differences of
 * large numbers. Entries of L and R span many magnitudes near the end; what elimination loses by that is
 * taken back by refinement with the operator itself.
 */
import { BlockLu } from '../../linalg/block-lu';
import { type BlockRows, createBlockRows, multiplyBlocks } from '../../linalg/block-rows';
import { invertGradedBlock } from '../../linalg/small-blocks';
import { type ContactFactors, FREEDOMS, type FrictionContactProblem } from '../../problems/friction-contact';
import { meanDiagonal } from './solver';

/*
 * Which bodies meet in a contact: the pattern of ᵗB K B with K of diagonal blocks, found once and kept while
 * contacts stay on their bodies.
 */

export class BodyPattern {
  readonly system: BlockRows;
  /** block of `system` for each pair of blocks of a contact, contact by contact, row by row */
  readonly placeOf: Int32Array;
  readonly #rowStart: Int32Array;
  readonly #columns: Int32Array;

  constructor(count: number, { columns, rowStart, blockColumns }: ContactFactors) {
    this.#rowStart = rowStart.slice(0, count + 1);
    this.#columns = blockColumns.slice(0, rowStart[count]);
    const blocks = this.#columns;
    // By block: its contact, and the first of its pairs. By body: its blocks.
    const contact = new Int32Array(blocks.length);
    const firstPair = new Int32Array(blocks.length);
    const start = new Int32Array(columns + 1);
    let pairs = 0;
    for (let c = 0; c < count; c++)
      for (let k = rowStart[c]; k < rowStart[c + 1]; k++) {
        contact[k] = c;
        firstPair[k] = pairs;
        pairs += rowStart[c + 1] - rowStart[c];
        start[blocks[k] + 1]++;
      }
    for (let i = 0; i < columns; i++) start[i + 1] += start[i];
    const ofBody = new Int32Array(blocks.length);
    const next = start.slice();
    for (let k = 0; k < blocks.length; k++) ofBody[next[blocks[k]]++] = k;
    this.placeOf = new Int32Array(pairs);
    const rowStarts = new Int32Array(columns + 1);
    const all: number[] = [];
    /** by column: the last row that has it, and its place there */
    const seen = new Int32Array(columns).fill(-1);
    const place = new Int32Array(columns);
    for (let i = 0; i < columns; i++) {
      const row = [i];
      seen[i] = i;
      for (let n = start[i]; n < start[i + 1]; n++) {
        const c = contact[ofBody[n]];
        for (let k = rowStart[c]; k < rowStart[c + 1]; k++) {
          if (seen[blocks[k]] === i) continue;
          seen[blocks[k]] = i;
          row.push(blocks[k]);
        }
      }
      row.sort((a, b) => a - b);
      for (const j of row) place[j] = all.push(j) - 1;
      rowStarts[i + 1] = all.length;
      for (let n = start[i]; n < start[i + 1]; n++) {
        const block = ofBody[n];
        const from = rowStart[contact[block]];
        const to = rowStart[contact[block] + 1];
        for (let k = from; k < to; k++) this.placeOf[firstPair[block] + k - from] = place[blocks[k]];
      }
    }
    this.system = createBlockRows(FREEDOMS, columns, all.length);
    const { system } = this;
    system.rows = columns;
    system.rowStart = rowStarts;
    system.columns.set(all);
    for (let i = 0; i < columns; i++) system.diagonal[i] = all.indexOf(i, rowStarts[i]);
  }

  /** Whether contacts have the bodies that this pattern was made for. */
  fits(count: number, { columns, rowStart, blockColumns }: ContactFactors): boolean {
    if (columns !== this.system.rows || count + 1 !== this.#rowStart.length) return false;
    for (let c = 0; c <= count; c++) if (rowStart[c] !== this.#rowStart[c]) return false;
    for (let k = 0; k < this.#columns.length; k++) if (blockColumns[k] !== this.#columns[k]) return false;
    return true;
  }
}

const REFINEMENTS = 1;
const BLOCK = FREEDOMS * FREEDOMS;

/**
 * Added to the diagonal of L⁻¹ R⁻¹, relative to the mean mobility: W has no rank along redundant contacts
 * that stick.
 */
const REGULARISATION = 1e-9;

/**
 * Blocks of the diagonal by contact, dimension² entries each, row-major. Rows of R without an entry take no
 * part; their inverses are 1.
 */
export interface Scales {
  readonly left: Float64Array;
  readonly right: Float64Array;
  readonly leftInverse: Float64Array;
  readonly rightInverse: Float64Array;
}

export const createScales = (entries: number): Scales => ({
  left: new Float64Array(entries),
  right: new Float64Array(entries),
  leftInverse: new Float64Array(entries),
  rightInverse: new Float64Array(entries),
});

export class ShiftedSystem {
  readonly #lu = new BlockLu(true);
  #pattern: BodyPattern | null = null;
  #problem: FrictionContactProblem | null = null;
  #factors: ContactFactors | null = null;
  /** the caller's */
  #scales: Scales = createScales(0);
  /** L⁻¹ R⁻¹, and which rows of W take part */
  #diagonal = new Float64Array(0);
  #parts = new Float64Array(0);
  /** F⁻¹ by contact */
  #inverse = new Float64Array(0);
  /** F⁻¹ L B and ᵗR B, laid out as B is */
  #leftRows = new Float64Array(0);
  #rightRows = new Float64Array(0);
  /** unit blocks of bodies */
  #units = new Float64Array(0);
  #z = new Float64Array(0);
  #given = new Float64Array(0);
  #defect = new Float64Array(0);
  #moved = new Float64Array(0);
  #zero = new Float64Array(0);
  readonly #block = new Float64Array(9);
  readonly #work = new Float64Array(18);

  /**
   * @param scales L, R and their inverses, which stay until the last `solve`
   * @returns false when a pivot was singular or not a number
   */
  factor(problem: FrictionContactProblem, scales: Scales): boolean {
    const { factors } = problem;
    this.#problem = problem;
    this.#scales = scales;
    this.#factors = isSymmetricProduct(factors) ? factors : null;
    this.#reserve(problem);
    if (this.#factors === null) {
      this.#divide(problem);
      return this.#lu.factor(problem.W, this.#diagonal, this.#parts);
    }
    if (!this.#invert(problem, this.#factors)) return false;
    this.#multiplyRows(problem, this.#factors);
    return this.#lu.factor(this.#assemble(problem, this.#factors), this.#units, null);
  }

  /** Products of blocks that factors take, by bodies where they are known; they are planned for it. */
  productsFor(problem: FrictionContactProblem): { products: number; size: number } {
    const { factors } = problem;
    if (!isSymmetricProduct(factors))
      return { products: this.#lu.productsFor(problem.W), size: problem.dimension };
    return { products: this.#lu.productsFor(this.#patternOf(problem, factors).system), size: FREEDOMS };
  }

  /** x ← (1 + L W R)⁻¹ x */
  solve(x: Float64Array): void {
    const problem = this.#problem;
    if (problem === null) return;
    const n = problem.dimension * problem.count;
    const given = this.#given;
    for (let i = 0; i < n; i++) given[i] = x[i];
    this.#solveOnce(problem, x);
    for (let k = 0; k < REFINEMENTS; k++) {
      this.#leave(problem, x);
      this.#solveOnce(problem, this.#defect);
      for (let i = 0; i < n; i++) x[i] += this.#defect[i];
    }
  }

  #reserve({ dimension: d, count }: FrictionContactProblem): void {
    const n = d * count;
    const factors = this.#factors;
    if (this.#given.length < n) {
      this.#given = new Float64Array(n);
      this.#defect = new Float64Array(n);
      this.#moved = new Float64Array(n);
      this.#zero = new Float64Array(n);
    }
    if (factors === null) {
      if (this.#diagonal.length >= d * n) return;
      this.#diagonal = new Float64Array(d * n);
      this.#parts = new Float64Array(d * n);
      return;
    }
    if (this.#inverse.length < d * n) this.#inverse = new Float64Array(d * n);
    const freedoms = FREEDOMS * factors.columns;
    if (this.#z.length < freedoms) {
      this.#z = new Float64Array(freedoms);
      this.#units = new Float64Array(FREEDOMS * freedoms);
      for (let k = 0; k < freedoms; k++)
        this.#units[BLOCK * Math.floor(k / FREEDOMS) + (FREEDOMS + 1) * (k % FREEDOMS)] = 1;
    }
    const entries = d * FREEDOMS * factors.rowStart[count];
    if (this.#leftRows.length >= entries) return;
    this.#leftRows = new Float64Array(entries);
    this.#rightRows = new Float64Array(entries);
  }

  /** L⁻¹ R⁻¹ */
  #divide({ W, dimension: d, count }: FrictionContactProblem): void {
    const s = d * d;
    const { leftInverse, rightInverse, right } = this.#scales;
    const least = REGULARISATION * meanDiagonal(W);
    this.#parts.fill(0, 0, s * count);
    for (let c = 0; c < count; c++) {
      multiply(d, leftInverse, s * c, rightInverse, s * c, this.#diagonal, s * c);
      for (let i = 0; i < d; i++) {
        const row = s * c + d * i;
        this.#diagonal[row + i] += least;
        for (let j = 0; j < d; j++) if (right[row + j] !== 0) this.#parts[row + i] = 1;
      }
    }
  }

  /** F⁻¹ */
  #invert({ dimension: d, count }: FrictionContactProblem, { diagonal: e, scale }: ContactFactors): boolean {
    const s = d * d;
    const f = this.#block;
    for (let c = 0; c < count; c++) {
      for (let i = 0; i < d; i++)
        for (let j = 0; j < d; j++) {
          let sum = i === j ? 1 : 0;
          for (let k = 0; k < d; k++)
            sum +=
              this.#scales.left[s * c + d * i + k] *
              scale *
              e[d * c + k] *
              this.#scales.right[s * c + d * k + j];
          f[d * i + j] = sum;
        }
      if (!invertGradedBlock(d, f, 0, this.#inverse, s * c, this.#work)) return false;
    }
    return true;
  }

  /** F⁻¹ L B and ᵗR B */
  #multiplyRows({ dimension: d, count }: FrictionContactProblem, { rowStart, values }: ContactFactors): void {
    const s = d * d;
    const through = this.#block;
    for (let c = 0; c < count; c++) {
      multiply(d, this.#inverse, s * c, this.#scales.left, s * c, through, 0);
      for (let k = rowStart[c]; k < rowStart[c + 1]; k++)
        for (let i = 0; i < d; i++)
          for (let m = 0; m < FREEDOMS; m++) {
            let left = 0;
            let right = 0;
            for (let j = 0; j < d; j++) {
              const b = values[FREEDOMS * (d * k + j) + m];
              left += through[d * i + j] * b;
              right += this.#scales.right[s * c + d * j + i] * b;
            }
            this.#leftRows[FREEDOMS * (d * k + i) + m] = left;
            this.#rightRows[FREEDOMS * (d * k + i) + m] = right;
          }
    }
  }

  #patternOf({ count }: FrictionContactProblem, factors: ContactFactors): BodyPattern {
    if (this.#pattern?.fits(count, factors) !== true) this.#pattern = new BodyPattern(count, factors);
    return this.#pattern;
  }

  /** ᵗB R F⁻¹ L B */
  #assemble(problem: FrictionContactProblem, factors: ContactFactors): BlockRows {
    const { system, placeOf } = this.#patternOf(problem, factors);
    const { rowStart, scale } = factors;
    const d = problem.dimension;
    const out = system.values;
    out.fill(0);
    let pair = 0;
    for (let c = 0; c < problem.count; c++)
      for (let a = rowStart[c]; a < rowStart[c + 1]; a++)
        for (let b = rowStart[c]; b < rowStart[c + 1]; b++) {
          const to = BLOCK * placeOf[pair++];
          for (let j = 0; j < d; j++) {
            const first = FREEDOMS * (d * a + j);
            const second = FREEDOMS * (d * b + j);
            for (let n = 0; n < FREEDOMS; n++) {
              const factor = scale * this.#rightRows[first + n];
              for (let m = 0; m < FREEDOMS; m++)
                out[to + FREEDOMS * n + m] += factor * this.#leftRows[second + m];
            }
          }
        }
    return system;
  }

  /** x ← (1 + L W R)⁻¹ x, but for rounding. */
  #solveOnce({ dimension: d, count }: FrictionContactProblem, x: Float64Array): void {
    const factors = this.#factors;
    if (factors === null) {
      const { leftInverse, rightInverse } = this.#scales;
      for (let c = 0; c < count; c++) apply(d, leftInverse, c, x, this.#block);
      this.#lu.solve(x);
      for (let c = 0; c < count; c++) apply(d, rightInverse, c, x, this.#block);
      return;
    }
    const { rowStart, blockColumns, columns, scale } = factors;
    const z = this.#z;
    for (let i = 0; i < FREEDOMS * columns; i++) z[i] = 0;
    for (let c = 0; c < count; c++) {
      apply(d, this.#inverse, c, x, this.#block);
      for (let k = rowStart[c]; k < rowStart[c + 1]; k++)
        for (let a = 0; a < d; a++)
          for (let j = 0; j < FREEDOMS; j++)
            z[FREEDOMS * blockColumns[k] + j] += this.#rightRows[FREEDOMS * (d * k + a) + j] * x[d * c + a];
    }
    this.#lu.solve(z);
    for (let c = 0; c < count; c++)
      for (let k = rowStart[c]; k < rowStart[c + 1]; k++)
        for (let a = 0; a < d; a++) {
          let sum = 0;
          for (let j = 0; j < FREEDOMS; j++)
            sum += this.#leftRows[FREEDOMS * (d * k + a) + j] * z[FREEDOMS * blockColumns[k] + j];
          x[d * c + a] -= scale * sum;
        }
  }

  /** `#defect` ← b − (1 + L W R) x */
  #leave({ W, dimension: d, count }: FrictionContactProblem, x: Float64Array): void {
    const moved = this.#moved;
    const defect = this.#defect;
    for (let i = 0; i < d * count; i++) moved[i] = x[i];
    for (let c = 0; c < count; c++) apply(d, this.#scales.right, c, moved, this.#block);
    multiplyBlocks(W, moved, this.#zero, defect);
    for (let c = 0; c < count; c++) apply(d, this.#scales.left, c, defect, this.#block);
    for (let i = 0; i < d * count; i++) defect[i] = this.#given[i] - x[i] - defect[i];
  }
}

/** Whether bodies are known, and no row has the normal reaction of another. */
const isSymmetricProduct = (factors: ContactFactors | null): factors is ContactFactors =>
  factors?.form() === true && factors.pressedBy === null;

/** c ← a b of d × d blocks */
function multiply(
  d: number,
  a: Float64Array,
  atA: number,
  b: Float64Array,
  atB: number,
  c: Float64Array,
  atC: number,
): void {
  for (let i = 0; i < d; i++)
    for (let j = 0; j < d; j++) {
      let sum = 0;
      for (let k = 0; k < d; k++) sum += a[atA + d * i + k] * b[atB + d * k + j];
      c[atC + d * i + j] = sum;
    }
}

/** x_c ← A_c x_c @param y work */
function apply(d: number, a: Float64Array, c: number, x: Float64Array, y: Float64Array): void {
  for (let i = 0; i < d; i++) {
    y[i] = 0;
    for (let j = 0; j < d; j++) y[i] += a[d * d * c + d * i + j] * x[d * c + j];
  }
  for (let i = 0; i < d; i++) x[d * c + i] = y[i];
}
