/** Drawings as pictures of a chosen resolution. */
import { registerFonts } from './fonts';

/** @param scale pixels of the picture to one px of the drawing */
export async function pngOfSvg(svg: string, width: number, height: number, scale: number): Promise<Buffer> {
  const { createCanvas, GlobalFonts, loadImage } = await import('@napi-rs/canvas');
  registerFonts(GlobalFonts);
  const canvas = createCanvas(Math.round(width * scale), Math.round(height * scale));
  // Drawn at its size on the canvas: lines and text are sharp at any resolution.
  const sized = svg.replace(/<svg[^>]*>/, (tag) => {
    const open = tag.replaceAll(/\s(?:width|height)="[^"]*"/g, '').slice(0, -1);
    const view = open.includes('viewBox=') ? '' : ` viewBox="0 0 ${width} ${height}"`;
    return `${open}${view} width="${canvas.width}" height="${canvas.height}">`;
  });
  const image = await loadImage(Buffer.from(sized));
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toBuffer('image/png');
}
