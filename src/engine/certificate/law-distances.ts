/** How far outputs and multipliers are from laws: the measures that the schemes' certificates share. */
import { PolytopeProjection } from '../linalg/polytope-projection';
import type { PiecewiseLinearGraph, PlasticCone, Polytope } from '../model/forms';

/**
 * Distance of (y, λ) from the box [l, u], all in units of y: |the middle one of λ − u, y, λ − l|. NaN is
 * kept.
 * @param toLower λ − l
 * @param toUpper λ − u
 */
export const boxDistance = (toLower: number, y: number, toUpper: number): number =>
  Math.abs(Math.max(toUpper, Math.min(toLower, y)));

/** How far the force of friction is above its bound μ λ_n. */
export const coneExcess = (force: number, bound: number): number => Math.max(0, Math.abs(force) - bound);

/** How far the force of friction of a contact that slides is from −μ λ_n sgn ẏ_t. */
export const slipDistance = (force: number, bound: number, slip: number): number =>
  Math.abs(force + Math.sign(slip) * bound);

/** How far the force of friction in a tangent plane is above its bound μ λ_n. */
export const discExcess = (first: number, second: number, bound: number): number =>
  Math.max(0, Math.sqrt(first * first + second * second) - bound);

/** How far it is from −μ λ_n u/|u| where the contact slides by u. */
export function discDistance(first: number, second: number, bound: number, u1: number, u2: number): number {
  const slip = Math.sqrt(u1 * u1 + u2 * u2);
  return Math.hypot(first + (bound * u1) / slip, second + (bound * u2) / slip);
}

/**
 * How far friction in a tangent plane is from its law −y ∈ N_D(λ) with the disc D of radius μ λ_n, in units
 * of y: the distance of d λ from the projection of d λ − y onto the disc that is scaled alike.
 * @param first, second d λ @param y1, y2 slip, or what stands for it at an impact @param bound d μ λ_n
 */
export function discMap(first: number, second: number, y1: number, y2: number, bound: number): number {
  const [x1, x2] = [first - y1, second - y2];
  const length = Math.sqrt(x1 * x1 + x2 * x2);
  const factor = length > bound ? bound / length : 1;
  return Math.hypot(first - factor * x1, second - factor * x2);
}

/**
 * How far a stress and a rate of strain are from plasticity with the given cone, in units of y: the distance
 * of d (λ + a e) from the projection of d (λ + a e) − û onto the cone, û = y + (μ − ν) |y_t| e.
 * @param x three entries, d λ; overwritten @param y three entries @param d y per λ
 */
export function plasticDistance(
  { friction, dilatancy, apex }: PlasticCone,
  x: Float64Array,
  y: Float64Array,
  d: number,
): number {
  const [s0, s1, s2] = [x[0] + d * apex, x[1], x[2]];
  x[0] = s0 - y[0] - (friction - dilatancy) * Math.hypot(y[1], y[2]);
  x[1] = s1 - y[1];
  x[2] = s2 - y[2];
  moveIntoCone(x, friction);
  return Math.hypot(s0 - x[0], s1 - x[1], s2 - x[2]);
}

/** x ← the nearest point of {|x_t| ≤ μ x_n}, computed here and not as solvers do. */
function moveIntoCone(x: Float64Array, mu: number): void {
  const tangent = Math.hypot(x[1], x[2]);
  if (tangent <= mu * x[0]) return;
  const normal = Math.max(0, (x[0] + mu * tangent) / (1 + mu * mu));
  const part = tangent > 0 ? (mu * normal) / tangent : 0;
  x[0] = normal;
  x[1] *= part;
  x[2] *= part;
}

/** Distance of (y, d λ) from a broken line whose λ are scaled alike. */
export function graphDistance(graph: PiecewiseLinearGraph, y: number, lambda: number, d: number): number {
  const { startDirection: start, endDirection: end, y: ys, lambda: lambdas } = graph;
  const last = ys.length - 1;
  let least = nearest(
    pieceDistance(y - ys[0], d * (lambda - lambdas[0]), -start[0], -d * start[1], Number.POSITIVE_INFINITY),
    Number.POSITIVE_INFINITY,
  );
  for (let k = 1; k <= last; k++) {
    const dy = ys[k] - ys[k - 1];
    const dLambda = lambdas[k] - lambdas[k - 1];
    least = nearest(pieceDistance(y - ys[k - 1], d * (lambda - lambdas[k - 1]), dy, d * dLambda, 1), least);
  }
  return nearest(
    pieceDistance(y - ys[last], d * (lambda - lambdas[last]), end[0], d * end[1], Number.POSITIVE_INFINITY),
    least,
  );
}

/** The smaller of the two, NaN if the first is none. */
const nearest = (distance: number, least: number): number => (distance >= least ? least : distance);

/** Distance of (a, b) from the points s·(da, db), 0 ≤ s ≤ last. */
function pieceDistance(a: number, b: number, da: number, db: number, last: number): number {
  const squares = da * da + db * db;
  // A piece whose square is below the least number is a point; NaN is kept.
  const along = squares > 0 ? (a * da + b * db) / squares : squares;
  const s = Math.max(0, Math.min(last, along));
  return Math.hypot(a - s * da, b - s * db);
}

/**
 * How far a vector and its multiplier are from the law of a polytope C, in units of y: with the multipliers
 * scaled alike by d, −λ ∈ N_C(y) is y = P_C(y − d λ) for any d > 0, and −y ∈ N_C(λ) is λ = P_C(λ − y/d). The
 * distance is that of the two sides, and the nearest points come from a method that shares nothing with the
 * solvers of one-step problems.
 */
export class PolytopeDistance {
  /** distance of the last `measure` from the law; NaN where it cannot be told */
  distance = 0;
  /** how far what is confined was beyond a facet, in units of y */
  outside = 0;
  readonly size: number;
  readonly #projection: PolytopeProjection;
  readonly #isOutput: boolean;
  readonly #confined: Float64Array;
  readonly #moved: Float64Array;

  constructor({ size, A, b, confines }: Polytope) {
    this.size = size;
    this.#projection = new PolytopeProjection(A, b);
    this.#isOutput = confines === 'output';
    this.#confined = new Float64Array(size);
    this.#moved = new Float64Array(size);
  }

  /**
   * @param first place of the first component
   * @param w y, or what stands for it at an impact
   * @param d y per λ, positive
   */
  measure(first: number, w: Float64Array, lambda: Float64Array, d: number): void {
    const confined = this.#confined;
    const moved = this.#moved;
    for (let k = 0; k < this.size; k++) {
      const y = w[first + k];
      const force = lambda[first + k];
      confined[k] = this.#isOutput ? y : force;
      moved[k] = this.#isOutput ? y - d * force : force - y / d;
    }
    const unit = this.#isOutput ? 1 : d;
    this.outside = unit * Math.max(0, this.#projection.excess(confined));
    if (!this.#projection.project(moved)) {
      this.distance = Number.NaN;
      return;
    }
    let square = 0;
    for (let k = 0; k < this.size; k++) square += (confined[k] - this.#projection.point[k]) ** 2;
    this.distance = unit * Math.sqrt(square);
  }
}
