/** Numbers as the window writes them. */

import { formatFigureNumber as figureNumber } from '@figures/numbers';
import { shallowRef } from 'vue';

/** Significant digits of values, as the user has set them. */
const significantDigits = shallowRef(6);

export function setSignificantDigits(digits: number): void {
  significantDigits.value = digits;
}

/** A number with at most `digits` significant digits, in the shorter of plain and scientific notation. */
export const formatNumber = (value: number, digits = significantDigits.value): string =>
  figureNumber(value, digits);

/**
 * A number for a narrow column of figures: at most nine characters, so that no sign and no exponent is cut
 * off.
 */
export function formatFigure(value: number): string {
  const size = Math.abs(value);
  if (value === 0 || !Number.isFinite(value) || (size >= 0.01 && size < 99_999.5))
    return formatNumber(value, 5);
  const exponent = Math.abs(Math.floor(Math.log10(size)));
  const digits = exponent < 10 ? 3 : exponent < 100 ? 2 : 1;
  return value.toExponential(digits).replace('e+', 'e');
}

/**
 * A measured value with its error bar, to the digit that the error reaches: `8.13715 ± 3e-5`. More than 15
 * digits a number does not have.
 */
export function formatWithError(value: number, error: number): string {
  if (!Number.isFinite(value) || !(error > 0) || !Number.isFinite(error)) return formatNumber(value, 15);
  const size = value === 0 ? error : Math.abs(value);
  const digits = Math.floor(Math.log10(size)) - Math.floor(Math.log10(error)) + 1;
  return `${value.toPrecision(Math.min(15, Math.max(1, digits)))} ± ${formatNumber(error, 1)}`;
}

/** A residual or tolerance: two digits and an exponent. */
export function formatResidual(value: number): string {
  return value === 0 ? '0' : value.toExponential(1);
}

/** A count with a unit prefix, e.g. `128 k`. */
export function formatCount(value: number): string {
  if (value >= 1e9) return `${formatNumber(value / 1e9, 3)} G`;
  if (value >= 1e6) return `${formatNumber(value / 1e6, 3)} M`;
  if (value >= 1e4) return `${formatNumber(value / 1e3, 3)} k`;
  return String(Math.round(value));
}

/** A wall time, e.g. `3 s`, `2 min 5 s`, `1 h 4 min`. */
export function formatDuration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** What was typed into an expression field: a number where it is one, else the expression. */
export function parseNumber(typed: string): number | string {
  const trimmed = typed.trim();
  if (trimmed !== '' && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed)) return Number(trimmed);
  return trimmed;
}
