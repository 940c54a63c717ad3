/**
 * A zero of a linear form to rounding, between two places of the arc where its signs differ and between which they change
 * once: in closed form up to degree 2, otherwise by Newton's method, with bisection where it would leave the bracket or is
 * slow (W. H. Press et al., Numerical Recipes, 3rd edition, §9.4).
 */
import type { FormPolynomial } from './form-polynomial';

/** Bisection alone needs some 60 to the last bit of most brackets. */
const MOST_ITERATIONS = 120;
const RESOLUTION = 0.5 * Number.EPSILON;
/** Part of the noise below which a value says nothing more of the place. */
const NOISE_PART = 1 / 16;
/** Moves that are relatively longer than this are not those of rounding. */
const NEAR = 1e-8;

/** @param bracket [0] < [1] the two places; [0] becomes the zero */
export function refineFormRoot(form: FormPolynomial, bracket: Float64Array): void {
  if (form.degree <= 2) solveQuadratic(form, bracket);
  else iterate(form, bracket);
}

/** −g_1 ± √(g_1² − 4 g_2 g_0), without the difference of like numbers; of the two zeros the one in the bracket. */
function solveQuadratic({ coefficients: g, degree }: FormPolynomial, bracket: Float64Array): void {
  const g2 = degree === 2 ? g[2] : 0;
  const g1 = degree >= 1 ? g[1] : 0;
  const root = Math.sqrt(Math.max(0, g1 * g1 - 4 * g2 * g[0]));
  const q = -0.5 * (g1 + (g1 < 0 ? -root : root));
  const one = g[0] / q;
  const other = q / g2;
  const left = bracket[0];
  const right = bracket[1];
  // Where rounding puts both a little outside, the nearer one; 0/0 and q/0 are never nearer.
  const awayOne = Math.max(left - one, one - right);
  const awayOther = Math.max(left - other, other - right);
  const isOther = !(awayOne <= awayOther) && Number.isFinite(other);
  const zero = isOther ? other : one;
  bracket[0] = Math.max(left, Math.min(right, zero));
}

function iterate(form: FormPolynomial, bracket: Float64Array): void {
  const { place, result, slopeValue } = form;
  let left = bracket[0];
  let right = bracket[1];
  place[0] = right;
  form.evaluate();
  const atRight = result[0];
  place[0] = left;
  form.evaluate();
  const atLeft = result[0];
  if (atLeft === 0 || atRight === 0 || atLeft > 0 === atRight > 0) {
    // The stretch began or ended in rounding about zero: the end that is nearer to zero is the zero.
    if (Math.abs(atRight) < Math.abs(atLeft)) bracket[0] = right;
    return;
  }
  const isRising = atRight > 0;
  let x = left + (right - left) * (atLeft / (atLeft - atRight));
  let lastMove = right - left;
  for (let iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
    place[0] = x;
    form.evaluateWithSlope();
    const value = result[0];
    if (value > 0 === isRising) right = x;
    else left = x;
    const move = value / slopeValue[0];
    let next = x - move;
    let isDone = Math.abs(move) <= RESOLUTION * x;
    if (!isDone && Math.abs(move) <= NEAR * x) {
      form.noise(place, result);
      isDone = Math.abs(value) <= NOISE_PART * result[0];
    }
    if (isDone) {
      // The last move is one of rounding, unless the slope vanishes with the value.
      if (next > left && next < right) x = next;
      break;
    }
    if (!(next > left && next < right) || Math.abs(move) > 0.5 * lastMove) next = 0.5 * (left + right);
    lastMove = Math.abs(next - x);
    x = next;
    if (right - left <= RESOLUTION * right) break;
  }
  bracket[0] = x;
}
