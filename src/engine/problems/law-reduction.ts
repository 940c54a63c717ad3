/**
 * Laws reduced to the canonical one-step problem: their unknowns, and its operator and offsets from those of the rows.
 *
 * A row with a box law is a row of the variational inequality as it stands. A graph, and a contact with its friction,
 * become several, see `graph-law.ts` and `friction-law.ts`; all of them are linear in the multipliers and outputs of
 * their rows (`reduced-law.ts`). With y = W λ + y_free the canonical problem is therefore
 *
 *     w = (S W T + K) x + S (y_free + W λ⁰) + k,
 *
 * and each entry of its operator a sum of entries of W with constant coefficients, plus a constant.
 */
import { rowDot, type SparseRows, sparseFromPattern } from '../linalg/csr';
import type { LawRow } from '../model/forms';
import { reduceFriction } from './friction-law';
import { reduceGraph } from './graph-law';
import { type Entry, reduceBox, type ReducedLaw } from './reduced-law';

/** A reduced law at its place: its first row and its first unknown. */
interface PlacedLaw {
  readonly law: ReducedLaw;
  readonly row: number;
  readonly unknown: number;
}

/** An entry of the canonical operator: a constant, and places in W with their coefficients. */
interface Sum {
  constant: number;
  readonly terms: [number, number][];
}

/** Laws of all rows, those of a contact and its friction together. */
function placeLaws(laws: readonly LawRow[]): PlacedLaw[] {
  const placed: PlacedLaw[] = [];
  let unknown = 0;
  for (let row = 0; row < laws.length;) {
    const law = reduce(laws[row], laws[row + 1]);
    placed.push({ law, row, unknown });
    row += law.unknowns.length;
    unknown += law.lower.length;
  }
  return placed;
}

function reduce(law: LawRow, next: LawRow | undefined): ReducedLaw {
  if (next?.kind === 'friction') return reduceFriction(next.coefficient);
  if (law.kind === 'friction') throw new Error('friction without the contact it belongs to');
  return law.kind === 'graph' ? reduceGraph(law.graph) : reduceBox(law.lower, law.upper);
}

export class LawReduction {
  /** operator of the canonical problem over all rows; the given one where every law is a box */
  readonly operator: SparseRows;
  /** number of canonical rows */
  readonly count: number;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** first canonical row of each row; one more entry at the end */
  readonly first: Int32Array;
  /** whether every law is a box, so that the canonical problem is that of the rows */
  readonly isPlain: boolean;

  readonly hasFriction: boolean;

  /** T: λ by canonical unknown, by row */
  readonly #expansion: SparseRows;
  readonly #lambda0: Float64Array;
  /** row whose output a canonical row takes, −1 for none, and its factor */
  readonly #outputRow: Int32Array;
  readonly #outputSign: Float64Array;
  /** k by canonical row */
  readonly #offset: Float64Array;
  /** rows of friction, and the coefficient of each */
  readonly #friction: Int32Array;
  readonly #mu: Float64Array;
  // Each entry of the operator: a constant, and the entries of W in it with their coefficients.
  #constants = new Float64Array(0);
  #termStart = new Int32Array(0);
  #places = new Int32Array(0);
  #coefficients = new Float64Array(0);

  /** @param laws law of each row; @param delassus its operator, whose values may change later */
  constructor(
    laws: readonly LawRow[],
    private readonly delassus: SparseRows,
  ) {
    const placed = placeLaws(laws);
    const all = <T>(part: (law: ReducedLaw) => readonly T[]): T[] =>
      placed.flatMap(({ law }) => [...part(law)]);
    this.isPlain = laws.every(({ kind }) => kind === 'box');
    this.lower = Float64Array.from(all(({ lower }) => lower));
    this.upper = Float64Array.from(all(({ upper }) => upper));
    this.count = this.lower.length;
    this.first = new Int32Array(laws.length + 1);
    all(({ unknowns }) => unknowns).forEach((size, row) => (this.first[row + 1] = this.first[row] + size));
    this.#lambda0 = Float64Array.from(all(({ lambda0 }) => lambda0));
    this.#outputRow = new Int32Array(this.count).fill(-1);
    this.#outputSign = new Float64Array(this.count);
    for (const { law, row, unknown } of placed)
      for (const [condition, r, value] of law.conditions) {
        this.#outputRow[unknown + condition] = row + r;
        this.#outputSign[unknown + condition] = value;
      }
    this.#offset = Float64Array.from(all(({ offset }) => offset));
    const friction = laws.flatMap((law, row) => (law.kind === 'friction' ? [[row, law.coefficient]] : []));
    this.hasFriction = friction.length > 0;
    this.#friction = Int32Array.from(friction, ([row]) => row);
    this.#mu = Float64Array.from(friction, ([, mu]) => mu);
    this.#expansion = expansion(placed, laws.length);
    this.operator = this.isPlain ? delassus : this.#layOut(placed);
    this.update();
  }

  /** Pattern of the operator, and what each entry is made of. */
  #layOut(placed: readonly PlacedLaw[]): SparseRows {
    const rows = this.#sums(placed).map((row) => [...row].sort(([a], [b]) => a - b));
    const sums = rows.flatMap((row) => row.map(([, sum]) => sum));
    this.#constants = Float64Array.from(sums, ({ constant }) => constant);
    this.#termStart = new Int32Array(sums.length + 1);
    sums.forEach(({ terms }, e) => (this.#termStart[e + 1] = this.#termStart[e] + terms.length));
    const terms = sums.flatMap((sum) => sum.terms);
    this.#places = Int32Array.from(terms, ([place]) => place);
    this.#coefficients = Float64Array.from(terms, ([, coefficient]) => coefficient);
    return sparseFromPattern(rows.map((row) => row.map(([column]) => column)));
  }

  /** S W T + K by canonical row and column. */
  #sums(placed: readonly PlacedLaw[]): Map<number, Sum>[] {
    const { delassus } = this;
    const { rowStart, columns, values } = this.#expansion;
    const sums = Array.from({ length: this.count }, () => new Map<number, Sum>());
    const at = (row: number, column: number): Sum => {
      const sum = sums[row].get(column) ?? { constant: 0, terms: [] };
      sums[row].set(column, sum);
      return sum;
    };
    this.#outputRow.forEach((row, condition) => {
      if (row < 0) return;
      const sign = this.#outputSign[condition];
      for (let k = delassus.rowStart[row]; k < delassus.rowStart[row + 1]; k++) {
        const other = delassus.columns[k];
        for (let c = rowStart[other]; c < rowStart[other + 1]; c++)
          at(condition, columns[c]).terms.push([k, sign * values[c]]);
      }
    });
    for (const { law, row, unknown } of placed) {
      for (const [i, j, value] of law.own) at(unknown + i, unknown + j).constant += value;
      const diagonals = law.unknowns.map((_, k) => diagonalPlace(delassus, row + k));
      for (const [i, j, value] of law.mobile)
        for (const place of diagonals) at(unknown + i, unknown + j).terms.push([place, value]);
    }
    return sums;
  }

  /** Brings the operator to the present values of W. */
  update(): void {
    if (this.isPlain) return;
    const W = this.delassus.values;
    const { values } = this.operator;
    const constants = this.#constants;
    const termStart = this.#termStart;
    const places = this.#places;
    const coefficients = this.#coefficients;
    for (let e = 0; e < values.length; e++) {
      let sum = 0;
      const end = termStart[e + 1];
      for (let k = termStart[e]; k < end; k++) sum += W[places[k]] * coefficients[k];
      values[e] = sum + constants[e];
    }
  }

  /**
   * Offsets of the canonical problem.
   * @param free y at λ = 0, by row
   * @param q filled by canonical row
   */
  offsets(free: Float64Array, q: Float64Array): void {
    const { rowStart, columns, values } = this.delassus;
    const lambda0 = this.#lambda0;
    const offset = this.#offset;
    for (let c = 0; c < q.length; c++) {
      const row = this.#outputRow[c];
      if (row < 0) {
        q[c] = offset[c];
        continue;
      }
      const sign = this.#outputSign[c];
      let value = sign * free[row] + offset[c];
      for (let k = rowStart[row]; k < rowStart[row + 1]; k++) value += sign * values[k] * lambda0[columns[k]];
      q[c] = value;
    }
  }

  /** λ by row from the canonical unknowns. */
  recover(x: Float64Array, lambda: Float64Array): void {
    for (let i = 0; i < lambda.length; i++) lambda[i] = this.#lambda0[i] + rowDot(this.#expansion, i, x);
    const friction = this.#friction;
    for (let k = 0; k < friction.length; k++) {
      const row = friction[k];
      // What rounding leaves outside the cone would be friction of a contact that does not press.
      const limit = this.#mu[k] * lambda[row - 1];
      if (lambda[row] > limit) lambda[row] = limit;
      else if (lambda[row] < -limit) lambda[row] = limit === 0 ? 0 : -limit;
    }
  }
}

/** T of all laws. */
function expansion(placed: readonly PlacedLaw[], count: number): SparseRows {
  const rows = Array.from({ length: count }, (): Entry[] => []);
  for (const { law, row, unknown } of placed)
    for (const [r, x, value] of law.lambda) rows[row + r].push([row + r, unknown + x, value]);
  const matrix = sparseFromPattern(rows.map((row) => row.map(([, x]) => x)));
  matrix.values.set(rows.flat().map(([, , value]) => value));
  return matrix;
}

/** Place of W_ii; the pattern of W has its diagonal. */
function diagonalPlace({ rowStart, columns }: SparseRows, row: number): number {
  return columns.subarray(0, rowStart[row + 1]).indexOf(row, rowStart[row]);
}
