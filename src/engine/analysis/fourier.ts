/**
 * Discrete Fourier transform of real or complex data of any length,
 *
 *     X_k = Σ_n x_n e^{−2πi kn/N}.
 *
 * Lengths that are powers of two go by butterflies (Cooley and Tukey, 1965, doi:10.1090/S0025-5718-1965-0178586-1); every other length by Bluestein’s
 * identity kn = (k² + n² − (k − n)²)/2, which makes of it a convolution with a chirp, and that a product of transforms of a power of two.
 */

/** Transforms (re, im) in place; `sign` −1 as above, +1 backwards without the factor 1/N. */
function butterflies(re: Float64Array, im: Float64Array, sign: 1 | -1): void {
  const n = re.length;
  for (let i = 1, j = 0; i < n; i++) {
    let bit = n >> 1;
    for (; (j & bit) !== 0; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i >= j) continue;
    const a = re[i];
    re[i] = re[j];
    re[j] = a;
    const b = im[i];
    im[i] = im[j];
    im[j] = b;
  }
  // One table of roots for all stages: products of roots would gather roundings.
  const half = n >> 1;
  const cos = new Float64Array(half);
  const sin = new Float64Array(half);
  for (let k = 0; k < half; k++) {
    cos[k] = Math.cos((2 * Math.PI * k) / n);
    sin[k] = sign * Math.sin((2 * Math.PI * k) / n);
  }
  for (let size = 2; size <= n; size <<= 1) {
    const part = size >> 1;
    const stride = n / size;
    for (let start = 0; start < n; start += size) {
      for (let k = 0, r = 0; k < part; k++, r += stride) {
        const a = start + k;
        const b = a + part;
        const x = re[b] * cos[r] - im[b] * sin[r];
        const y = re[b] * sin[r] + im[b] * cos[r];
        re[b] = re[a] - x;
        im[b] = im[a] - y;
        re[a] += x;
        im[a] += y;
      }
    }
  }
}

const isPowerOfTwo = (n: number): boolean => (n & (n - 1)) === 0;

/** Chirp e^{−iπ k²/N}; k² modulo 2N, so that the angle keeps its digits. */
function chirp(n: number): { cos: Float64Array; sin: Float64Array } {
  const cos = new Float64Array(n);
  const sin = new Float64Array(n);
  for (let k = 0, square = 0; k < n; k++) {
    cos[k] = Math.cos((Math.PI * square) / n);
    sin[k] = -Math.sin((Math.PI * square) / n);
    square = (square + 2 * k + 1) % (2 * n);
  }
  return { cos, sin };
}

function bluestein(re: Float64Array, im: Float64Array): void {
  const n = re.length;
  let m = 1;
  while (m < 2 * n - 1) m <<= 1;
  const { cos, sin } = chirp(n);
  const aRe = new Float64Array(m);
  const aIm = new Float64Array(m);
  const bRe = new Float64Array(m);
  const bIm = new Float64Array(m);
  for (let k = 0; k < n; k++) {
    aRe[k] = re[k] * cos[k] - im[k] * sin[k];
    aIm[k] = re[k] * sin[k] + im[k] * cos[k];
    bRe[k] = cos[k];
    bIm[k] = -sin[k];
    if (k > 0) {
      bRe[m - k] = cos[k];
      bIm[m - k] = -sin[k];
    }
  }
  butterflies(aRe, aIm, -1);
  butterflies(bRe, bIm, -1);
  for (let k = 0; k < m; k++) {
    const x = aRe[k] * bRe[k] - aIm[k] * bIm[k];
    aIm[k] = aRe[k] * bIm[k] + aIm[k] * bRe[k];
    aRe[k] = x;
  }
  butterflies(aRe, aIm, 1);
  for (let k = 0; k < n; k++) {
    const x = aRe[k] / m;
    const y = aIm[k] / m;
    re[k] = x * cos[k] - y * sin[k];
    im[k] = x * sin[k] + y * cos[k];
  }
}

/** Transforms (re, im) in place. */
export function fourier(re: Float64Array, im: Float64Array): void {
  if (re.length < 2) return;
  if (isPowerOfTwo(re.length)) butterflies(re, im, -1);
  else bluestein(re, im);
}
