/**
 * Two circles p(s) and q(t) nearest to one another, the rims of two cylinders, by Newton's method from points nearby. With r = q − p,
 *
 *     r·p′ = 0,   r·q′ = 0,   Jacobian [ r·p″ − p′·p′    p′·q′       ]
 *                                      [ −p′·q′          r·q″ + q′·q′ ],
 *
 * which stays regular when they touch. The normal is then p′ × q′ and not r, whose direction is rounding when it is short. Only where both
 * tangents are parallel is r all there is.
 */
import type { PlacedCylinder } from './placed-cylinder';

/** Quadratic convergence: from 1e-2 to rounding in four; more means that the start was not near. */
const MOST_ITERATIONS = 30;
/** Tangents at a smaller angle than this, rad, are parallel. */
const PARALLEL = 1e-7;
/** Steps below this, rad, are rounding. */
const CONVERGED = 1e-15;

class Rim {
  readonly centre = new Float64Array(3);
  /** x and y axis, times the radius */
  readonly u = new Float64Array(3);
  readonly w = new Float64Array(3);
  /** [0] rad */
  readonly angle = new Float64Array(1);
  /** and its first and second derivative at the angle */
  readonly position = new Float64Array(3);
  readonly tangent = new Float64Array(3);
  readonly bend = new Float64Array(3);

  /** At the point that is nearest to x. */
  place({ axis, zero, centre, sizes }: PlacedCylinder, cap: number, x: Float64Array): void {
    const h = cap === 1 ? sizes[1] : -sizes[1];
    let along = 0;
    let across = 0;
    for (let k = 0; k < 3; k++) {
      const j = (k + 1) % 3;
      const l = (k + 2) % 3;
      this.centre[k] = centre[k] + h * axis[k];
      this.u[k] = sizes[0] * zero[k];
      this.w[k] = sizes[0] * (axis[j] * zero[l] - axis[l] * zero[j]);
      along += (x[k] - this.centre[k]) * this.u[k];
      across += (x[k] - this.centre[k]) * this.w[k];
    }
    this.angle[0] = Math.atan2(across, along);
  }

  evaluate(): void {
    const c = Math.cos(this.angle[0]);
    const d = Math.sin(this.angle[0]);
    const { centre, u, w, position, tangent, bend } = this;
    for (let k = 0; k < 3; k++) {
      bend[k] = -c * u[k] - d * w[k];
      position[k] = centre[k] - bend[k];
      tangent[k] = c * w[k] - d * u[k];
    }
  }
}

export class RimPair {
  /** unit normal, on the side of the given one */
  readonly normal = new Float64Array(3);
  readonly first = new Rim();
  readonly second = new Rim();
  readonly #r = new Float64Array(3);

  /**
   * @param x, y points near the rims
   * @param near unit vector that the normal is near
   * @returns false where there is no normal
   */
  solve(
    a: PlacedCylinder,
    capOfA: number,
    b: PlacedCylinder,
    capOfB: number,
    x: Float64Array,
    y: Float64Array,
    near: Float64Array,
  ): boolean {
    const { first: p, second: q } = this;
    p.place(a, capOfA, x);
    q.place(b, capOfB, y);
    const r = this.#r;
    for (let k = 0; k < MOST_ITERATIONS; k++) {
      this.#evaluate();
      let pp = 0;
      let pq = 0;
      let qq = 0;
      let rp = 0;
      let rq = 0;
      let m = 0;
      let d = 0;
      for (let i = 0; i < 3; i++) {
        pp += p.tangent[i] * p.tangent[i];
        pq += p.tangent[i] * q.tangent[i];
        qq += q.tangent[i] * q.tangent[i];
        rp += r[i] * p.tangent[i];
        rq += r[i] * q.tangent[i];
        m += r[i] * p.bend[i];
        d += r[i] * q.bend[i];
      }
      m -= pp;
      d += qq;
      const determinant = m * d + pq * pq;
      if (!(Math.abs(determinant) > PARALLEL * PARALLEL * pp * qq)) return false;
      const ds = (-rp * d + rq * pq) / determinant;
      const dt = (-rq * m - rp * pq) / determinant;
      p.angle[0] += ds;
      q.angle[0] += dt;
      if (Math.abs(ds) <= CONVERGED && Math.abs(dt) <= CONVERGED) break;
    }
    if (!Number.isFinite(p.angle[0]) || !Number.isFinite(q.angle[0])) return false;
    this.#evaluate();
    return this.#direction(near);
  }

  #evaluate(): void {
    const { first: p, second: q } = this;
    p.evaluate();
    q.evaluate();
    for (let i = 0; i < 3; i++) this.#r[i] = q.position[i] - p.position[i];
  }

  #direction(near: Float64Array): boolean {
    const n = this.normal;
    const { tangent: e } = this.first;
    const { tangent: f } = this.second;
    let square = 0;
    let ee = 0;
    let ff = 0;
    for (let i = 0; i < 3; i++) {
      const j = (i + 1) % 3;
      const l = (i + 2) % 3;
      n[i] = e[j] * f[l] - e[l] * f[j];
      square += n[i] * n[i];
      ee += e[i] * e[i];
      ff += f[i] * f[i];
    }
    if (square <= PARALLEL * PARALLEL * ee * ff) {
      n.set(this.#r);
      square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    }
    if (!(square > 0)) return false;
    const side = n[0] * near[0] + n[1] * near[1] + n[2] * near[2];
    const scale = (side < 0 ? -1 : 1) / Math.sqrt(square);
    for (let i = 0; i < 3; i++) n[i] *= scale;
    return true;
  }
}
