/** Numbers as figures write them. */

/** Significant digits where nobody has said otherwise. */
const DIGITS = 6;

/** A number with at most `digits` significant digits, in the shorter of plain and scientific notation. */
export function formatNumber(value: number, digits = DIGITS): string {
  if (!Number.isFinite(value)) return String(value);
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) {
    const [mantissa, exponent] = value.toExponential(digits - 1).split('e');
    const short = (mantissa ?? '').includes('.') ? (mantissa ?? '').replace(/\.?0+$/, '') : mantissa;
    return `${short}e${Number(exponent)}`;
  }
  return String(Number(value.toPrecision(digits)));
}

/** That what is drawn stands for so many times as much, as plots say it; empty where all of it is drawn. */
export const ratioLabel = (ratio: number): string =>
  ratio > 1 ? `1 : ${Math.round(ratio).toLocaleString('en')}` : '';
