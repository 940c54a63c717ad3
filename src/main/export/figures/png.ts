/** Drawings as pictures of a chosen resolution. */
import type { Canvas, SKRSContext2D } from '@napi-rs/canvas';
import { registerFonts } from './fonts';
import { type LayerPicture, svgLayers } from './svg-layers';

/** A drawing at its size on the canvas: lines and text are sharp at any resolution. */
function sized(svg: string, { width, height }: Canvas, viewWidth: number, viewHeight: number): string {
  return svg.replace(/<svg[^>]*>/, (tag) => {
    const open = tag.replaceAll(/\s(?:width|height)="[^"]*"/g, '').slice(0, -1);
    const view = open.includes('viewBox=') ? '' : ` viewBox="0 0 ${viewWidth} ${viewHeight}"`;
    return `${open}${view} width="${width}" height="${height}">`;
  });
}

/** @param scale pixels of the picture to one px of the drawing */
export async function pngOfSvg(svg: string, width: number, height: number, scale: number): Promise<Buffer> {
  const { createCanvas, GlobalFonts, loadImage, Path2D } = await import('@napi-rs/canvas');
  registerFonts(GlobalFonts);
  const canvas = createCanvas(Math.round(width * scale), Math.round(height * scale));
  const context = canvas.getContext('2d');
  const { drawings, pictures } = svgLayers(svg);

  const place = async (to: SKRSContext2D, picture: LayerPicture): Promise<void> => {
    const image = await loadImage(picture.href);
    to.save();
    to.scale(canvas.width / width, canvas.height / height);
    for (const frame of picture.frames)
      if ('clip' in frame) to.clip(new Path2D(frame.clip));
      else to.transform(...frame.matrix);
    to.globalAlpha = picture.opacity;
    to.drawImage(image, picture.x, picture.y, picture.width, picture.height);
    to.restore();
  };

  for (const [layer, drawing] of drawings.entries()) {
    const image = await loadImage(Buffer.from(sized(drawing, canvas, width, height)));
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    if (layer < pictures.length) await place(context, pictures[layer]);
  }
  return canvas.toBuffer('image/png');
}
