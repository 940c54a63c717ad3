/**
 * Circles in SVG drawings. The chart library writes many small circles as one path, with places rounded to a
 * tenth of a pixel, and leaves the gap of 10⁻⁴ turns open by which an arc tells its end from its beginning.
 * Where rounding closes the gap, an arc has no length, and readers draw nothing: points would be missing here
 * and there. Two halves have no such gap. Circles at the same place, as of a motion that repeats itself, are
 * one.
 */

/** A circle as the library writes it: from its rightmost point nearly all the way round, and the rest. */
const CIRCLE = /M(-?[\d.]+) (-?[\d.]+)A(-?[\d.]+) (-?[\d.]+) 0 1 1 -?[\d.]+ -?[\d.]+A\3 \4 0 0 1 \1 \2/g;
const PATH = /(<path[^>]*? d=")([^"]*)"/g;
/** Of places that are computed here: no more than the library writes. */
const DIGITS = 4;

export const wholeCircles = (svg: string): string =>
  svg.replaceAll(PATH, (_, before: string, path: string) => {
    const drawn = new Set<string>();
    const halves = path.replaceAll(CIRCLE, (circle, x: string, y: string, rx: string, ry: string) => {
      if (drawn.has(circle)) return '';
      drawn.add(circle);
      const left = Number((Number(x) - 2 * Number(rx)).toFixed(DIGITS));
      return `M${x} ${y}A${rx} ${ry} 0 1 1 ${left} ${y}A${rx} ${ry} 0 1 1 ${x} ${y}`;
    });
    return `${before}${halves}"`;
  });
