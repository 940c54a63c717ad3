/**
 * Functions of time of which more is known than their values: finite sums
 *
 *     f(t) = Σ t^k e^(σt) (p cos ωt + q sin ωt).
 *
 * Sums, products, derivatives and integrals of them are such functions again, and they are exactly the
 * solutions of linear equations with constant coefficients: a system they drive is a larger one that nothing
 * drives.
 */

/** t^k e^(σt) (p cos ωt + q sin ωt) */
export interface AnalyticTerm {
  /** k, an integer ≥ 0 */
  readonly power: number;
  /** σ, 1/s */
  readonly rate: number;
  /** ω ≥ 0, rad/s */
  readonly frequency: number;
  /** p */
  readonly cosine: number;
  /** q; zero where ω is */
  readonly sine: number;
}

/** A vector that depends on time, by entry: sums of terms, of which no two have the same k, σ and ω. */
export type AnalyticFunction = readonly (readonly AnalyticTerm[])[];

/** A force or source that is such a function. */
export interface AnalyticForcing<Form> {
  /** f(t), as many entries as the system has coordinates */
  readonly entries: AnalyticFunction;
  /** the system without it, which does not depend on time */
  readonly steady: Form;
}

/** Value of a term at time t. */
export const termAt = ({ power, rate, frequency, cosine, sine }: AnalyticTerm, t: number): number =>
  t ** power * Math.exp(rate * t) * (cosine * Math.cos(frequency * t) + sine * Math.sin(frequency * t));

/** a + s b, without terms that are zero. */
export function addTerms(
  a: readonly AnalyticTerm[],
  b: readonly AnalyticTerm[],
  factor = 1,
): readonly AnalyticTerm[] {
  const sum = [...a];
  for (const term of b) {
    const { power, rate, frequency } = term;
    const at = sum.findIndex((t) => t.power === power && t.rate === rate && t.frequency === frequency);
    const cosine = factor * term.cosine + (at < 0 ? 0 : sum[at].cosine);
    const sine = factor * term.sine + (at < 0 ? 0 : sum[at].sine);
    const merged = { power, rate, frequency, cosine, sine };
    if (at < 0) sum.push(merged);
    else sum[at] = merged;
  }
  return sum.filter(({ cosine, sine }) => cosine !== 0 || sine !== 0);
}

/**
 * T f
 * @param matrix T, rows × f.length, row-major
 */
export function timesMatrix(matrix: Float64Array, f: AnalyticFunction, rows: number): AnalyticFunction {
  return Array.from({ length: rows }, (_, i) =>
    f.reduce<readonly AnalyticTerm[]>((sum, terms, c) => addTerms(sum, terms, matrix[i * f.length + c]), []),
  );
}
