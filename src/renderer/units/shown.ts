/**
 * Values in the unit that they are shown in, and back. The document has them in the unit of the model,
 * always.
 */
import type { ShownUnit } from '@figures/shown-units';
import { formatNumber } from '../components/numbers';

/** As many decimals as every double keeps; what is beyond them is the rounding of the conversion. */
const DIGITS = 15;

/** The value as it is shown. */
export const toShown = (value: number, { factor }: ShownUnit): number =>
  factor === 1 ? value : Number((value * factor).toPrecision(DIGITS));

/**
 * The value of the model for one that was typed. Of decimal factors it is the number that a reader expects:
 * 12.3 mm are 0.0123 m.
 */
export function fromShown(value: number, { factor }: ShownUnit): number {
  if (factor === 1) return value;
  const exact = value / factor;
  return Number.isInteger(factor) || Number.isInteger(1 / factor) ? Number(exact.toPrecision(DIGITS)) : exact;
}

/** A value of the model with the unit it is shown in. */
export const shownWords = (value: number, shown: ShownUnit, digits?: number): string =>
  `${formatNumber(toShown(value, shown), digits)} ${shown.unit}`.trim();
