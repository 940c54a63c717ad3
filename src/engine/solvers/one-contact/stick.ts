/**
 * Forces under which a contact sticks: M r = −q with r in the cone K_μ. A regular M has one such r or none.
 * Of a singular M the solutions of M r = −q are a line, a plane or the whole space, when there are any, and
 * those in the cone may be a continuum: two bodies that cannot move along the contact share any friction.
 * Then one near a guess is taken, the nearest where the line or plane comes nearest to the guess inside the
 * cone.
 */
import { projectOntoCone } from '../../linalg/friction-cone';

/**
 * Entries below this part of the terms they are sums of are what cancellation leaves of zero; so units do not
 * matter.
 */
const ROUNDING = 64 * Number.EPSILON;
/** Step along a line, relative to the force, whose square exceeds rounding. */
const STEP = 1e-6;

export class StickSolution {
  /** the force, where `exists` */
  readonly r = new Float64Array(3);
  exists = false;
  /** the force is one point of a continuum of them */
  isContinuum = false;
  /** M | −q under elimination with full pivoting */
  readonly #a = new Float64Array(12);
  /** of each entry, the sum of the magnitudes of its terms */
  readonly #terms = new Float64Array(12);
  readonly #order = new Int32Array(3);
  /** directions that M takes to zero, three entries each */
  readonly #null = new Float64Array(6);

  /**
   * @param M 3 × 3 from entry `at`, row-major
   * @param guess its first three entries are of use, and only where M is singular
   */
  find(M: Float64Array, at: number, q: Float64Array, mu: number, guess: Float64Array): void {
    const { r } = this;
    this.exists = false;
    this.isContinuum = false;
    const rank = this.#eliminate(M, at, q);
    if (rank < 0) return;
    this.#substitute(rank);
    if (rank === 0) {
      for (let k = 0; k < 3; k++) r[k] = guess[k];
      projectOntoCone(r, 0, mu);
      this.isContinuum = true;
    } else if (rank === 1) this.#onPlane(M, at, q, mu, guess);
    else if (rank === 2) this.#alongLine(mu, guess);
    // A plane parallel to the edge of the cone meets it at infinity.
    if (!(r[0] >= 0 && r[0] < Infinity)) return;
    this.exists = Math.sqrt(r[1] * r[1] + r[2] * r[2]) <= mu * r[0] || this.#movesOntoCone(M, at, mu);
    if (rank === 2) this.isContinuum = this.#extends(mu, 1) || this.#extends(mu, -1);
  }

  /**
   * Whether the line goes on inside the cone from r; one that only touches it is outside by the square of the
   * step.
   */
  #extends(mu: number, side: number): boolean {
    const { r } = this;
    const n = this.#null;
    const size = Math.hypot(r[0], r[1], r[2]);
    // From the apex any step tells.
    const step = size > 0 ? (side * STEP * size) / Math.hypot(n[0], n[1], n[2]) : side;
    const normal = r[0] + step * n[0];
    return normal >= 0 && Math.hypot(r[1] + step * n[1], r[2] + step * n[2]) <= mu * normal + ROUNDING * size;
  }

  /**
   * Rounding leaves half of the forces on the cone outside of it. Such a force is put back by a change of its
   * friction, if that changes no velocity by more than the rounding of its terms.
   */
  #movesOntoCone(M: Float64Array, at: number, mu: number): boolean {
    const { r } = this;
    const factor = (mu * r[0]) / Math.sqrt(r[1] * r[1] + r[2] * r[2]);
    const d1 = r[1] * factor - r[1];
    const d2 = r[2] * factor - r[2];
    for (let i = at; i < at + 9; i += 3) {
      const terms = Math.abs(M[i] * r[0]) + Math.abs(M[i + 1] * r[1]) + Math.abs(M[i + 2] * r[2]);
      if (!(Math.abs(M[i + 1] * d1 + M[i + 2] * d2) <= ROUNDING * terms)) return false;
    }
    r[1] += d1;
    r[2] += d2;
    return true;
  }

  /** @returns the rank, −1 where the equations contradict each other */
  #eliminate(M: Float64Array, at: number, q: Float64Array): number {
    const a = this.#a;
    const terms = this.#terms;
    for (let i = 0; i < 3; i++) {
      this.#order[i] = i;
      for (let j = 0; j < 3; j++) a[4 * i + j] = M[at + 3 * i + j];
      a[4 * i + 3] = -q[i];
    }
    for (let k = 0; k < 12; k++) terms[k] = Math.abs(a[k]);
    for (let k = 0; k < 3; k++) {
      let pivot = 0;
      let row = k;
      let column = k;
      for (let i = k; i < 3; i++)
        for (let j = k; j < 3; j++) {
          const size = Math.abs(a[4 * i + j]);
          if (!(size > pivot) || size <= ROUNDING * terms[4 * i + j]) continue;
          pivot = size;
          row = i;
          column = j;
        }
      if (pivot === 0) {
        for (let i = k; i < 3; i++) if (Math.abs(a[4 * i + 3]) > ROUNDING * terms[4 * i + 3]) return -1;
        return k;
      }
      this.#exchange(k, row, column);
      for (let i = k + 1; i < 3; i++) {
        const factor = a[4 * i + k] / a[5 * k];
        for (let j = k + 1; j < 4; j++) {
          a[4 * i + j] -= factor * a[4 * k + j];
          terms[4 * i + j] += Math.abs(factor) * terms[4 * k + j];
        }
      }
    }
    return 3;
  }

  #exchange(k: number, row: number, column: number): void {
    const order = this.#order;
    exchange(this.#a, k, row, column);
    exchange(this.#terms, k, row, column);
    const place = order[k];
    order[k] = order[column];
    order[column] = place;
  }

  /** A solution, with zeros for what is free, and the directions of the free unknowns. */
  #substitute(rank: number): void {
    const a = this.#a;
    const order = this.#order;
    const { r } = this;
    for (let free = rank; free <= 3; free++) {
      // Column `free` on the right: −q, or what one free unknown takes along.
      const isDirection = free < 3;
      const x = isDirection ? this.#null : r;
      const base = isDirection ? 3 * (free - rank) : 0;
      if (base > 3) continue;
      for (let i = rank; i < 3; i++) x[base + order[i]] = isDirection && i === free ? 1 : 0;
      for (let i = rank - 1; i >= 0; i--) {
        let sum = isDirection ? -a[4 * i + free] : a[4 * i + 3];
        for (let j = i + 1; j < rank; j++) sum -= a[4 * i + j] * x[base + order[j]];
        x[base + order[i]] = sum / a[5 * i];
      }
    }
  }

  /** The point of the line r + s n in the cone that is nearest to the guess. */
  #alongLine(mu: number, guess: Float64Array): void {
    const { r } = this;
    const n = this.#null;
    const square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    const nearest = (n[0] * (guess[0] - r[0]) + n[1] * (guess[1] - r[1]) + n[2] * (guess[2] - r[2])) / square;
    for (let k = 0; k < 3; k++) r[k] += nearest * n[k];
    if (Math.sqrt(r[1] * r[1] + r[2] * r[2]) <= mu * r[0]) return;
    // |r_T + s n_T|² = μ² (r_N + s n_N)²: α s² + 2 β s + γ = 0 with γ > 0.
    const alpha = n[1] * n[1] + n[2] * n[2] - mu * mu * n[0] * n[0];
    const beta = r[1] * n[1] + r[2] * n[2] - mu * mu * r[0] * n[0];
    const gamma = r[1] * r[1] + r[2] * r[2] - mu * mu * r[0] * r[0];
    const discriminant = Math.sqrt(Math.max(0, beta * beta - alpha * gamma));
    const sum = -(beta + (beta < 0 ? -discriminant : discriminant));
    // Both roots may belong to the cone or to its mirror image, of negative normal forces.
    const s1 = gamma / sum;
    const s2 = sum / alpha;
    const isFirst = r[0] + s1 * n[0] >= 0;
    const isSecond = r[0] + s2 * n[0] >= 0;
    let s = 0;
    if (isFirst && !(isSecond && Math.abs(s2) < Math.abs(s1))) s = s1;
    else if (isSecond) s = s2;
    if (!Number.isFinite(s)) return;
    for (let k = 0; k < 3; k++) r[k] += s * n[k];
  }

  /**
   * A point of the plane a·r = b in the cone: the nearest to the guess, else one of its direction, else the
   * first the cone meets.
   */
  #onPlane(M: Float64Array, at: number, q: Float64Array, mu: number, guess: Float64Array): void {
    const { r } = this;
    // All rows of M are multiples of the one with the pivot.
    let row = 0;
    let most = 0;
    for (let i = 0; i < 9; i++)
      if (Math.abs(M[at + i]) > most) {
        most = Math.abs(M[at + i]);
        row = Math.floor(i / 3);
      }
    const a0 = M[at + 3 * row];
    const a1 = M[at + 3 * row + 1];
    const a2 = M[at + 3 * row + 2];
    const b = -q[row];
    const tangential = Math.sqrt(a1 * a1 + a2 * a2);
    // A plane that misses the apex touches the cone nowhere: it passes it by or cuts through its inside. One
    // through the apex holds a ray of the cone if it is steep enough.
    this.isContinuum = b === 0 ? mu * tangential >= Math.abs(a0) : mu > 0;
    const distance = (b - a0 * guess[0] - a1 * guess[1] - a2 * guess[2]) / (a0 * a0 + a1 * a1 + a2 * a2);
    r[0] = guess[0] + distance * a0;
    r[1] = guess[1] + distance * a1;
    r[2] = guess[2] + distance * a2;
    const tangent = Math.sqrt(r[1] * r[1] + r[2] * r[2]);
    if (tangent <= mu * r[0]) return;
    const along = a0 + (mu * (a1 * r[1] + a2 * r[2])) / tangent;
    const steepest = a0 + (b < 0 ? -mu : mu) * tangential;
    const isAlong = b * along > 0;
    const normal = b === 0 ? 0 : b / (isAlong ? along : steepest);
    const norm = isAlong ? tangent : (b < 0 ? -1 : 1) * tangential;
    const e1 = isAlong ? r[1] : a1;
    const e2 = isAlong ? r[2] : a2;
    r[0] = normal;
    r[1] = norm === 0 ? 0 : (mu * normal * e1) / norm;
    r[2] = norm === 0 ? 0 : (mu * normal * e2) / norm;
  }
}

/** Exchanges row and column k of a 3 × 4 array for others; the last column stays. */
function exchange(a: Float64Array, k: number, row: number, column: number): void {
  for (let j = 0; j < 4; j++) {
    const entry = a[4 * k + j];
    a[4 * k + j] = a[4 * row + j];
    a[4 * row + j] = entry;
  }
  for (let i = 0; i < 3; i++) {
    const entry = a[4 * i + k];
    a[4 * i + k] = a[4 * i + column];
    a[4 * i + column] = entry;
  }
}
