/** Scales of colours for values over a plane: pure. */
import type { ColourOptions, ColourScale } from '@engine/document/types';
import type { Pixels } from '@figures/density';
import { extent, type Range } from '@figures/ranges';
import { endsOnAxis, withEnds } from '@figures/vertical-axes';

type Rgb = readonly [number, number, number];

/**
 * From least to greatest. Their lightness grows evenly, also for those who do not tell red from green; of the
 * diverging one it falls to both sides.
 */
const RAMPS: Readonly<Record<ColourScale, readonly Rgb[]>> = {
  viridis: [
    [68, 1, 84],
    [71, 44, 122],
    [59, 81, 139],
    [44, 113, 142],
    [33, 144, 141],
    [39, 173, 129],
    [92, 200, 99],
    [170, 220, 50],
    [253, 231, 37],
  ],
  magma: [
    [0, 0, 4],
    [28, 16, 68],
    [79, 18, 123],
    [129, 37, 129],
    [181, 54, 122],
    [229, 80, 100],
    [251, 135, 97],
    [254, 194, 135],
    [252, 253, 191],
  ],
  grey: [
    [20, 20, 20],
    [245, 245, 245],
  ],
  diverging: [
    [5, 48, 97],
    [67, 147, 195],
    [209, 229, 240],
    [247, 247, 247],
    [253, 219, 199],
    [214, 96, 77],
    [103, 0, 31],
  ],
};

/** Steps of the bar that tells the colours. */
const BAR_STEPS = 256;

/** @param part 0 … 1 */
export function heatColour(part: number, scale: ColourScale = 'viridis'): [number, number, number] {
  const ramp = RAMPS[scale];
  const position = Math.min(1, Math.max(0, part)) * (ramp.length - 1);
  const index = Math.min(Math.floor(position), ramp.length - 2);
  const [low, high] = [ramp[index], ramp[index + 1]];
  const mixed = (c: 0 | 1 | 2): number => {
    const from = low?.[c] ?? 0;
    return Math.round(from + ((high?.[c] ?? 0) - from) * (position - index));
  };
  return [mixed(0), mixed(1), mixed(2)];
}

/** The colour of a part of the scale, by steps where there are some. */
function steppedColour(part: number, { colours, levels }: ColourOptions): [number, number, number] {
  if (levels === undefined) return heatColour(part, colours);
  const step = Math.min(levels - 1, Math.floor(Math.min(1, Math.max(0, part)) * levels));
  return heatColour(step / (levels - 1), colours);
}

/**
 * What the scale covers, as its axis carries it: logarithms where it is logarithmic. A diverging scale has
 * zero in its middle, where values have both signs and no end is given.
 *
 * @returns null where no value has a colour
 */
export function colourRange(values: Float64Array, options: ColourOptions): Range | null {
  const { isLog = false, colours, colourRange: given = {} } = options;
  const found = extent([isLog ? values.map((value) => (value > 0 ? Math.log10(value) : NaN)) : values]);
  if (found === null) return null;
  const ends = endsOnAxis(given, isLog);
  const isFree = ends.min === undefined && ends.max === undefined;
  if (colours === 'diverging' && !isLog && isFree && found.min < 0 && found.max > 0) {
    const reach = Math.max(-found.min, found.max);
    return { min: -reach, max: reach };
  }
  return isFree ? found : withEnds(found, ends);
}

/** Colours of values; null where there is none. */
export function valueColours(
  values: Float64Array,
  options: ColourOptions,
): (readonly [number, number, number] | null)[] {
  const { min, max } = colourRange(values, options) ?? { min: 0, max: 1 };
  const scale = max > min ? 1 / (max - min) : 0;
  return Array.from(values, (value) => {
    const at = options.isLog === true ? (value > 0 ? Math.log10(value) : NaN) : value;
    if (!Number.isFinite(at)) return null;
    return steppedColour(scale === 0 ? 0.5 : (at - min) * scale, options);
  });
}

/** The bar of the colours, greatest at the top. */
export function barPixels(options: ColourOptions = {}): Pixels {
  const data = new Uint8ClampedArray(4 * BAR_STEPS);
  for (let k = 0; k < BAR_STEPS; k++) {
    data.set(steppedColour(1 - k / (BAR_STEPS - 1), options), 4 * k);
    data[4 * k + 3] = 255;
  }
  return { data, width: 1, height: BAR_STEPS };
}
