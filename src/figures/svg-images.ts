/**
 * Pictures in SVG drawings. Cells of a density, of basins or of a heat map fill the rectangle they are drawn in, whatever shape they have; an
 * image of SVG keeps its shape unless it is told otherwise, and would lie beside its axes.
 */
export const stretchImages = (svg: string): string =>
  svg.replaceAll(/<image (?![^>]*preserveAspectRatio)/g, '<image preserveAspectRatio="none" ');
