/** The page of a drawing: as large as the SVG says. */
export function pageOfDrawing(svg: string): { svg: string; width: number; height: number } {
  const [, width, height] = /^<svg [^>]*?width="([\d.]+)" height="([\d.]+)"/.exec(svg) ?? [];
  return { svg, width: Number(width), height: Number(height) };
}
