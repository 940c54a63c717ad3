/**
 * Laws reduced to the canonical one-step problem.
 *
 * A row with a box law is a row of the variational inequality as it stands. A graph in the (y, λ) plane with points
 * P_0 … P_m, coming in along d_0 and leaving along d_{m+1}, is run through by a parameter s:
 *
 *     P(s) = P_0 + s d_0 + Σ_{k=0}^{m} (d_{k+1} − d_k) x_k,     x_k = max(0, s − k),
 *
 * with d_k = P_k − P_{k−1} in between. x_k is a complementarity, 0 ≤ x_k ⊥ x_k − s + k ≥ 0, s is free, and its equation
 * says that the relation's y at λ = P_λ(s) is P_y(s):
 *
 *     y(λ) − P_y(s) = 0,   y(λ) = W λ + q.
 *
 * So a graph of m + 1 points takes m + 2 unknowns, and vertical and horizontal pieces cost nothing more. The graph is
 * run through in the direction in which λ grows and y falls, so that a maximal monotone law keeps the diagonal
 * positive.
 */
import { type SparseRows, sparseFromPattern } from '../linalg/csr';
import type { LawRow, PiecewiseLinearGraph } from '../model/forms';

/** A graph in the direction of its parameter. */
interface OrientedGraph {
  readonly y0: number;
  readonly lambda0: number;
  /** direction before the first point */
  readonly dy: number;
  readonly dLambda: number;
  /** change of direction at each point */
  readonly kinkY: Float64Array;
  readonly kinkLambda: Float64Array;
}

function orient(graph: PiecewiseLinearGraph): OrientedGraph {
  const n = graph.y.length;
  const ys = Array.from(graph.y);
  const lambdas = Array.from(graph.lambda);
  let start = graph.startDirection;
  let end = graph.endDirection;
  const progress = lambdas[n - 1] - lambdas[0] - ys[n - 1] + ys[0] + start[1] + end[1] - start[0] - end[0];
  if (progress < 0) {
    ys.reverse();
    lambdas.reverse();
    [start, end] = [
      [-end[0], -end[1]],
      [-start[0], -start[1]],
    ];
  }
  const directions = [
    start,
    ...ys.slice(1).map((y, k): [number, number] => [y - ys[k], lambdas[k + 1] - lambdas[k]]),
    end,
  ];
  return {
    y0: ys[0],
    lambda0: lambdas[0],
    dy: start[0],
    dLambda: start[1],
    kinkY: Float64Array.from({ length: n }, (_, k) => directions[k + 1][0] - directions[k][0]),
    kinkLambda: Float64Array.from({ length: n }, (_, k) => directions[k + 1][1] - directions[k][1]),
  };
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
  readonly hasGraphs: boolean;
  /** row of each canonical row */
  readonly rowOf: Int32Array;

  readonly #graphs: (OrientedGraph | null)[];
  /** λ by canonical unknown: coefficient, and the value at zero by row */
  readonly #coefficient: Float64Array;
  readonly #lambda0: Float64Array;
  readonly #y0: Float64Array;

  /** @param laws law of each row; @param delassus its operator, whose values may change later */
  constructor(
    laws: readonly LawRow[],
    private readonly delassus: SparseRows,
  ) {
    this.#graphs = laws.map((law) => (law.kind === 'graph' ? orient(law.graph) : null));
    this.hasGraphs = this.#graphs.some((graph) => graph !== null);
    this.first = new Int32Array(laws.length + 1);
    this.#graphs.forEach((graph, i) => (this.first[i + 1] = this.first[i] + 1 + (graph?.kinkY.length ?? 0)));
    this.count = this.first[laws.length];
    this.rowOf = new Int32Array(this.count);
    this.lower = new Float64Array(this.count);
    this.upper = new Float64Array(this.count).fill(Number.POSITIVE_INFINITY);
    this.#coefficient = new Float64Array(this.count).fill(1);
    this.#lambda0 = new Float64Array(laws.length);
    this.#y0 = new Float64Array(laws.length);
    laws.forEach((law, i) => {
      this.#describe(law, i);
    });
    this.operator = this.hasGraphs ? this.#pattern() : delassus;
    this.update();
  }

  #describe(law: LawRow, i: number): void {
    const at = this.first[i];
    this.rowOf.fill(i, at, this.first[i + 1]);
    if (law.kind === 'box') {
      this.lower[at] = law.lower;
      this.upper[at] = law.upper;
      return;
    }
    const graph = this.#graphs[i];
    if (graph === null) return;
    this.lower[at] = Number.NEGATIVE_INFINITY;
    this.#coefficient[at] = graph.dLambda;
    this.#lambda0[i] = graph.lambda0;
    this.#y0[i] = graph.y0;
    for (let k = 0; k < graph.kinkLambda.length; k++) this.#coefficient[at + 1 + k] = graph.kinkLambda[k];
  }

  #pattern(): SparseRows {
    const { first, delassus } = this;
    const pattern: number[][] = [];
    this.#graphs.forEach((graph, i) => {
      const columns: number[] = [];
      for (let k = delassus.rowStart[i]; k < delassus.rowStart[i + 1]; k++) {
        const other = delassus.columns[k];
        for (let c = first[other]; c < first[other + 1]; c++) columns.push(c);
      }
      pattern.push(columns);
      const points = graph?.kinkY.length ?? 0;
      for (let k = 0; k < points; k++) pattern.push([first[i], first[i] + 1 + k]);
    });
    return sparseFromPattern(pattern);
  }

  /** Brings the operator to the present values of W. */
  update(): void {
    if (!this.hasGraphs) return;
    const { first, delassus } = this;
    const { rowStart, columns, values } = this.operator;
    for (let i = 0; i < this.#graphs.length; i++) {
      let entry = rowStart[first[i]];
      for (let k = delassus.rowStart[i]; k < delassus.rowStart[i + 1]; k++) {
        const other = delassus.columns[k];
        for (let c = first[other]; c < first[other + 1]; c++)
          values[entry++] = delassus.values[k] * this.#coefficient[c];
      }
      const graph = this.#graphs[i];
      if (graph === null) continue;
      for (let e = rowStart[first[i]]; e < rowStart[first[i] + 1]; e++) {
        const own = columns[e] - first[i];
        if (own === 0) values[e] -= graph.dy;
        else if (own > 0 && own <= graph.kinkY.length) values[e] -= graph.kinkY[own - 1];
      }
      for (let k = 0; k < graph.kinkY.length; k++) {
        const at = rowStart[first[i] + 1 + k];
        values[at] = -1;
        values[at + 1] = 1;
      }
    }
  }

  /**
   * Offsets of the canonical problem.
   * @param free y at λ = 0, by row
   * @param q filled by canonical row
   */
  offsets(free: Float64Array, q: Float64Array): void {
    const { delassus, first } = this;
    for (let i = 0; i < this.#graphs.length; i++) {
      let value = free[i] - this.#y0[i];
      for (let k = delassus.rowStart[i]; k < delassus.rowStart[i + 1]; k++)
        value += delassus.values[k] * this.#lambda0[delassus.columns[k]];
      q[first[i]] = value;
      for (let c = first[i] + 1; c < first[i + 1]; c++) q[c] = c - first[i] - 1;
    }
  }

  /** λ by row from the canonical unknowns. */
  recover(z: Float64Array, lambda: Float64Array): void {
    for (let i = 0; i < lambda.length; i++) {
      let value = this.#lambda0[i];
      for (let c = this.first[i]; c < this.first[i + 1]; c++) value += this.#coefficient[c] * z[c];
      lambda[i] = value;
    }
  }
}
