/**
 * Joints of a problem of an event, w = 0 with any z, eliminated from w = W z + q. With J the joints and F the
 * other rows
 *
 *     z_J = s − W_JJ⁻¹ W_JF z_F,     s = −W_JJ⁻¹ q_J,
 *     w_F = (W_FF − W_FJ W_JJ⁻¹ W_JF) z_F + q_F + W_FJ s.
 *
 * Where joints say the same W_JJ is singular, and z_J is one choice of many.
 */
import { SemidefiniteCholesky } from '../../linalg/cholesky';

/** The rows of a problem: W row by row with `size` columns, of which `count` rows and columns take part. */
export interface JointedRows {
  readonly count: number;
  readonly size: number;
  readonly values: Float64Array;
  readonly q: Float64Array;
}

export class JointElimination {
  /** s by joint: what holds them where all other multipliers are zero */
  readonly held: Float64Array;
  /** W_JJ⁻¹ W_Jc by row c of the problem, as many numbers as there are joints each; only of other rows */
  readonly shares: Float64Array;
  /** W, `count` columns, and q without joints, where the rows stand in the problem; only of other rows */
  readonly W: Float64Array;
  readonly q: Float64Array;
  readonly #factor: SemidefiniteCholesky;
  readonly #square: Float64Array;
  /** 1 for joints, by row of the problem */
  readonly #isJoint: Uint8Array;

  /** @param joints, rows largest number of joints, and of all rows */
  constructor(joints: number, rows: number) {
    this.held = new Float64Array(joints);
    this.shares = new Float64Array(rows * joints);
    this.W = new Float64Array(rows * rows);
    this.q = new Float64Array(rows);
    this.#factor = new SemidefiniteCholesky(joints);
    this.#square = new Float64Array(joints * joints);
    this.#isJoint = new Uint8Array(rows);
  }

  /** @param places of the joints in the problem, of which there are `joints` */
  eliminate({ count, size, values, q }: JointedRows, places: Int32Array, joints: number): void {
    const { held, shares, W } = this;
    const isJoint = this.#isJoint.fill(0);
    for (let r = 0; r < joints; r++) {
      isJoint[places[r]] = 1;
      held[r] = -q[places[r]];
      for (let s = 0; s <= r; s++) this.#square[r * joints + s] = values[places[r] * size + places[s]];
    }
    this.#factor.factor(this.#square, joints);
    this.#factor.solve(held);
    for (let c = 0; c < count; c++) {
      if (isJoint[c] === 1) continue;
      for (let r = 0; r < joints; r++) shares[c * joints + r] = values[places[r] * size + c];
      this.#factor.solve(shares, c * joints);
    }
    for (let i = 0; i < count; i++) {
      if (isJoint[i] === 1) continue;
      let sum = q[i];
      for (let r = 0; r < joints; r++) sum += values[i * size + places[r]] * held[r];
      this.q[i] = sum;
      for (let c = 0; c < count; c++) {
        if (isJoint[c] === 1) continue;
        let entry = values[i * size + c];
        for (let r = 0; r < joints; r++) entry -= values[i * size + places[r]] * shares[c * joints + r];
        W[i * count + c] = entry;
      }
    }
  }

  /** x ← W_JJ⁻¹ x, one number for each joint; x must be in its range. */
  solve(x: Float64Array): void {
    this.#factor.solve(x);
  }
}
