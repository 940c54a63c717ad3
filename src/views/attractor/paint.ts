/**
 * Paints the drawing of an attractor: a hundred thousand points are turned many times a second, which no
 * chart library does.
 */
import type { AttractorDrawing } from './drawing';
import { FONT } from '@figures/axes';
import { pixelRatioOf } from '@renderer/components/page-zoom';

export function paintAttractor(
  canvas: HTMLCanvasElement,
  { lines, texts }: AttractorDrawing,
  { width, height }: { width: number; height: number },
  background: string,
): void {
  const ratio = pixelRatioOf(canvas);
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
  }
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = background;
  context.fillRect(0, 0, width, height);
  context.lineJoin = 'round';
  for (const { points, color, width: lineWidth, opacity, dash } of lines) {
    context.strokeStyle = color;
    context.lineWidth = lineWidth;
    context.globalAlpha = opacity;
    context.setLineDash([...dash]);
    strokeChain(context, points);
  }
  context.globalAlpha = 1;
  context.setLineDash([]);
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  for (const { x, y, text, color, size } of texts) {
    context.fillStyle = color;
    context.font = `${size}px ${FONT}`;
    context.fillText(text, x, y);
  }
}

/** One path of very many segments takes far longer than several of some. */
const MOST_SEGMENTS = 2000;

function strokeChain(context: CanvasRenderingContext2D, points: Float64Array): void {
  let isDown = false;
  let segments = 0;
  context.beginPath();
  for (let i = 0; i < points.length; i += 2) {
    const x = points[i] ?? NaN;
    const y = points[i + 1] ?? NaN;
    if (Number.isNaN(x) || Number.isNaN(y)) {
      isDown = false;
      continue;
    }
    if (isDown) context.lineTo(x, y);
    else context.moveTo(x, y);
    isDown = true;
    if (++segments % MOST_SEGMENTS !== 0) continue;
    context.stroke();
    context.beginPath();
    context.moveTo(x, y);
  }
  context.stroke();
}
