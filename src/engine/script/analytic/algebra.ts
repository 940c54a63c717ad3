/**
 * Arithmetic of sums of t^k e^(σt) (p cos ωt + q sin ωt), with numbers for all constants. Products of
 * sinusoids become sums:
 *
 *     (p cos α + q sin α)(p′ cos β + q′ sin β)
 *         = ½ [(pp′ + qq′) cos(α − β) + (qp′ − pq′) sin(α − β)
 *              + (pp′ − qq′) cos(α + β) + (pq′ + qp′) sin(α + β)].
 */
import { addTerms, type AnalyticTerm } from '../../model/analytic-function';

export type Terms = readonly AnalyticTerm[];

/** Why a function is none of this kind. */
export class NotAnalytic extends Error {}

/** Beyond these the further components of a state would be more than what they drive. */
const MOST_TERMS = 32;
const HIGHEST_POWER = 8;
/** cos¹⁶ is a sum of nine terms */
const HIGHEST_EXPONENT = 16;

/** Terms with non-negative frequencies and finite coefficients, few enough. @throws {NotAnalytic} */
function checked(terms: Terms): Terms {
  if (terms.length > MOST_TERMS) throw new NotAnalytic(`it is a sum of more than ${MOST_TERMS} terms`);
  for (const { power, rate, frequency, cosine, sine } of terms) {
    if (power > HIGHEST_POWER) throw new NotAnalytic(`it has a power of time above ${HIGHEST_POWER}`);
    if (![rate, frequency, cosine, sine].every(Number.isFinite))
      throw new NotAnalytic('a coefficient is not finite');
  }
  return terms;
}

/** A term from any frequency: cos is even, sin is odd. */
function term(power: number, rate: number, frequency: number, cosine: number, sine: number): AnalyticTerm {
  if (frequency === 0) return { power, rate, frequency: 0, cosine, sine: 0 };
  const sign = Math.sign(frequency);
  return { power, rate, frequency: sign * frequency, cosine, sine: sign * sine };
}

const collect = (terms: Terms): Terms => checked(addTerms([], terms));

const constant = (value: number): Terms => collect([term(0, 0, 0, value, 0)]);

/** t itself */
export const TIME: Terms = [{ power: 1, rate: 0, frequency: 0, cosine: 1, sine: 0 }];

/** The number a sum is; null when it depends on time. */
export function constantOf(f: Terms): number | null {
  if (f.length === 0) return 0;
  const [{ power, rate, frequency, cosine }] = f;
  return f.length === 1 && power === 0 && rate === 0 && frequency === 0 ? cosine : null;
}

/** f + s g */
export const sum = (f: Terms, g: Terms, factor = 1): Terms => checked(addTerms(f, g, factor));

export function product(f: Terms, g: Terms): Terms {
  const terms: AnalyticTerm[] = [];
  for (const a of f) {
    for (const b of g) {
      const power = a.power + b.power;
      const rate = a.rate + b.rate;
      const { cosine: p, sine: q, frequency: alpha } = a;
      const { cosine: r, sine: s, frequency: beta } = b;
      if (alpha === 0) terms.push(term(power, rate, beta, p * r, p * s));
      else if (beta === 0) terms.push(term(power, rate, alpha, p * r, q * r));
      else {
        terms.push(term(power, rate, alpha - beta, (p * r + q * s) / 2, (q * r - p * s) / 2));
        terms.push(term(power, rate, alpha + beta, (p * r - q * s) / 2, (p * s + q * r) / 2));
      }
    }
  }
  return collect(terms);
}

/** f/g for a g that is c e^(σt), σ = 0 included. @throws {NotAnalytic} */
export function quotient(f: Terms, g: Terms): Terms {
  if (g.length === 0) throw new NotAnalytic('it divides by zero');
  const [{ power, rate, frequency, cosine }] = g;
  if (g.length > 1 || power > 0 || frequency !== 0) throw new NotAnalytic('it divides by a function of time');
  // Divided, not multiplied by a reciprocal, as the script does it.
  return collect(
    f.map((a) => ({ ...a, rate: a.rate - rate, cosine: a.cosine / cosine, sine: a.sine / cosine })),
  );
}

/** fⁿ for an integer n ≥ 0. @throws {NotAnalytic} */
export function power(f: Terms, exponent: Terms): Terms {
  const n = constantOf(exponent);
  if (n === null) throw new NotAnalytic('an exponent depends on time');
  const base = constantOf(f);
  if (base !== null) return constant(base ** n);
  if (!Number.isInteger(n) || n < 0 || n > HIGHEST_EXPONENT)
    throw new NotAnalytic(`it raises a function of time to the power ${n}`);
  let result = constant(1);
  for (let k = 0; k < n; k++) result = product(result, f);
  return result;
}

/** a and b of a + b t. @throws {NotAnalytic} */
function affine(f: Terms, what: string): { a: number; b: number } {
  let a = 0;
  let b = 0;
  for (const { power, rate, frequency, cosine } of f) {
    if (power > 1 || rate !== 0 || frequency !== 0)
      throw new NotAnalytic(`the argument of ${what} is not linear in time`);
    if (power === 0) a = cosine;
    else b = cosine;
  }
  return { a, b };
}

export function sine(f: Terms): Terms {
  const { a, b } = affine(f, 'a sine');
  return collect([term(0, 0, b, Math.sin(a), Math.cos(a))]);
}

export function cosine(f: Terms): Terms {
  const { a, b } = affine(f, 'a cosine');
  return collect([term(0, 0, b, Math.cos(a), -Math.sin(a))]);
}

export function exponentialOf(f: Terms): Terms {
  const { a, b } = affine(f, 'an exponential');
  return collect([term(0, b, 0, Math.exp(a), 0)]);
}
