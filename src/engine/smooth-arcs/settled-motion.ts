/**
 * What stiff linear motion becomes once its fast part has died out. With P the projector on the invariant
 * subspace of the slow eigenvalues, which commutes with A, the fast part of ż = A z + b tends to
 *
 *     z_f = −A_f⁻¹ (1 − P) b,     and from there on     ż = P A P z + P b:
 *
 * the same motion of the same components, by a matrix that has nothing fast left, so that arcs are as long as
 * what is still to be seen is slow. P = (1 + sign(A + σ 1))/2, with −σ between the real parts of both groups;
 * the sign of a matrix by Newton's iteration with norms balanced (Higham 2008, ch. 5).
 */
import { eigenvalues } from '../linalg/eigenvalues';
import { factorDense, solveDense } from '../linalg/lu';
import { Flow } from './flow';
import type { LinearSystem } from './linear-system';

/** Real parts of fast eigenvalues are at least this many times the slow ones. */
const GAP = 8;
/** How far fast ones may lie apart: in arcs that the fastest asks for, all of them have to die out. */
const SPREAD = 256;
/** Newton's iteration converges in some ten steps from any gap. */
const MOST_ITERATIONS = 60;
/** Change, in entries that are scaled to one, at which the sign is known. */
const CONVERGED = 1e-13;
/** Sweeps of a refinement that gains the gap with each. */
const SWEEPS = 8;
/** Entries that cancelled to this part of their terms are rounding, which would set a scale. */
const CANCELLED = 16 * Number.EPSILON;
/** Units of rounding of what a projection adds up in which a state is its own projection. */
const SETTLED = 16 * Number.EPSILON;

/**
 * The σ that parts fast eigenvalues from slow ones, 1/s: at the gap next to the largest rate that slow ones
 * may have. What is fast has to pass before arcs become long, so that it must not be spread too far.
 * @param largest magnitude of slow ones, 1/s
 * @returns null where there is no gap, or something fast does not decay
 */
function partingOf({ size, matrix }: LinearSystem, largest: number): number | null {
  const { real, imaginary, isComplete } = eigenvalues(matrix, size);
  if (!isComplete) return null;
  const order = Array.from({ length: size }, (_, i) => i);
  const magnitudes = Float64Array.from(order, (i) => Math.hypot(real[i], imaginary[i]));
  order.sort((i, j) => magnitudes[j] - magnitudes[i]);
  let fast = Infinity;
  for (const i of order) {
    const slow = magnitudes[i];
    if (slow <= largest && fast < Infinity && fast >= GAP * slow)
      return Math.sqrt(fast * Math.max(slow, fast / (GAP * GAP)));
    if (real[i] >= 0 || (slow <= largest && magnitudes[order[0]] > SPREAD * -real[i])) return null;
    fast = Math.min(fast, -real[i]);
  }
  return null;
}

/** A⁻¹ of an n × n matrix, row-major; null where it is singular. */
function inverse(a: Float64Array, n: number): Float64Array | null {
  // Read by columns it is the transpose, and so is what comes out.
  const factors = a.slice();
  const pivots = new Int32Array(n);
  if (factorDense(factors, 0, n, pivots, 0) >= 0) return null;
  const out = new Float64Array(n * n);
  for (let j = 0; j < n; j++) {
    const column = out.subarray(j * n, (j + 1) * n);
    column[j] = 1;
    solveDense(factors, 0, n, pivots, 0, column);
  }
  return out;
}

/** a b, n × n. */
function product(a: Float64Array, b: Float64Array, n: number): Float64Array {
  const out = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let k = 0; k < n; k++) {
      const factor = a[i * n + k];
      if (factor !== 0) for (let j = 0; j < n; j++) out[i * n + j] += factor * b[k * n + j];
    }
  return out;
}

const norm = (a: Float64Array): number => Math.sqrt(a.reduce((sum, entry) => sum + entry * entry, 0));

/** The sign of a matrix without eigenvalues on the imaginary axis; null where the iteration does not end. */
function signOf(a: Float64Array, n: number): Float64Array | null {
  let x = a;
  for (let iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
    const y = inverse(x, n);
    if (y === null) return null;
    const balance = Math.sqrt(norm(y) / norm(x));
    const next = x.map((entry, k) => 0.5 * (balance * entry + y[k] / balance));
    const change = norm(next.map((entry, k) => entry - x[k]));
    x = next;
    if (!(change < Infinity)) return null;
    if (change <= CONVERGED * norm(x)) return x;
  }
  return null;
}

/**
 * 1 where one component depends on another one, at [i n + j], by any number of steps: what a matrix has in
 * common with all its powers, and with P, which is a polynomial in it. Rounding elsewhere would couple in a
 * circle what is driven to what drives it.
 */
function closure(matrix: Float64Array, n: number): Uint8Array {
  const reaches = Uint8Array.from(matrix, (entry, k) => (entry !== 0 || k % (n + 1) === 0 ? 1 : 0));
  for (let k = 0; k < n; k++)
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n && reaches[i * n + k] === 1; j++)
        if (reaches[k * n + j] === 1) reaches[i * n + j] = 1;
  return reaches;
}

/** Whether a component and all that it depends on has nothing fast. */
function isSlowAlone(matrix: Float64Array, reaches: Uint8Array, i: number, sigma: number): boolean {
  const n = Math.sqrt(matrix.length);
  const all = Array.from({ length: n }, (_, j) => j).filter((j) => reaches[i * n + j] === 1);
  const own = Float64Array.from(all.flatMap((row) => all.map((column) => matrix[row * n + column])));
  const { real, isComplete } = eigenvalues(own, all.length);
  return isComplete && real.every((value) => value > -sigma);
}

/** P, n × n, of a system whose components have the given scales. */
function projector(
  { size: n, matrix }: LinearSystem,
  scales: Float64Array,
  sigma: number,
): Float64Array | null {
  const units = scales.map((scale) => 2 ** Math.round(Math.log2(scale)));
  const shifted = matrix.map((entry, k) => {
    const [i, j] = [Math.floor(k / n), k % n];
    return (entry * units[j]) / units[i] / sigma + (i === j ? 1 : 0);
  });
  const sign = signOf(shifted, n);
  const first = sign?.map((entry, k) => 0.5 * (entry + (k % (n + 1) === 0 ? 1 : 0))) ?? null;
  if (first === null) return null;
  const scaled = matrix.map((entry, k) => (entry * units[k % n]) / units[Math.floor(k / n)]);
  const P = refined(scaled, first, n);
  const reaches = closure(matrix, n);
  const isSlow = Array.from({ length: n }, (_, i) => isSlowAlone(matrix, reaches, i, sigma));
  return (
    P &&
    P.map((entry, k) => {
      const [i, j] = [Math.floor(k / n), k % n];
      if (isSlow[i]) return i === j ? 1 : 0;
      return reaches[k] === 0 ? 0 : (entry * units[i]) / units[j];
    })
  );
}

/** A on the fast subspace, inverted there, and 0 on the slow one; null where it is singular. */
function fastInverse(a: Float64Array, P: Float64Array, n: number): Float64Array | null {
  const Q = P.map((entry, k) => (k % (n + 1) === 0 ? 1 : 0) - entry);
  const fast = product(a, Q, n).map((entry, k) => entry + P[k]);
  const inverted = inverse(fast, n);
  return inverted && product(inverted, Q, n);
}

/**
 * Takes out of P what rounding has left of A P − P A = F − E, with F = (1 − P) A P and E = P A (1 − P):
 * adds X and Y with
 *
 *     A_f X − X A_s = −F,     A_s Y − Y A_f = E.
 *
 * What is slow is small beside what is fast, so that X = A_f⁻¹ (X A_s − F) and Y = (A_s Y − E) A_f⁻¹
 * converge.
 */
function refined(a: Float64Array, P: Float64Array, n: number): Float64Array | null {
  const G = fastInverse(a, P, n);
  if (G === null) return null;
  const [AP, PA] = [product(a, P, n), product(P, a, n)];
  const PAP = product(P, AP, n);
  const F = AP.map((entry, k) => entry - PAP[k]);
  const E = PA.map((entry, k) => entry - PAP[k]);
  let X: Float64Array = new Float64Array(n * n);
  let Y: Float64Array = new Float64Array(n * n);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    X = product(
      G,
      product(X, PAP, n).map((entry, k) => entry - F[k]),
      n,
    );
    Y = product(
      product(PAP, Y, n).map((entry, k) => entry - E[k]),
      G,
      n,
    );
  }
  return P.map((entry, k) => entry + X[k] + Y[k]);
}

export class SettledMotion {
  readonly flow: Flow;
  readonly #projected: Float64Array;

  private constructor(
    readonly system: LinearSystem,
    /** P */
    private readonly P: Float64Array,
    /** z_f */
    private readonly rest: Float64Array,
    scales: Float64Array,
  ) {
    this.flow = new Flow(system, scales);
    this.#projected = new Float64Array(system.size);
  }

  /**
   * @param scales of the components (`Flow.scales`)
   * @param largest magnitude of slow eigenvalues, 1/s
   * @returns null where motion has no fast part that dies out, or is not known well enough
   */
  static of(system: LinearSystem, scales: Float64Array, largest: number): SettledMotion | null {
    const { size: n, matrix, constant } = system;
    const sigma = partingOf(system, largest);
    const P = sigma === null ? null : projector(system, scales, sigma);
    if (P === null) return null;
    const times = (a: Float64Array, b: Float64Array): Float64Array =>
      b.map((_, i) => b.reduce((sum, entry, j) => sum + a[i * n + j] * entry, 0));
    const slow = times(P, constant);
    const inverted = fastInverse(matrix, P, n);
    if (inverted === null) return null;
    const rest = times(
      inverted,
      constant.map((entry, i) => slow[i] - entry),
    );
    const sizes = product(P.map(Math.abs), product(matrix.map(Math.abs), P.map(Math.abs), n), n);
    const projected = product(P, product(matrix, P, n), n).map((entry, k) =>
      Math.abs(entry) <= CANCELLED * sizes[k] ? 0 : entry,
    );
    return new SettledMotion({ size: n, matrix: projected, constant: slow }, P, rest, scales);
  }

  /**
   * Whether a state has no fast part but what that tends to; then rounding of it is taken out.
   * @param z replaced by P z + z_f where it has none
   */
  settles(z: Float64Array): boolean {
    const { P, rest } = this;
    const n = z.length;
    const projected = this.#projected;
    for (let i = 0; i < n; i++) {
      let sum = rest[i];
      let size = Math.abs(sum);
      for (let j = 0; j < n; j++) {
        const term = P[i * n + j] * z[j];
        sum += term;
        size += Math.abs(term);
      }
      if (!(Math.abs(sum - z[i]) <= SETTLED * size)) return false;
      projected[i] = sum;
    }
    for (let i = 0; i < n; i++) z[i] = projected[i];
    return true;
  }
}
