/**
 * Laws as the certificate sees them: how far (y, λ) is from the law, measured in units of y.
 *
 *     box [l, u]     | the middle one of d (λ − u), y, d (λ − l) |
 *     graph          distance of (y, d λ) from the broken line, with λ of the graph scaled alike
 *     switched off   d |λ|
 *
 * Each is relative to the largest magnitude that its row has shown so far, but not to less than a fixed part of what
 * the rows of its kind have shown: a row that only carries rounding has no scale of its own.
 */
import type { LawRow, PiecewiseLinearGraph } from '../../model/forms';
import type { CarryOver } from '../carry-over';
import { type Ledger, SMALLEST_SCALE } from './ledger';

/** Smallest part of its kind's scale that a row is measured by. */
const ROW_FLOOR = 1e-3;

export class LawCheck {
  /** largest |y| and d |λ| by row */
  readonly #rowScale: Float64Array;
  /** the same by kind of row */
  readonly #kindScale: Float64Array;
  readonly #lower: Float64Array;
  readonly #upper: Float64Array;
  readonly #graphs: (PiecewiseLinearGraph | null)[];
  /** [0] worst residual of a step, already relative to its row: [1] is 1 */
  readonly #entry = Float64Array.of(0, 1);
  readonly #distance = new Float64Array(1);

  /**
   * @param kindOf by row, a small number: rows of one kind count in the same units
   * @param restitution by row
   */
  constructor(
    laws: readonly LawRow[],
    private readonly kindOf: Uint8Array,
    private readonly restitution: Float64Array,
  ) {
    this.#rowScale = new Float64Array(laws.length);
    this.#kindScale = new Float64Array(256);
    this.#lower = Float64Array.from(laws, (law) =>
      law.kind === 'box' ? law.lower : Number.NEGATIVE_INFINITY,
    );
    this.#upper = Float64Array.from(laws, (law) =>
      law.kind === 'box' ? law.upper : Number.POSITIVE_INFINITY,
    );
    this.#graphs = laws.map((law) => (law.kind === 'graph' ? law.graph : null));
  }

  /**
   * @param y value of the relation at the end of the step, by row
   * @param scale d by row
   * @param reference what restitution acts on, by row
   */
  check(
    y: Float64Array,
    lambda: Float64Array,
    scale: Float64Array,
    reference: Float64Array,
    active: Uint8Array,
    clock: Float64Array,
    ledger: Ledger,
  ): void {
    let worst = 0;
    let worstRow = -1;
    let cone = 0;
    let coneRow = -1;
    for (let row = 0; row < lambda.length; row++) {
      const speed = scale[row] * lambda[row];
      const w = y[row] + this.restitution[row] * reference[row];
      const magnitude = this.#magnitude(row, Math.max(Math.abs(y[row]), Math.abs(speed)));
      if (active[row] === 0) {
        const residual = Math.abs(speed) / magnitude;
        if (!(residual <= worst) && !Number.isNaN(worst)) {
          worst = residual;
          worstRow = row;
        }
        continue;
      }
      const graph = this.#graphs[row];
      if (graph !== null) {
        this.#measureGraph(graph, w, lambda[row], scale[row]);
        const residual = this.#distance[0] / magnitude;
        if (!(residual <= worst) && !Number.isNaN(worst)) {
          worst = residual;
          worstRow = row;
        }
        continue;
      }
      const lower = this.#lower[row];
      const upper = this.#upper[row];
      const toLower = scale[row] * (lambda[row] - lower);
      const toUpper = scale[row] * (lambda[row] - upper);
      const residual = Math.abs(Math.max(toUpper, Math.min(toLower, w))) / magnitude;
      if (!(residual <= worst) && !Number.isNaN(worst)) {
        worst = residual;
        worstRow = row;
      }
      let outside = Math.max(0, -toLower, toUpper);
      const isUnboundedAbove = upper === Number.POSITIVE_INFINITY;
      const isUnboundedBelow = lower === Number.NEGATIVE_INFINITY;
      if (isUnboundedAbove && !isUnboundedBelow) outside = Math.max(outside, -w);
      if (isUnboundedBelow && !isUnboundedAbove) outside = Math.max(outside, w);
      outside /= magnitude;
      if (!(outside <= cone) && !Number.isNaN(cone)) {
        cone = outside;
        coneRow = row;
      }
    }
    this.#entry[0] = worst;
    ledger.enter('complementarity', this.#entry, clock, -1, worstRow);
    this.#entry[0] = cone;
    ledger.enter('cone', this.#entry, clock, -1, coneRow);
  }

  /** A copy of the magnitudes by row. */
  save(): Float64Array {
    return this.#rowScale.slice();
  }

  /** Goes on from the magnitudes of rows that stay. */
  load(carried: CarryOver): void {
    carried.rows(carried.state.certificate.rowScale, this.#rowScale);
    this.#rowScale.forEach((scale, row) => {
      const kind = this.kindOf[row];
      this.#kindScale[kind] = Math.max(this.#kindScale[kind], scale);
    });
  }

  /** What residuals of a row are relative to, with its present magnitude taken in; 1 while there is nothing. */
  #magnitude(row: number, present: number): number {
    const kind = this.kindOf[row];
    if (present > this.#rowScale[row]) this.#rowScale[row] = present;
    if (present > this.#kindScale[kind]) this.#kindScale[kind] = present;
    const magnitude = Math.max(this.#rowScale[row], ROW_FLOOR * this.#kindScale[kind]);
    return magnitude > SMALLEST_SCALE ? magnitude : 1;
  }

  /** Distance of (y, d λ) from the graph, into `#distance[0]`. */
  #measureGraph(graph: PiecewiseLinearGraph, y: number, lambda: number, d: number): void {
    const n = graph.y.length;
    this.#distance[0] = Number.POSITIVE_INFINITY;
    const { startDirection: start, endDirection: end } = graph;
    this.#measurePiece(
      y - graph.y[0],
      d * (lambda - graph.lambda[0]),
      -start[0],
      -d * start[1],
      Number.POSITIVE_INFINITY,
    );
    for (let k = 1; k < n; k++) {
      const dy = graph.y[k] - graph.y[k - 1];
      const dLambda = graph.lambda[k] - graph.lambda[k - 1];
      this.#measurePiece(y - graph.y[k - 1], d * (lambda - graph.lambda[k - 1]), dy, d * dLambda, 1);
    }
    this.#measurePiece(
      y - graph.y[n - 1],
      d * (lambda - graph.lambda[n - 1]),
      end[0],
      d * end[1],
      Number.POSITIVE_INFINITY,
    );
  }

  /** Distance of (a, b) from the points s·(da, db), 0 ≤ s ≤ last. */
  #measurePiece(a: number, b: number, da: number, db: number, last: number): void {
    const along = (a * da + b * db) / (da * da + db * db);
    const s = Math.max(0, Math.min(last, along));
    const distance = Math.hypot(a - s * da, b - s * db);
    if (!(distance >= this.#distance[0])) this.#distance[0] = distance;
  }
}
