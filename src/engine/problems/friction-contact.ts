/**
 * The friction-contact problem, Signorini's condition on velocities and Coulomb's law at n contacts in the plane or in space:
 *
 *     u = W r + q,     K_μ ∋ r ⊥ û ∈ K*_μ,     û = u + μ |u_T| e_N,
 *
 * with the cones K_μ = {|r_T| ≤ μ r_N} and K*_μ = {μ |û_T| ≤ û_N} of each contact. Component 0 of a contact is along its
 * normal, the others span the tangent plane. û is the change of variable of G. de Saxcé and Z.-Q. Feng (Mech. Struct. Mach. 19,
 * 1991), which turns the law, associated in u_N by no potential, into complementarity of cones. Restitution is a part of q.
 *
 * How far r is from a solution is told by the natural map: r solves the problem if and only if r = P_K(r − û), P_K being the
 * projection onto the cones (`projectOntoCone`). The residual is
 *
 *     |r − P_K(r − û)| / max(|q|, |r|, |u|)     (Euclidean norms over all contacts).
 *
 * Units: r is an impulse or a force, u a velocity, W what maps the one to the other; the natural map adds the two and is taken for
 * numbers, as is usual in the field (V. Acary, M. Brémond, O. Huber, "On solving contact problems with Coulomb friction:
 * formulations and numerical comparisons", 2018).
 */
import { type BlockRows, createBlockRows, multiplyBlocks } from '../linalg/block-rows';
import { projectOntoCone } from '../linalg/friction-cone';
import type { ContactFactors } from './contact-factors';

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
  /** on entry of a solver the guess, on return its answer */
  r: Float64Array;
  /** W r + q of the last `certify` */
  u: Float64Array;
  /** [0] residual of the last `certify`, [1] what it is relative to */
  readonly measure = new Float64Array(2);
  readonly #work = new Float64Array(3);

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
    const { W, q, r, u, mu, dimension: d, count } = this;
    const work = this.#work;
    multiplyBlocks(W, r, q, u);
    let defect = 0;
    let ofQ = 0;
    let ofR = 0;
    let ofU = 0;
    for (let c = 0; c < count; c++) {
      const at = d * c;
      const slip = d === 3 ? Math.sqrt(u[at + 1] * u[at + 1] + u[at + 2] * u[at + 2]) : Math.abs(u[at + 1]);
      work[0] = r[at] - u[at] - mu[c] * slip;
      work[1] = r[at + 1] - u[at + 1];
      work[2] = d === 3 ? r[at + 2] - u[at + 2] : 0;
      projectOntoCone(work, 0, mu[c]);
      for (let k = 0; k < d; k++) {
        const distance = r[at + k] - work[k];
        defect += distance * distance;
        ofQ += q[at + k] * q[at + k];
        ofR += r[at + k] * r[at + k];
        ofU += u[at + k] * u[at + k];
      }
    }
    const scale = Math.sqrt(Math.max(ofQ, ofR, ofU));
    this.measure[0] = scale > 0 ? Math.sqrt(defect) / scale : Math.sqrt(defect);
    this.measure[1] = scale;
    return this.measure[0];
  }
}
