/**
 * Two curves p(s) and q(t) nearest to one another, by Newton's method from points nearby. With r = q − p,
 *
 *     r·p′ = 0,   r·q′ = 0,   Jacobian [ r·p″ − p′·p′    p′·q′       ]
 *                                      [ −p′·q′          r·q″ + q′·q′ ],
 *
 * which stays regular when the curves touch. The normal is then p′ × q′ and not r, whose direction is rounding when it is short. Only where
 * one of them is a point, or both are parallel, is r all there is.
 */
import { type Curve, POINT } from './curves';

/** Quadratic convergence: from 1e-4 to rounding in three; more means that the start was not near. */
const MOST_ITERATIONS = 30;
/** Tangents at a smaller angle than this, rad, are parallel. */
const PARALLEL = 1e-7;
/** Steps below this, relative to the parameters, are rounding. */
const CONVERGED = 1e-15;

export class CurvePair {
  /** unit normal, on the side of the given one */
  readonly normal = new Float64Array(3);
  readonly #r = new Float64Array(3);

  /**
   * @param near unit vector that the normal is near
   * @param x, y points near the curves
   * @returns false where there is no normal, or the points are beyond the ends of the curves
   */
  solve(p: Curve, q: Curve, x: Float64Array, y: Float64Array, near: Float64Array): boolean {
    p.approach(x);
    q.approach(y);
    for (let k = 0; k < MOST_ITERATIONS; k++) {
      this.#evaluate(p, q);
      const r = this.#r;
      let pp = 0;
      let pq = 0;
      let qq = 0;
      let rp = 0;
      let rq = 0;
      let a = 0;
      let d = 0;
      for (let i = 0; i < 3; i++) {
        pp += p.tangent[i] * p.tangent[i];
        pq += p.tangent[i] * q.tangent[i];
        qq += q.tangent[i] * q.tangent[i];
        rp += r[i] * p.tangent[i];
        rq += r[i] * q.tangent[i];
        a += r[i] * p.bend[i];
        d += r[i] * q.bend[i];
      }
      a -= pp;
      d += qq;
      const determinant = a * d + pq * pq;
      const isRegular = pp > 0 && qq > 0 && Math.abs(determinant) > PARALLEL * PARALLEL * pp * qq;
      let ds = 0;
      let dt = 0;
      if (isRegular) {
        ds = (-rp * d + rq * pq) / determinant;
        dt = (-rq * a - rp * pq) / determinant;
      } else if (pp > 0 && a !== 0) ds = -rp / a;
      else if (qq > 0 && d !== 0) dt = -rq / d;
      p.parameter[0] += ds;
      q.parameter[0] += dt;
      const s = p.parameter[0];
      const t = q.parameter[0];
      if (Math.abs(ds) <= CONVERGED * (1 + Math.abs(s)) && Math.abs(dt) <= CONVERGED * (1 + Math.abs(t)))
        break;
    }
    if (!Number.isFinite(p.parameter[0]) || !Number.isFinite(q.parameter[0])) return false;
    if (!p.isWithin() || !q.isWithin()) return false;
    this.#evaluate(p, q);
    return this.#direction(p, q, near);
  }

  #evaluate(p: Curve, q: Curve): void {
    p.evaluate();
    q.evaluate();
    for (let i = 0; i < 3; i++) this.#r[i] = q.position[i] - p.position[i];
  }

  #direction(p: Curve, q: Curve, near: Float64Array): boolean {
    const n = this.normal;
    const { tangent: e } = p;
    const { tangent: f } = q;
    for (let i = 0; i < 3; i++) {
      const j = (i + 1) % 3;
      const l = (i + 2) % 3;
      n[i] = e[j] * f[l] - e[l] * f[j];
    }
    let length = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    const tangents =
      Math.sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]) * Math.sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
    if (p.kind === POINT || q.kind === POINT || length <= PARALLEL * tangents) {
      n.set(this.#r);
      length = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    }
    if (!(length > 0)) return false;
    const side = n[0] * near[0] + n[1] * near[1] + n[2] * near[2];
    for (let i = 0; i < 3; i++) n[i] *= (side < 0 ? -1 : 1) / length;
    return true;
  }
}
