/**
 * A line and a cylinder: the normals at which they can be nearest. The line is an edge of a polytope, or the
 * axis of another cylinder.
 *
 * A normal n of both is across the line's direction e, so everything happens in the plane across e. With the
 * cylinder's axis a at the angle α to e, and the axes u = a × e/sin α and w = e × u of that plane, the
 * cylinder's shadow is an ellipse moved along w,
 *
 *     |x_u| ≤ R,  |x_w| ≤ h sin α + R |cos α| √(1 − x_u²/R²):
 *
 * the caps are ellipses with half axes R along u and b = R |cos α| along w, about (0, ± h sin α). For the
 * vector d = (x, y) from the line to the centre of the cylinder the separation along n = (n_u, n_w) is
 *
 *     f(n) = x n_u + y n_w − h sin α |n_w| − √(R² n_u² + b² n_w²).
 *
 * It has a local maximum at each point of the shadow's edge that is locally nearest to the line. By
 * reflection let x, y ≥ 0. These are
 *
 *   - the sides (± 1, 0), with f = ± x − R, where y ≤ h sin α;
 *   - points (R cos θ, b sin θ) of the upper cap, 0 ≤ θ ≤ π/2, seen from its centre, with Y = y − h sin α,
 *     where
 *
 *         g(θ) = − (R² − b²) sin θ cos θ + R x sin θ − b Y cos θ
 *
 *     goes from minus to plus. For Y > 0 it does so once. For Y ≤ 0, g/(sin θ cos θ) is convex, least at
 *     tan³θ = −b Y/(R x), and goes through zero twice or not at all; the second is the one. In the other
 *     quadrants there is none;
 *   - points of the lower cap, likewise with Y = −y − h sin α.
 *
 * R² − b² = R² sin² α does not cancel. The normal at θ is (b cos θ, R sin θ)/|…|, and right to rounding
 * however small the gap is.
 */
import type { PlacedCylinder } from './placed-cylinder';

/**
 * sin α below this is rounding: the line is parallel to the axis, and its distance from the axis is all there
 * is.
 */
const PARALLEL = 1e-12;
/** After a step of Newton's method this small, relative to sin θ and cos θ, the next would be rounding. */
const CONVERGED = 1e-9;
/** Bisection alone comes to rounding in as many; Newton's method needs about five. */
const MOST_ITERATIONS = 60;

/** places in `#plane` */
const X = 0;
const Y = 1;
const SHIFT = 2;
const B = 3;
const R = 4;
const SIN = 5;

export class LineCylinder {
  /** the last candidate: unit normal from the line to the cylinder */
  readonly normal = new Float64Array(3);
  /**
   * [0] f of the last candidate; [1] least useful f, set by the caller: candidates that cannot exceed it may
   * be left out
   */
  readonly value = Float64Array.of(0, -Infinity);
  readonly #a = new Float64Array(3);
  readonly #u = new Float64Array(3);
  readonly #w = new Float64Array(3);
  /** x, y, h sin α, b, R, sin α */
  readonly #plane = new Float64Array(6);
  /** of g: R x, b Y, R² − b² */
  readonly #factors = new Float64Array(3);
  /** cos θ, sin θ of the iteration and of both ends of the bracket */
  readonly #turn = new Float64Array(6);
  /**
   * of the last candidate at a cap: its point's coordinates (R cos θ, R sin θ), with their signs, and the
   * sign of n_w
   */
  readonly #rim = new Float64Array(3);

  /**
   * @param d from a point of the line to the centre of the cylinder, m
   * @param e unit vector along the line
   */
  place(d: Float64Array, e: Float64Array, cylinder: PlacedCylinder): void {
    const u = this.#u;
    const w = this.#w;
    const plane = this.#plane;
    const { axis: a, sizes } = cylinder;
    this.#a.set(a);
    cross(a, e, u);
    let sine = Math.sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    if (sine > PARALLEL) for (let k = 0; k < 3; k++) u[k] /= sine;
    else {
      sine = 0;
      acrossOf(e, u);
    }
    cross(e, u, w);
    // What is left of a product of nearly parallel vectors is not quite across them; this is, across e.
    cross(w, e, u);
    const cosine = Math.abs(a[0] * e[0] + a[1] * e[1] + a[2] * e[2]);
    plane[X] = d[0] * u[0] + d[1] * u[1] + d[2] * u[2];
    plane[Y] = d[0] * w[0] + d[1] * w[1] + d[2] * w[2];
    plane[SHIFT] = sizes[1] * sine;
    plane[B] = sizes[0] * Math.min(1, cosine);
    plane[R] = sizes[0];
    plane[SIN] = sine;
  }

  isParallel(): boolean {
    return this.#plane[SIN] === 0;
  }

  /** Whether the line is outside the cylinder, however long both were. */
  isOutside(): boolean {
    const plane = this.#plane;
    if (Math.abs(plane[X]) >= plane[R]) return true;
    const above = Math.abs(plane[Y]) - plane[SHIFT];
    if (above <= 0) return false;
    const across = plane[X] / plane[R];
    return above * above > plane[B] * plane[B] * (1 - across * across);
  }

  /** Whether f does not increase from n along a unit vector t across n, both across the line. */
  isFalling(n: Float64Array, t: Float64Array): boolean {
    const u = this.#u;
    const w = this.#w;
    const plane = this.#plane;
    const nu = n[0] * u[0] + n[1] * u[1] + n[2] * u[2];
    const nw = n[0] * w[0] + n[1] * w[1] + n[2] * w[2];
    const tu = t[0] * u[0] + t[1] * u[1] + t[2] * u[2];
    const tw = t[0] * w[0] + t[1] * w[1] + t[2] * w[2];
    const r = plane[R] * nu;
    const b = plane[B] * nw;
    const root = Math.sqrt(r * r + b * b);
    const bend = root > 0 ? (plane[R] * r * tu + plane[B] * b * tw) / root : 0;
    const side = nw > 0 ? plane[SHIFT] : -plane[SHIFT];
    return plane[X] * tu + (plane[Y] - side) * tw <= bend;
  }

  /**
   * The candidate at a side of the cylinder, nearer to the line or on its far side.
   * @returns false where there is none, or none useful
   */
  side(which: 1 | -1): boolean {
    const plane = this.#plane;
    if (Math.abs(plane[Y]) > plane[SHIFT]) return false;
    const sign = plane[X] < 0 ? -which : which;
    this.value[0] = sign * plane[X] - plane[R];
    if (this.value[0] <= this.value[1]) return false;
    for (let k = 0; k < 3; k++) this.normal[k] = sign * this.#u[k];
    return true;
  }

  /**
   * The candidate at a cap: the one that the line is nearer to, or the other.
   * @returns false where there is none, or none useful
   */
  cap(which: 1 | -1): boolean {
    const plane = this.#plane;
    const x = Math.abs(plane[X]);
    const above = which * Math.abs(plane[Y]) - plane[SHIFT];
    const r = plane[R];
    const b = plane[B];
    if (this.#isUseless(which)) return false;
    const turn = this.#turn;
    if (b === 0) {
      // The shadow is a rectangle: its corner, unless the cap itself is nearest.
      if (!(above > 0 && x > r)) return false;
      turn[0] = x - r;
      turn[1] = above;
      this.#rim[0] = r;
      this.#rim[1] = 0;
    } else {
      this.#factors[0] = r * x;
      this.#factors[1] = b * above;
      this.#factors[2] = r * r * plane[SIN] * plane[SIN];
      if (!this.#solve()) return false;
      this.#rim[0] = r * turn[0];
      this.#rim[1] = r * turn[1];
      turn[0] *= b;
      turn[1] *= r;
    }
    const length = Math.sqrt(turn[0] * turn[0] + turn[1] * turn[1]);
    const nu = turn[0] / length;
    const nw = turn[1] / length;
    this.value[0] = x * nu + above * nw - Math.sqrt(r * r * nu * nu + b * b * nw * nw);
    if (this.value[0] <= this.value[1]) return false;
    const signU = plane[X] < 0 ? -1 : 1;
    const signW = plane[Y] < 0 !== which < 0 ? -1 : 1;
    for (let k = 0; k < 3; k++) this.normal[k] = signU * nu * this.#u[k] + signW * nw * this.#w[k];
    this.#rim[0] *= signU;
    this.#rim[1] *= signW;
    this.#rim[2] = signW;
    return true;
  }

  /**
   * Of the last candidate at a cap: the point of the rim, from the centre of the cylinder. It comes from θ
   * and not from the normal, which near the axis says little about where on the rim it is.
   */
  rimPoint(cylinder: PlacedCylinder, out: Float64Array): void {
    const { sizes } = cylinder;
    const a = this.#a;
    const u = this.#u;
    const rim = this.#rim;
    // The axis of the cap's plane that is seen as w: a × u or its opposite.
    cross(a, u, out);
    const seen = out[0] * this.#w[0] + out[1] * this.#w[1] + out[2] * this.#w[2];
    const v = seen < 0 ? -rim[1] : rim[1];
    // a·w = sin α is not negative: the cap towards the line is the one against n.
    const h = rim[2] < 0 ? sizes[1] : -sizes[1];
    for (let k = 0; k < 3; k++) out[k] = h * a[k] - rim[0] * u[k] - v * out[k];
  }

  /**
   * Of the last candidate at a side: leaves in out[at] where on the cylinder's axis it is, from its centre,
   * m. Zero of parallel lines.
   */
  alongAxis(out: Float64Array, at: number): void {
    const plane = this.#plane;
    out[at] = plane[SIN] > 0 ? -plane[Y] / plane[SIN] : 0;
  }

  /**
   * Inside, f is minus the distance from the edge of the cap. A point on the ellipse k times as large is b
   * (1 − k) from it, or more, and one below the centre is at least as far as it is below.
   */
  #isUseless(which: 1 | -1): boolean {
    const least = this.value[1];
    const plane = this.#plane;
    const x = Math.abs(plane[X]);
    const above = which * Math.abs(plane[Y]) - plane[SHIFT];
    const r = plane[R];
    const b = plane[B];
    if (above <= 0 && above <= least) return true;
    if (least >= 0 || x >= r || b === 0) return false;
    const k = Math.sqrt((x / r) ** 2 + (above / b) ** 2);
    return k < 1 && -b * (1 - k) <= least;
  }

  /** Leaves cos θ and sin θ of the zero of g in `#turn`. @returns false where g has none */
  #solve(): boolean {
    const turn = this.#turn;
    const p = this.#factors[0];
    const q = this.#factors[1];
    const c = this.#factors[2];
    turn[2] = 1;
    turn[3] = 0;
    turn[4] = 0;
    turn[5] = 1;
    turn[0] = p;
    turn[1] = Math.max(0, q) + c;
    if (q <= 0) {
      // At the centre of a circle, which has no nearest point, any will do; on the axis of the ellipse above,
      // its top.
      if (p === 0) {
        turn[0] = 0;
        turn[1] = 1;
        return -q <= c;
      }
      if (p >= c || -q >= c) return false;
      const ratio = Math.cbrt(-q / p);
      const length = Math.sqrt(1 + ratio * ratio);
      turn[2] = 1 / length;
      turn[3] = ratio / length;
      if (!(p / turn[2] - (ratio > 0 ? q / turn[3] : 0) < c)) return false;
    } else if (p === 0) {
      turn[1] = 1;
      return true;
    }
    this.#normalise();
    if (turn[2] * turn[1] - turn[3] * turn[0] <= 0) this.#bisect();
    for (let k = 0; k < MOST_ITERATIONS; k++) {
      const cos = turn[0];
      const sin = turn[1];
      const g = (p - c * cos) * sin - q * cos;
      const end = g < 0 ? 2 : 4;
      turn[end] = cos;
      turn[end + 1] = sin;
      const step = -g / (c * (sin * sin - cos * cos) + p * cos + q * sin);
      turn[0] = cos - step * sin;
      turn[1] = sin + step * cos;
      const isInside = turn[2] * turn[1] - turn[3] * turn[0] > 0 && turn[0] * turn[5] - turn[1] * turn[4] > 0;
      if (isInside) this.#normalise();
      else if (g === 0) {
        turn[0] = cos;
        turn[1] = sin;
        return true;
      } else this.#bisect();
      if (isInside && Math.abs(step) <= CONVERGED * Math.min(cos, sin)) return true;
    }
    return true;
  }

  #bisect(): void {
    const turn = this.#turn;
    turn[0] = turn[2] + turn[4];
    turn[1] = turn[3] + turn[5];
    this.#normalise();
  }

  #normalise(): void {
    const turn = this.#turn;
    const length = Math.sqrt(turn[0] * turn[0] + turn[1] * turn[1]);
    turn[0] /= length;
    turn[1] /= length;
  }
}

function cross(a: Float64Array, b: Float64Array, out: Float64Array): void {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

/** A unit vector across another. */
function acrossOf(e: Float64Array, out: Float64Array): void {
  const k = Math.abs(e[0]) < 0.6 ? 0 : 1;
  for (let i = 0; i < 3; i++) out[i] = (i === k ? 1 : 0) - e[k] * e[i];
  const length = Math.sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
  for (let i = 0; i < 3; i++) out[i] /= length;
}

/*
 * Two circles p(s) and q(t) nearest to one another, the rims of two cylinders, by Newton's method from points
 * nearby. With r = q − p,
 *
 *     r·p′ = 0,   r·q′ = 0,   Jacobian [ r·p″ − p′·p′    p′·q′       ]
 *                                      [ −p′·q′          r·q″ + q′·q′ ],
 *
 * which stays regular when they touch. The normal is then p′ × q′ and not r, whose direction is rounding when
 * it is short. Only where both tangents are parallel is r all there is.
 */

/** Quadratic convergence: from 1e-2 to rounding in four; more means that the start was not near. */
const RIM_ITERATIONS = 30;
/** Tangents at a smaller angle than this, rad, are parallel. */
const RIMS_PARALLEL = 1e-7;
/** Steps below this, rad, are rounding. */
const RIMS_CONVERGED = 1e-15;

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
    for (let k = 0; k < RIM_ITERATIONS; k++) {
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
      if (!(Math.abs(determinant) > RIMS_PARALLEL * RIMS_PARALLEL * pp * qq)) return false;
      const ds = (-rp * d + rq * pq) / determinant;
      const dt = (-rq * m - rp * pq) / determinant;
      p.angle[0] += ds;
      q.angle[0] += dt;
      if (Math.abs(ds) <= RIMS_CONVERGED && Math.abs(dt) <= RIMS_CONVERGED) break;
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
    if (square <= RIMS_PARALLEL * RIMS_PARALLEL * ee * ff) {
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
