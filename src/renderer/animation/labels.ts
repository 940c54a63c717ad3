/**
 * Text and signs over the picture: the axes of the world, the length of a cell of the grid, ids of bodies.
 */
import { POSE_NUMBERS } from '@figures/animation/geometry/poses';
import type { CameraProjection } from './stage';
import type { StageTheme } from '@figures/animation/stage-theme';

/** What is written over a picture. */
export interface LabelContent {
  readonly theme: StageTheme;
  readonly axes: boolean;
  /** length of a cell of the grid, as text; null without grid */
  readonly cell: string | null;
  /** ids of bodies; null for none */
  readonly ids: readonly string[] | null;
  /** 7 a body */
  readonly poses: Float64Array;
}

/** More names than these cover the bodies; the nearest get one. */
const MOST_IDS = 150;
const FONT = "11px 'Inter Variable', 'Inter', system-ui, sans-serif";
/** Half-side of the axes' square and its distance from the corner, px. */
const TRIAD = 24;
const MARGIN = 12;

/** A point of the picture, px of the style sheet from the upper left; `depth` from −1, near, to 1. */
export interface Projected {
  readonly x: number;
  readonly y: number;
  readonly depth: number;
}

/** Where a point of the world is seen; null behind the camera. */
export function project(
  { matrix: m, width, height }: CameraProjection,
  x: number,
  y: number,
  z: number,
): Projected | null {
  const w = m[3] * x + m[7] * y + m[11] * z + m[15];
  if (!(w > 0)) return null;
  const along = (row: number): number => (m[row] * x + m[row + 4] * y + m[row + 8] * z + m[row + 12]) / w;
  return { x: ((1 + along(0)) / 2) * width, y: ((1 - along(1)) / 2) * height, depth: along(2) };
}

/**
 * How the axes of the world are seen, to the right and upwards, the length of each 1 where it lies in the
 * picture. A column of the projection is an axis of the camera times the aspect; only its direction is
 * wanted, so that the three are divided by the length of the rows.
 */
export function axesInPicture({ matrix: m }: CameraProjection): { x: number; y: number; depth: number }[] {
  const right = Math.hypot(m[0], m[4], m[8]);
  const up = Math.hypot(m[1], m[5], m[9]);
  const depth = Math.hypot(m[3], m[7], m[11]);
  return [0, 4, 8].map((at) => ({ x: m[at] / right, y: m[at + 1] / up, depth: m[at + 3] / depth }));
}

/** Bodies in the picture, the nearest first. */
export function visibleIds(
  projection: CameraProjection,
  content: LabelContent,
): { id: string; at: Projected }[] {
  const { poses, ids } = content;
  const seen = (ids ?? []).flatMap((id, body) => {
    const at = project(
      projection,
      poses[POSE_NUMBERS * body],
      poses[POSE_NUMBERS * body + 1],
      poses[POSE_NUMBERS * body + 2],
    );
    if (at === null || at.x < 0 || at.y < 0 || at.x > projection.width || at.y > projection.height) return [];
    return [{ id, at }];
  });
  return seen.sort((a, b) => a.at.depth - b.at.depth).slice(0, MOST_IDS);
}

/** Paints all of it. @param scale pixels of the canvas per pixel of the style sheet */
export function paintLabels(
  context: CanvasRenderingContext2D,
  projection: CameraProjection,
  content: LabelContent,
  scale: number,
): void {
  const page = { ...projection, width: context.canvas.width / scale, height: context.canvas.height / scale };
  context.save();
  context.scale(scale, scale);
  context.font = FONT;
  context.lineJoin = 'round';
  for (const { id, at } of visibleIds(page, content)) write(context, content.theme, id, at.x + 6, at.y - 6);
  if (content.axes) paintAxes(context, page, content.theme);
  if (content.cell !== null) paintCell(context, page, content.theme, content.cell);
  context.restore();
}

/** Text with a rim of the background, so that it can be read on anything. */
function write(
  context: CanvasRenderingContext2D,
  theme: StageTheme,
  words: string,
  x: number,
  y: number,
  colour = theme.text,
): void {
  context.lineWidth = 3;
  context.strokeStyle = theme.textHalo;
  context.strokeText(words, x, y);
  context.fillStyle = colour;
  context.fillText(words, x, y);
}

function paintAxes(context: CanvasRenderingContext2D, page: CameraProjection, theme: StageTheme): void {
  const [x0, y0] = [MARGIN + TRIAD, page.height - MARGIN - TRIAD];
  const axes = axesInPicture(page).map((axis, i) => ({ ...axis, name: 'xyz'[i], colour: theme.axes[i] }));
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  // Those that point away first: the others lie over them.
  for (const { x, y, name, colour } of axes.sort((a, b) => b.depth - a.depth)) {
    context.strokeStyle = colour;
    context.lineWidth = 2;
    context.beginPath();
    context.moveTo(x0, y0);
    context.lineTo(x0 + x * TRIAD * 0.75, y0 - y * TRIAD * 0.75);
    context.stroke();
    // An axis that points at the viewer has its letter beside the origin.
    const isShort = Math.hypot(x, y) < 0.2;
    write(context, theme, name, x0 + (isShort ? -9 : x * TRIAD), y0 - (isShort ? -9 : y * TRIAD), colour);
  }
}

function paintCell(
  context: CanvasRenderingContext2D,
  page: CameraProjection,
  theme: StageTheme,
  cell: string,
): void {
  context.textAlign = 'right';
  context.textBaseline = 'alphabetic';
  const [x, y] = [page.width - MARGIN, page.height - MARGIN];
  write(context, theme, cell, x, y);
  const side = 9;
  const left = x - context.measureText(cell).width - side - 6;
  context.strokeStyle = theme.textHalo;
  context.lineWidth = 3.5;
  context.strokeRect(left, y - side, side, side);
  context.strokeStyle = theme.text;
  context.lineWidth = 1.2;
  context.strokeRect(left, y - side, side, side);
}
