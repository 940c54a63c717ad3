/**
 * Spectrum of a recorded signal y(t). Over N samples of distance Δ, with a window w and its mean removed or
 * not,
 *
 *     amplitude   A_k = 2 |X_k| / Σ w,           A_0 = |X_0| / Σ w          in the unit of y
 *     density     S_k = 2 Δ |X_k|² / Σ w²,       S_0 half of that           in the unit of y, squared, per Hz
 *
 * with X the transform of w y, at f_k = k/(N Δ) up to half the sampling rate. A harmonic a cos(2π f t) has
 * the amplitude a where f is one of the f_k, and Σ S_k / (N Δ) is the mean square of y where w = 1
 * (Parseval). Rows at unequal distances, as an event-driven run has them, are interpolated linearly first.
 */

/*
 * Discrete Fourier transform of real or complex data of any length,
 *
 *     X_k = Σ_n x_n e^{−2πi kn/N}.
 *
 * Lengths that are powers of two go by butterflies (Cooley and Tukey 1965); every other length by Bluestein’s
 * identity kn = (k² + n² − (k − n)²)/2, which makes of it a convolution with a chirp, and that a product of
 * transforms of a power of two.
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

export const SPECTRUM_WINDOWS = ['rectangular', 'hann', 'blackman', 'flatTop'] as const;
export type SpectrumWindow = (typeof SPECTRUM_WINDOWS)[number];
export type SpectrumQuantity = 'amplitude' | 'density';

export interface Spectrum {
  /** Hz */
  readonly f: Float64Array;
  readonly values: Float64Array;
  /** samples that were transformed */
  readonly samples: number;
  /** whether rows were interpolated, as they were not equally far from each other */
  readonly isResampled: boolean;
}

/**
 * Coefficients of cosine sums w_n = Σ (−1)^j c_j cos(2πjn/N), periodic. The flat top is that of ISO 18431-2.
 */
const COEFFICIENTS: Readonly<Record<SpectrumWindow, readonly number[]>> = {
  rectangular: [1],
  hann: [0.5, 0.5],
  blackman: [0.42, 0.5, 0.08],
  flatTop: [1, 1.933, 1.286, 0.388, 0.0322],
};

/** Weights of a window of n samples. */
export function windowWeights(kind: SpectrumWindow, n: number): Float64Array {
  const weights = new Float64Array(n);
  COEFFICIENTS[kind].forEach((c, j) => {
    const sign = j % 2 === 0 ? c : -c;
    for (let i = 0; i < n; i++) weights[i] += sign * Math.cos((2 * Math.PI * j * i) / n);
  });
  return weights;
}

/** Part of a step by which rows may miss equal distances: rounding of times. */
const EQUAL = 1e-6;

function isUniform(t: Float64Array): boolean {
  const n = t.length;
  const step = (t[n - 1] - t[0]) / (n - 1);
  for (let i = 1; i < n; i++) if (Math.abs(t[i] - t[0] - i * step) > EQUAL * step) return false;
  return true;
}

/**
 * Values at equal distances between the first and the last time. Of two rows at one time the later one counts
 * from there on.
 */
export function resampled(t: Float64Array, y: Float64Array, samples: number): Float64Array {
  const out = new Float64Array(samples);
  const step = (t[t.length - 1] - t[0]) / (samples - 1);
  for (let k = 0, i = 0; k < samples; k++) {
    const time = k === samples - 1 ? t[t.length - 1] : t[0] + k * step;
    while (i + 1 < t.length - 1 && t[i + 1] <= time) i++;
    const width = t[i + 1] - t[i];
    out[k] = width > 0 ? y[i] + ((time - t[i]) / width) * (y[i + 1] - y[i]) : y[i + 1];
  }
  return out;
}

/**
 * @param t ascending times, s @param y as many values
 * @returns null where there are not three rows of finite values and growing time
 */
export function spectrumOf(
  t: Float64Array,
  y: Float64Array,
  window: SpectrumWindow,
  quantity: SpectrumQuantity,
): Spectrum | null {
  const n = t.length;
  if (n < 3 || !(t[n - 1] > t[0]) || !y.every(Number.isFinite)) return null;
  const isResampled = !isUniform(t);
  const re = isResampled ? resampled(t, y, n) : y.slice();
  const im = new Float64Array(n);
  const weights = windowWeights(window, n);
  const step = (t[n - 1] - t[0]) / (n - 1);
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < n; i++) {
    re[i] *= weights[i];
    sum += weights[i];
    squares += weights[i] * weights[i];
  }
  fourier(re, im);
  const lines = Math.floor(n / 2) + 1;
  const f = new Float64Array(lines);
  const values = new Float64Array(lines);
  for (let k = 0; k < lines; k++) {
    f[k] = k / (n * step);
    const magnitude = Math.hypot(re[k], im[k]);
    // The line at half the sampling rate has no mirror image, as the one at zero.
    const isSingle = k === 0 || 2 * k === n;
    values[k] =
      quantity === 'amplitude'
        ? ((isSingle ? 1 : 2) * magnitude) / sum
        : ((isSingle ? 1 : 2) * step * magnitude * magnitude) / squares;
  }
  return { f, values, samples: n, isResampled };
}

/** A spectrum as it is drawn. */
export interface SpectrumLines {
  /** Hz */
  readonly f: Float64Array;
  readonly values: Float64Array;
  readonly samples: number;
  readonly isResampled: boolean;
  /** distance of lines, Hz */
  readonly resolution: number;
  /** half the sampling rate, Hz */
  readonly highest: number;
  /** frequency below which all but a thousandth of the power lies, the mean value left out, Hz */
  readonly active: number;
  /** rows whose mean is a sample */
  readonly mean: number;
  /** greatest lines that are higher than their neighbours, the one at zero left out: highest first */
  readonly peaks: readonly { readonly f: number; readonly value: number }[];
}

/** Peaks that are named. */
const PEAKS = 8;

/** Part of the power above the frequency that is called active. */
const INACTIVE_POWER_PART = 1e-3;

function activeOf({ f, values }: Spectrum, quantity: SpectrumQuantity): number {
  const power = (k: number): number => (quantity === 'amplitude' ? values[k] * values[k] : values[k]);
  let total = 0;
  for (let k = 1; k < values.length; k++) total += power(k);
  let above = 0;
  for (let k = values.length - 1; k > 1; k--) {
    above += power(k);
    if (above > INACTIVE_POWER_PART * total) return f[k];
  }
  return f[values.length - 1];
}

function peaksOf({ f, values }: Spectrum): SpectrumLines['peaks'] {
  const found: { f: number; value: number }[] = [];
  for (let k = 1; k + 1 < values.length; k++)
    if (values[k] > values[k - 1] && values[k] >= values[k + 1]) found.push({ f: f[k], value: values[k] });
  return found.sort((a, b) => b.value - a.value || a.f - b.f).slice(0, PEAKS);
}

/**
 * The greatest and the least line of each of `buckets` equal parts, in their order, so that no peak and no
 * gap is lost.
 * @param range visible frequencies, Hz; lines beside it are left out but for one on each side
 */
export function spectrumLines(
  whole: Spectrum,
  quantity: SpectrumQuantity,
  buckets: number,
  range: { readonly min: number; readonly max: number } | null = null,
): Omit<SpectrumLines, 'mean'> {
  const { samples, isResampled } = whole;
  const resolution = whole.f[1];
  const last = whole.f.length - 1;
  const rest = {
    samples,
    isResampled,
    resolution,
    highest: whole.f[last],
    active: activeOf(whole, quantity),
    peaks: peaksOf(whole),
  };
  const from = range === null ? 0 : Math.min(last, Math.max(0, Math.floor(range.min / resolution) - 1));
  const to = range === null ? last : Math.max(from, Math.min(last, Math.ceil(range.max / resolution) + 1));
  const f = whole.f.subarray(from, to + 1);
  const values = whole.values.subarray(from, to + 1);
  const n = f.length;
  if (n <= 2 * buckets) return { f: f.slice(), values: values.slice(), ...rest };
  const places: number[] = [];
  for (let b = 0; b < buckets; b++) {
    const first = Math.floor((b * n) / buckets);
    const end = Math.floor(((b + 1) * n) / buckets);
    let low = first;
    let high = first;
    for (let k = first; k < end; k++) {
      if (values[k] < values[low]) low = k;
      if (values[k] > values[high]) high = k;
    }
    places.push(Math.min(low, high));
    if (low !== high) places.push(Math.max(low, high));
  }
  return {
    f: Float64Array.from(places, (k) => f[k]),
    values: Float64Array.from(places, (k) => values[k]),
    ...rest,
  };
}
