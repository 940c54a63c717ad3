/**
 * Pictures in SVG drawings. Cells of a density, of basins or of a heat map fill the rectangle they are drawn
 * in, whatever shape they have; an image in SVG keeps its aspect ratio by default and would not line up with
 * its axes.
 */
export const stretchImages = (svg: string): string =>
  svg.replaceAll(/<image (?![^>]*preserveAspectRatio)/g, '<image preserveAspectRatio="none" ');
