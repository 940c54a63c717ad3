/**
 * The friction-contact problem, Signorini's condition on velocities and Coulomb's law at n contacts in the
 * plane or in space:
 *
 *     u = W r + q,     K_μ ∋ r ⊥ û ∈ K*_μ,     û = u + μ |u_T| e_N,
 *
 * with the cones K_μ = {|r_T| ≤ μ r_N} and K*_μ = {μ |û_T| ≤ û_N} of each contact. Component 0 of a contact
 * is along its normal, the others span the tangent plane. û is the change of variable of De Saxcé and Feng
 * 1991, which turns the law, associated in u_N by no potential, into complementarity of cones. Restitution is
 * a part of q.
 *
 * The natural map tells how far r is from a solution: r solves the problem if and only if
 * r = P_K(r − û), P_K being the projection onto the cones (`projectOntoCone`). The residual is
 *
 *     |r − P_K(r − û)| / max(|q|, |r|, |u|)     (Euclidean norms over all contacts).
 *
 * Units: r is an impulse or a force, u a velocity, W what maps the one to the other; the natural map adds the
 * two and is taken for numbers, as is usual in the field (Acary, Brémond and Huber 2018).
 */
import { type BlockRows, createBlockRows, multiplyBlocks } from '../linalg/block-rows';

export class FrictionContactProblem {
  /** contacts at this step */
  count = 0;
  /** changes with every change of W */
  revision = 0;
  /** whether W is symmetric; what rolling friction adds to it is not */
  isSymmetric = true;
  /** blocks of W; symmetric positive semidefinite where the model is sound and has no rolling friction */
  readonly W: BlockRows;
  /** what W is made of, where that is known */
  factors: ContactFactors | null = null;
  /** velocities without contact forces, and what restitution adds: dimension · count entries */
  q: Float64Array;
  /** by contact, not negative */
  mu: Float64Array;
  /**
   * ν by contact, 0 … μ, where the flow of cones dilates: û = u + (μ − ν) |u_T| e_N; null where none does.
   * Solvers other than `Dilatant` know Coulomb’s law only. In space
   */
  dilatancy: Float64Array | null = null;
  /** on entry of a solver the guess, on return its answer */
  r: Float64Array;
  /** W r + q of the last `certify` */
  u: Float64Array;
  /** [0] residual of the last `certify`, [1] what it is relative to, [2] |q| */
  readonly measure = new Float64Array(3);
  /** of the squares that a measurement adds up */
  readonly #sums = new Float64Array(4);

  /**
   * @param dimension 2 or 3
   * @param contacts, blocks room for that many
   */
  constructor(
    readonly dimension: 2 | 3,
    contacts: number,
    blocks: number,
  ) {
    this.W = createBlockRows(dimension, contacts, blocks);
    this.q = new Float64Array(dimension * contacts);
    this.mu = new Float64Array(contacts);
    this.r = new Float64Array(dimension * contacts);
    this.u = new Float64Array(dimension * contacts);
  }

  /** Multiplies r out and measures it. @returns the relative residual of the natural map */
  certify(): number {
    const { measure } = this;
    const sums = this.#sums;
    if (this.dimension === 3) measureInSpace(this, sums);
    else measureInPlane(this, sums);
    const defect = Math.sqrt(sums[0]);
    const scale = Math.sqrt(Math.max(sums[1], sums[2], sums[3]));
    measure[0] = scale > 0 ? defect / scale : defect;
    measure[1] = scale;
    measure[2] = Math.sqrt(sums[1]);
    return measure[0];
  }
}

/**
 * u ← W r + q, and the squares of the natural map, q, r and u. Product and projection (`projectOntoCone`) are
 * written out: in problems of a few contacts they are a third of a solve.
 * @param sums 4 numbers
 */
function measureInSpace(
  { W, q, r, u, mu, count, dilatancy }: FrictionContactProblem,
  sums: Float64Array,
): void {
  const { rowStart, columns, values } = W;
  let defect = 0;
  let ofQ = 0;
  let ofR = 0;
  let ofU = 0;
  for (let c = 0; c < count; c++) {
    const at = 3 * c;
    const q0 = q[at];
    const q1 = q[at + 1];
    const q2 = q[at + 2];
    let u0 = q0;
    let u1 = q1;
    let u2 = q2;
    const end = rowStart[c + 1];
    for (let k = rowStart[c]; k < end; k++) {
      const j = 3 * columns[k];
      const v = 9 * k;
      const x0 = r[j];
      const x1 = r[j + 1];
      const x2 = r[j + 2];
      u0 += values[v] * x0 + values[v + 1] * x1 + values[v + 2] * x2;
      u1 += values[v + 3] * x0 + values[v + 4] * x1 + values[v + 5] * x2;
      u2 += values[v + 6] * x0 + values[v + 7] * x1 + values[v + 8] * x2;
    }
    u[at] = u0;
    u[at + 1] = u1;
    u[at + 2] = u2;
    const r0 = r[at];
    const r1 = r[at + 1];
    const r2 = r[at + 2];
    const m = mu[c];
    const shift = dilatancy === null ? m : m - dilatancy[c];
    // r − û, and r less its projection: nothing within the cone, itself in the polar one, and what is beside
    // the nearest ray.
    const x0 = r0 - u0 - shift * Math.sqrt(u1 * u1 + u2 * u2);
    const x1 = r1 - u1;
    const x2 = r2 - u2;
    const tangent = Math.sqrt(x1 * x1 + x2 * x2);
    let d0 = r0;
    let d1 = r1;
    let d2 = r2;
    if (x0 >= 0 && tangent <= m * x0) {
      d0 -= x0;
      d1 -= x1;
      d2 -= x2;
    } else if (!(m * tangent <= -x0)) {
      const normal = (x0 + m * tangent) / (1 + m * m);
      const factor = (m * normal) / tangent;
      d0 -= normal;
      d1 -= factor * x1;
      d2 -= factor * x2;
    }
    defect += d0 * d0 + d1 * d1 + d2 * d2;
    ofQ += q0 * q0 + q1 * q1 + q2 * q2;
    ofR += r0 * r0 + r1 * r1 + r2 * r2;
    ofU += u0 * u0 + u1 * u1 + u2 * u2;
  }
  sums[0] = defect;
  sums[1] = ofQ;
  sums[2] = ofR;
  sums[3] = ofU;
}

/** The same in the plane, where a contact has one tangent. */
function measureInPlane({ W, q, r, u, mu, count }: FrictionContactProblem, sums: Float64Array): void {
  multiplyBlocks(W, r, q, u);
  sums.fill(0);
  for (let c = 0; c < count; c++) {
    const n = 2 * c;
    const t = n + 1;
    const x0 = r[n] - u[n] - mu[c] * Math.abs(u[t]);
    const x1 = r[t] - u[t];
    const tangent = Math.abs(x1);
    let d0 = r[n];
    let d1 = r[t];
    if (x0 >= 0 && tangent <= mu[c] * x0) {
      d0 -= x0;
      d1 -= x1;
    } else if (!(mu[c] * tangent <= -x0)) {
      const normal = (x0 + mu[c] * tangent) / (1 + mu[c] * mu[c]);
      d0 -= normal;
      d1 -= Math.sign(x1) * mu[c] * normal;
    }
    sums[0] += d0 * d0 + d1 * d1;
    sums[1] += q[n] * q[n] + q[t] * q[t];
    sums[2] += r[n] * r[n] + r[t] * r[t];
    sums[3] += u[n] * u[n] + u[t] * u[t];
  }
}

/*
 * What W of a friction-contact problem is made of: with M⁻¹ = L ᵗL body by body, or P = L ᵗL of bodies that
 * joints hold together,
 *
 *     W = B ᵗB + E,     B = H L,
 *
 * B having a block row for each contact, with blocks for the bodies it is on only, and E a diagonal:
 * compliance, and what decouples rows of joints. A contact couples with all others on its two bodies, so W
 * has many more entries than B, and sparse factors of W + D many more than those of I + ᵗB D⁻¹ B, which has a
 * block for two bodies in contact.
 */

/** Columns of a block of B: freedoms of a rigid body. */
export const FREEDOMS = 6;

export interface ContactFactors {
  /** block columns: one for a body, as many as are needed for bodies that joints hold together */
  readonly columns: number;
  /** blocks of contact c: rowStart[c] … rowStart[c + 1] − 1 */
  readonly rowStart: Int32Array;
  /** block column of each block */
  readonly blockColumns: Int32Array;
  /** entries of each block, dimension × `FREEDOMS`, row-major */
  readonly values: Float64Array;
  /** E, dimension entries for each contact, not negative */
  readonly diagonal: Float64Array;
  /**
   * For rows of moments that oppose rolling and spinning: the row before them whose normal reaction is also
   * theirs, so that it bounds their tangents (`contact-dynamics/moment-rows.ts`). W is B ᵗB + E but for their
   * first components then, which act on nothing. −1 for all other rows; null where all are others
   */
  readonly pressedBy: Int32Array | null;
  /** factor of all of W by which it has been brought to other units, a power of two: W = scale (B ᵗB + E) */
  scale: number;
  /**
   * Brings all of it to the present W; formed when a solver asks for it.
   * @returns false where W is not of this form
   */
  form(): boolean;
}
