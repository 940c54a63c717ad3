/** Numbers as figures write them. */

/** Default number of significant digits. */
const DIGITS = 6;

/** A number with at most `digits` significant digits, in the shorter of plain and scientific notation. */
export function formatFigureNumber(value: number, digits = DIGITS): string {
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

/** Note in a plot that one drawn item stands for several; empty if all are drawn. */
export const ratioLabel = (ratio: number): string =>
  ratio > 1 ? `1 : ${Math.round(ratio).toLocaleString('en')}` : '';
