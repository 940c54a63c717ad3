/**
 * Polynomials on [0, 1] with given zeros, exactly: coefficients are whole numbers over a power of two. They
 * are rounded once, at the end, to the nested form of the dense output, so that the zeros of what is searched
 * are those it was made of.
 */

/** Zeros are multiples of 2^−BITS. */
export const BITS = 40;

/** Σ c_k θ^k / 2^(BITS degree) */
export type Exact = bigint[];

export const toGrid = (x: number): bigint => BigInt(Math.round(x * 2 ** BITS));
export const fromGrid = (x: bigint): number => Number(x) / 2 ** BITS;

const ONE = 1n << BigInt(BITS);

/** Product of polynomials whose coefficients are over 2^(BITS · degree). */
export function times(p: Exact, q: Exact): Exact {
  const product = new Array<bigint>(p.length + q.length - 1).fill(0n);
  p.forEach((a, i) => {
    q.forEach((b, j) => {
      product[i + j] += a * b;
    });
  });
  return product;
}

/** θ − r */
export const zeroAt = (r: bigint): Exact => [-r, ONE];

/** (θ − r)² + d² */
export const above = (r: bigint, d: bigint): Exact => [r * r + d * d, -2n * r * ONE, ONE * ONE];

/** p / 2^shift as a number, without overflow on the way. */
function toNumber(p: bigint, shift: number): number {
  const sign = p < 0n ? -1 : 1;
  const size = p < 0n ? -p : p;
  const extra = Math.max(0, 4 * size.toString(16).length - 64);
  return sign * Number(size >> BigInt(extra)) * 2 ** (extra - shift);
}

/** Value at a grid point. */
export function valueAt(p: Exact, theta: bigint): number {
  let sum = 0n;
  const degree = p.length - 1;
  // Coefficient k is over 2^(BITS · degree); powers of θ bring BITS each.
  for (let k = degree; k >= 0; k--) sum = sum * theta + (p[k] << BigInt(BITS * (degree - k)));
  return toNumber(sum, 2 * BITS * degree);
}

/** Coefficients F_k of the nested form: division by θ and by 1 − θ in turn, exact. */
export function nested(p: Exact): number[] {
  const shift = BITS * (p.length - 1);
  let rest = [...p];
  const found: number[] = [];
  for (let k = 0; rest.length > 0; k++) {
    if (k % 2 === 0) {
      found.push(toNumber(rest[0], shift));
      rest = rest.slice(1);
    } else {
      // rest = F + (1 − θ) q: the quotient by θ − 1 with its sign changed.
      const quotient: bigint[] = new Array<bigint>(rest.length - 1);
      let carry = 0n;
      for (let i = rest.length - 1; i >= 1; i--) {
        carry += rest[i];
        quotient[i - 1] = -carry;
      }
      found.push(toNumber(carry + rest[0], shift));
      rest = quotient;
    }
  }
  return found;
}
