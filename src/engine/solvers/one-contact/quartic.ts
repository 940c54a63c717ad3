/**
 * The real roots of a polynomial p of degree 4 or less in an interval. Between two neighbouring roots of p′ the polynomial is
 * monotone, and has one root there or none, as the signs at the ends say; so roots come in a chain: of p″ by formula, of p′
 * between those, of p between those of p′. Coefficients are never divided by the leading one, and a degree that drops is no
 * special case: the roots at infinity are outside the interval.
 *
 * An extremum at which |p| is within its rounding is a root, too: a pair of roots so close, a double root and a near miss cannot
 * be told apart. So a root of any multiplicity is found, once. Every change of sign of p that exceeds rounding is found.
 */

const EPSILON = Number.EPSILON;
/** Rounding of a Horner scheme of degree 4, in units of ε Σ |p_i| |t|^i: two for each stage. */
const HORNER = 8 * EPSILON;
/** Bisection, which takes over where Newton's steps are slow, halves any bracket of doubles to neighbours in fewer. */
const MOST_ITERATIONS = 120;
/** Steps below this part of 1 + |t| end the search: half-angles that close give the same direction. */
const RESOLUTION = 2 * EPSILON;
/** Steps this short that fall no more are rounding. */
const NEAR = 1e-8;

export class Quartic {
  /** p₀ … p₄ */
  readonly p = new Float64Array(5);
  /** [0] what the coefficients may be wrong by: p(t) is known to [0] (1 + t²)² */
  readonly error = new Float64Array(1);
  /** in ascending order, `count` of them */
  readonly roots = new Float64Array(4);
  count = 0;
  /** p′ (its fifth coefficient is 0) and p″, and where each of them vanishes */
  readonly #first = new Float64Array(5);
  readonly #second = new Float64Array(3);
  readonly #inflections = new Float64Array(2);
  readonly #extrema = new Float64Array(3);
  /** ends of a stretch; on return from `rootBetween` [0] is the root. Numbers in arguments and results would be allocated. */
  readonly #bracket = new Float64Array(2);

  /** Fills `roots` with those in [−limit, limit]. */
  find(limit: number): void {
    const { p } = this;
    const first = this.#first;
    const second = this.#second;
    for (let i = 0; i < 4; i++) first[i] = (i + 1) * p[i + 1];
    for (let i = 0; i < 3; i++) second[i] = (i + 1) * first[i + 1];
    const inflections = quadraticRoots(second, limit, this.#inflections);
    const extrema = this.#rootsOfDerivative(limit, inflections);
    this.#rootsBetween(limit, extrema);
  }

  #rootsOfDerivative(limit: number, inflections: number): number {
    const first = this.#first;
    const bracket = this.#bracket;
    let found = 0;
    let a = -limit;
    let fa = value(first, a);
    for (let i = 0; i <= inflections; i++) {
      const b = i < inflections ? this.#inflections[i] : limit;
      const fb = value(first, b);
      // A zero at the left end counts, one at the right end is the left end of the next stretch or the end of all.
      if (fa === 0) this.#extrema[found++] = a;
      else if (fa > 0 !== fb > 0 && fb !== 0) {
        bracket[0] = a;
        bracket[1] = b;
        rootBetween(first, bracket, fb > 0);
        this.#extrema[found++] = bracket[0];
      }
      a = b;
      fa = fb;
    }
    return found;
  }

  #rootsBetween(limit: number, extrema: number): void {
    const { p, roots } = this;
    const bracket = this.#bracket;
    this.count = 0;
    let a = -limit;
    let sign = this.#sign(a);
    if (sign === 0) roots[this.count++] = a;
    for (let i = 0; i <= extrema; i++) {
      const b = i < extrema ? this.#extrema[i] : limit;
      const next = this.#sign(b);
      if (sign * next < 0) {
        bracket[0] = a;
        bracket[1] = b;
        rootBetween(p, bracket, next > 0);
        roots[this.count++] = bracket[0];
      }
      // Two extrema in a row within rounding: p is flat between them, and its root is one.
      else if (next === 0 && sign !== 0) roots[this.count++] = b;
      a = b;
      sign = next;
    }
  }

  /** Sign of p at t, 0 where it is rounding. */
  #sign(t: number): number {
    const { p } = this;
    const size = Math.abs(t);
    const terms =
      Math.abs(p[0]) +
      size * (Math.abs(p[1]) + size * (Math.abs(p[2]) + size * (Math.abs(p[3]) + size * Math.abs(p[4]))));
    const square = 1 + t * t;
    const result = value(p, t);
    if (Math.abs(result) <= HORNER * terms + this.error[0] * square * square) return 0;
    return result > 0 ? 1 : -1;
  }
}

/** Roots of a + b t + c t² strictly inside (−limit, limit), ascending. @returns their number; a double root counts once */
function quadraticRoots(coefficients: Float64Array, limit: number, roots: Float64Array): number {
  const [a, b, c] = [coefficients[0], coefficients[1], coefficients[2]];
  const discriminant = b * b - 4 * a * c;
  // Without real roots the second derivative has one sign, and nothing has to be parted.
  if (!(discriminant >= 0)) return 0;
  // The sum of two terms of one sign: nothing cancels. Of a quadratic without t² one root is infinite.
  const sum = -0.5 * (b + (b < 0 ? -1 : 1) * Math.sqrt(discriminant));
  const x = sum / c;
  const y = sum === 0 ? x : a / sum;
  let found = 0;
  const low = Math.min(x, y);
  const high = Math.max(x, y);
  if (low > -limit && low < limit) roots[found++] = low;
  if (high > low && high > -limit && high < limit) roots[found++] = high;
  return found;
}

function value(p: Float64Array, t: number): number {
  return p[0] + t * (p[1] + t * (p[2] + t * (p[3] + t * p[4])));
}

/**
 * The root of a polynomial that has opposite signs at the ends of a bracket and is monotone between them, into bracket[0]: Newton's
 * method, with bisection where it leaves the bracket or its step is no better than half the last one.
 */
function rootBetween(p: Float64Array, bracket: Float64Array, rises: boolean): void {
  let low = bracket[0];
  let high = bracket[1];
  let x = 0.5 * (low + high);
  let last = high - low;
  for (let iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
    const f = value(p, x);
    if (f === 0) break;
    if (f > 0 === rises) high = x;
    else low = x;
    const slope = p[1] + x * (2 * p[2] + x * (3 * p[3] + 4 * x * p[4]));
    const newton = x - f / slope;
    const step = Math.abs(newton - x);
    const isInside = newton > low && newton < high;
    const size = 1 + Math.abs(x);
    if (step <= RESOLUTION * size) {
      if (isInside) x = newton;
      break;
    }
    if (isInside && 2 * step < last) {
      last = step;
      x = newton;
    } else {
      if (step <= NEAR * size && last <= NEAR * size) break;
      const middle = 0.5 * (low + high);
      last = Math.abs(middle - x);
      x = middle;
    }
  }
  bracket[0] = x;
}
