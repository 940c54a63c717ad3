/** The flow of a linear system by the exponential of a matrix, for oracles. */

/** ẋ = A x + b. */
interface Affine {
  readonly n: number;
  readonly A: readonly (readonly number[])[];
  readonly b: readonly number[];
}

export const product = (M: readonly (readonly number[])[], x: readonly number[]): number[] =>
  M.map((row) => row.reduce((sum, value, j) => sum + value * x[j], 0));

/** The first rows of exp(τ [[A, b], [0, 0]]), by its series with squaring. */
export function propagator({ n, A, b }: Affine, duration: number): number[][] {
  const m = n + 1;
  const squarings = Math.max(0, Math.ceil(Math.log2(8 * duration * (n + 3) + 1e-300)));
  const tau = duration / 2 ** squarings;
  const G = Array.from({ length: m }, (_, i) =>
    Array.from({ length: m }, (__, j) => (i === n ? 0 : tau * (j === n ? b[i] : A[i][j]))),
  );
  const times = (P: number[][], Q: number[][]): number[][] =>
    P.map((row) => Q[0].map((_, j) => row.reduce((sum, value, k) => sum + value * Q[k][j], 0)));
  let term: number[][] = G.map((_, i) => G.map((__, j) => (i === j ? 1 : 0)));
  let E = term.map((row) => [...row]);
  for (let k = 1; k < 22; k++) {
    term = times(term, G).map((row) => row.map((value) => value / k));
    E = E.map((row, i) => row.map((value, j) => value + term[i][j]));
  }
  for (let k = 0; k < squarings; k++) E = times(E, E);
  return E.slice(0, n);
}

/** x after a time. */
export const flow = (one: Affine, x: readonly number[], duration: number): number[] =>
  product(propagator(one, duration), [...x, 1]);
