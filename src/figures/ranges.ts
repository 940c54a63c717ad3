/** Ranges of axes: extent of data, round steps, zoom. */

export interface Range {
  min: number;
  max: number;
}

/** Part of the empty space left above and below the data. */
const PADDING = 0.06;

/** A width below this is rounding noise around zero, whatever the scale. */
const NOISE = 1e-13;

/** Extent of finite values; null where there are none. */
export function extent(arrays: Iterable<Float64Array>): Range | null {
  let min = Infinity;
  let max = -Infinity;
  for (const array of arrays) {
    for (const value of array) {
      if (value < min) min = value;
      if (value > max) max = value;
    }
  }
  return Number.isFinite(min) && Number.isFinite(max) ? { min, max } : null;
}

/** The range with room around it; a single value gets a symmetric neighbourhood. */
export function padded(range: Range | null): Range {
  if (range === null) return { min: 0, max: 1 };
  const width = range.max - range.min;
  const scale = Math.max(Math.abs(range.min), Math.abs(range.max));
  // Rounding noise around a constant is not a signal worth the whole height.
  if (width <= Math.max(1e-12 * scale, NOISE)) {
    const half = scale <= NOISE ? 1 : 0.1 * scale;
    return { min: range.min - half, max: range.max + half };
  }
  return { min: range.min - PADDING * width, max: range.max + PADDING * width };
}

/** A step of 1, 2 or 5 times a power of ten that divides the range into about `count` parts. */
function roundStep(range: Range, count: number): number {
  const raw = (range.max - range.min) / Math.max(1, count);
  if (!(raw > 0) || !Number.isFinite(raw)) return 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const leading = raw / power;
  return (leading <= 1 ? 1 : leading <= 2 ? 2 : leading <= 5 ? 5 : 10) * power;
}

/** Round numbers inside the range, about `count` of them. */
export function roundTicks(range: Range, count: number): number[] {
  const step = roundStep(range, count);
  const first = Math.ceil(range.min / step - 1e-9);
  const last = Math.floor(range.max / step + 1e-9);
  const ticks: number[] = [];
  // Multiples, not sums: adding up a step of 0.1 ends beside the round numbers.
  for (let i = first; i <= last && ticks.length < 100; i++) ticks.push(Number((i * step).toPrecision(12)));
  return ticks;
}

/** Round numbers inside the range, about `count` of them but never fewer than `least`. */
export function enoughTicks(range: Range, count: number, least: number): number[] {
  let ticks = roundTicks(range, count);
  for (let finer = Math.max(1, count) + 1; ticks.length < least && finer <= 8 * least; finer++)
    ticks = roundTicks(range, finer);
  return ticks;
}

/** The part of a range between two fractions of it; fractions outside 0 … 1 widen it. */
export function part(range: Range, from: number, to: number): Range {
  const width = range.max - range.min;
  return { min: range.min + from * width, max: range.min + to * width };
}

/** Fractions that zoom by `factor` (below 1: in) while the point at `centre` stays. */
export function zoomFractions(centre: number, factor: number): [number, number] {
  return [centre * (1 - factor), centre + (1 - centre) * factor];
}

/** False for a range too narrow for its numbers: zooming stops before the digits run out. */
export function resolvable(range: Range): boolean {
  const scale = Math.max(Math.abs(range.min), Math.abs(range.max), Number.MIN_VALUE);
  return range.max - range.min > 1e-12 * scale;
}

/** How much a zoom to a cursor widens. */
const CURSOR_ZOOM = 10;

/**
 * The part of a time axis that shows a cursor: a tenth of it around the cursor, or the same length moved so
 * that the cursor stands in its middle. Null where it is seen already, or nothing finer can be shown.
 */
export function rangeAround(range: Range, { t, zoom }: { t: number; zoom: boolean }): Range | null {
  if (!zoom && t >= range.min && t <= range.max) return null;
  const half = (range.max - range.min) / (zoom ? 2 * CURSOR_ZOOM : 2);
  const next = { min: t - half, max: t + half };
  return resolvable(next) ? next : null;
}
