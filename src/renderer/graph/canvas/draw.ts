/** Draws what is too small, or too much, for cards: rectangles and lines. */
import type { LayoutColour } from '@engine/document/types';
import { LAYOUT_COLOURS } from '../../document/frames';
import { noteTitle } from './flow';
import { FRAME_HEAD } from '../frames/frames';
import { rectanglesOverlap, type Rectangle } from '../frames/rectangles';
import { facing, type GraphScene, type SceneNode, type CardSide } from './scene';
import { halfSize } from '@figures/circuit/geometry';
import { isOwn, portOf as portNamed } from '@figures/circuit/own-components';
import { isNamedThere } from '@figures/circuit/values';
import { wordPlaces, type Words } from '../circuit/words';
import { around, detailAt, seenBy, type View } from './viewing';

/** Colours of the theme that the drawing uses. */
export interface Inks {
  readonly system: string;
  readonly interaction: string;
  readonly surface: string;
  readonly border: string;
  readonly line: string;
  readonly accent: string;
  readonly bad: string;
  readonly warn: string;
  readonly text: string;
  readonly font: string;
  /** of groups and notes */
  readonly layout: Readonly<Record<LayoutColour, string>>;
}

/** Reads them where the drawing stands. */
export function inksOf(element: Element): Inks {
  const style = getComputedStyle(element);
  const token = (name: string): string => style.getPropertyValue(name).trim();
  return {
    system: token('--system'),
    interaction: token('--interaction'),
    surface: token('--surface-raised'),
    border: token('--border-strong'),
    line: token('--border-strong'),
    accent: token('--accent'),
    bad: token('--bad'),
    warn: token('--warn'),
    text: token('--text'),
    font: token('--font-ui'),
    layout: Object.fromEntries(
      LAYOUT_COLOURS.map((colour) => [colour, token(`--layout-${colour}`)]),
    ) as Inks['layout'],
  };
}

export interface GraphDrawing {
  readonly scene: GraphScene;
  readonly view: View;
  /** nodes that are cards, and not drawn here */
  readonly cards: ReadonlySet<string>;
  readonly selected: ReadonlySet<string>;
  /** nodes that are being dragged */
  readonly moving: ReadonlySet<string>;
  /** where they have been dragged to, relative to their places */
  readonly shift: { readonly x: number; readonly y: number };
  /** colour of a node in place of that of its kind */
  readonly colourOf?: (id: string) => string | undefined;
  /** words of components, which have room, and how large they are */
  readonly words: Words;
  readonly inks: Inks;
}

const portOf = ({ x, y, width, height }: Rectangle, side: CardSide): [number, number] => {
  switch (side) {
    case 'left':
      return [x, y + 0.5 * height];
    case 'right':
      return [x + width, y + 0.5 * height];
    case 'top':
      return [x + 0.5 * width, y];
    case 'bottom':
      return [x + 0.5 * width, y + height];
  }
};

const BENDS: Readonly<Record<CardSide, readonly [number, number]>> = {
  left: [-1, 0],
  right: [1, 0],
  top: [0, -1],
  bottom: [0, 1],
};

function trace(ctx: CanvasRenderingContext2D, from: Rectangle, to: Rectangle, isStraight: boolean): void {
  const [out, into] = facing(from, to);
  const [x0, y0] = portOf(from, out);
  const [x1, y1] = portOf(to, into);
  ctx.moveTo(x0, y0);
  if (isStraight) {
    ctx.lineTo(x1, y1);
    return;
  }
  const reach = 0.5 * Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0));
  const [a, b] = [BENDS[out], BENDS[into]];
  ctx.bezierCurveTo(x0 + reach * a[0], y0 + reach * a[1], x1 + reach * b[0], y1 + reach * b[1], x1, y1);
}

function drawLinks(
  ctx: CanvasRenderingContext2D,
  drawing: GraphDrawing,
  at: (n: SceneNode) => Rectangle,
): void {
  const { scene, view, cards, inks } = drawing;
  const area = around(seenBy(view));
  const isStraight = detailAt(view.zoom) === 'plain';
  const lists = [
    { links: scene.links.filter((link) => !link.isMissing), ink: inks.line, dash: [] },
    { links: scene.links.filter((link) => link.isMissing), ink: inks.bad, dash: [6, 5] },
    { links: scene.signals, ink: inks.system, dash: [3, 4] },
  ];
  for (const { links, ink, dash } of lists) {
    ctx.beginPath();
    for (const link of links) {
      if (cards.has(link.source) && cards.has(link.target)) continue;
      const from = scene.byId.get(link.source);
      const to = scene.byId.get(link.target);
      if (from === undefined || to === undefined) continue;
      const [a, b] = [at(from), at(to)];
      const x = Math.min(a.x, b.x);
      const y = Math.min(a.y, b.y);
      const box = {
        x,
        y,
        width: Math.max(a.x, b.x) + a.width - x,
        height: Math.max(a.y, b.y) + a.height - y,
      };
      if (rectanglesOverlap(box, area)) trace(ctx, a, b, isStraight);
    }
    ctx.strokeStyle = ink;
    ctx.setLineDash(dash);
    ctx.lineWidth = Math.max(1.6, 0.8 / view.zoom);
    ctx.stroke();
  }
  ctx.setLineDash([]);
}

const wordsOf = ({ id, group, note }: SceneNode): string =>
  group?.name ?? (note === undefined ? id : noteTitle(note.text));

/** Width of a bold letter as a share of its size. */
const LETTER = 0.6;
/** Fewer letters of a longer name say nothing. */
const FEWEST = 5;

/**
 * A name as large as it can be read in a box: whole, else its end, by which names of one kind differ.
 * @param sizes least and largest of its letters on the screen, px
 * @returns null where it has no room
 */
function fitted(
  name: string,
  { width, height }: { width: number; height: number },
  [least, most]: readonly [number, number],
  zoom: number,
): { text: string; size: number } | null {
  const size = Math.min(0.7 * height, most / zoom, Math.max(least / zoom, width / (LETTER * name.length)));
  if (size * zoom < least) return null;
  const letters = Math.floor(width / (LETTER * size));
  if (name.length <= letters) return { text: name, size };
  return letters < FEWEST ? null : { text: `…${name.slice(1 - letters)}`, size };
}

/** Frames of groups, with their names in a size that can be read. */
function drawFrames(
  ctx: CanvasRenderingContext2D,
  drawing: GraphDrawing,
  at: (n: SceneNode) => Rectangle,
): void {
  const { scene, view, cards, selected, inks } = drawing;
  const area = seenBy(view);
  ctx.textBaseline = 'bottom';
  for (const node of scene.nodes) {
    if (node.kind !== 'frame') continue;
    const { x, y, width, height } = at(node);
    if (cards.has(node.id) || !rectanglesOverlap({ x, y, width, height }, area)) continue;
    const tone = inks.layout[node.group?.colour ?? 'grey'];
    ctx.fillStyle = tone;
    ctx.globalAlpha = 0.1;
    ctx.fillRect(x, y, width, height);
    ctx.globalAlpha = 1;
    ctx.strokeStyle = selected.has(node.id) ? inks.accent : tone;
    ctx.lineWidth = (selected.has(node.id) ? 3 : 1.5) / view.zoom;
    ctx.strokeRect(x, y, width, height);
    ctx.fillStyle = inks.text;
    const word = fitted(wordsOf(node), { width: width - 24, height }, [10, 13], view.zoom);
    if (word === null) continue;
    ctx.font = `600 ${word.size}px ${inks.font}`;
    ctx.fillText(word.text, x + 12, y + Math.max(FRAME_HEAD, 1.2 * word.size));
  }
}

function toneOf({ kind, id, group, note }: SceneNode, { inks, colourOf }: GraphDrawing): string {
  if (group !== undefined) return inks.layout[group.colour ?? 'grey'];
  if (note !== undefined) return inks.layout[note.colour ?? 'yellow'];
  return (
    colourOf?.(id) ??
    (kind === 'missing' ? inks.bad : kind === 'interaction' ? inks.interaction : inks.system)
  );
}

const paths = new Map<string, Path2D>();

/** Lines of symbols: there are few, drawn in every frame. */
function pathOf(line: string): Path2D {
  let path = paths.get(line);
  if (path === undefined) paths.set(line, (path = new Path2D(line)));
  return path;
}

/** A symbol that is too far away for a node of its own, with its name as long as that can be read. */
function drawComponent(
  ctx: CanvasRenderingContext2D,
  { view, selected, inks, words }: GraphDrawing,
  { id, component, state }: SceneNode,
  { x, y, width, height }: Rectangle,
): void {
  if (component === undefined) return;
  const { definition, place } = component;
  const ink = selected.has(id)
    ? inks.accent
    : state === 'error'
      ? inks.bad
      : state === 'warning'
        ? inks.warn
        : inks.text;
  ctx.save();
  ctx.translate(x + 0.5 * width, y + 0.5 * height);
  ctx.strokeStyle = ink;
  ctx.fillStyle = ink;
  ctx.save();
  ctx.rotate((Math.PI / 2) * (place.turns ?? 0));
  if (place.mirrored === true) ctx.scale(-1, 1);
  ctx.lineWidth = Math.max(1.8, 1.1 / view.zoom);
  for (const line of definition?.symbol?.lines ?? []) ctx.stroke(pathOf(line));
  for (const area of definition?.symbol?.areas ?? []) ctx.fill(pathOf(area));
  ctx.restore();
  const hasRoom = words.shown?.has(id) ?? true;
  if (hasRoom && (definition === undefined || isNamedThere(definition) || isOwn(definition.type))) {
    ctx.fillStyle = inks.text;
    ctx.font = `600 ${words.size}px ${inks.font}`;
    const half = halfSize(definition, place);
    const { anchor, name } = wordPlaces(half, half.x + 8, words.size, !words.hasValues);
    ctx.textAlign = anchor === 'middle' ? 'center' : 'left';
    ctx.textBaseline = 'alphabetic';
    ctx.fillText(portNamed(id) ?? id, name.x, name.y);
  }
  ctx.restore();
}

function drawNodes(
  ctx: CanvasRenderingContext2D,
  drawing: GraphDrawing,
  at: (n: SceneNode) => Rectangle,
): void {
  const { scene, view, cards, selected, inks } = drawing;
  const area = seenBy(view);
  const isPlain = detailAt(view.zoom) === 'plain';
  for (const node of scene.nodes) {
    const box = at(node);
    if (node.kind === 'frame' || cards.has(node.id) || !rectanglesOverlap(box, area)) continue;
    if (node.component !== undefined) {
      drawComponent(ctx, drawing, node, box);
      continue;
    }
    const { x, y, width, height } = box;
    const tone = toneOf(node, drawing);
    ctx.fillStyle = isPlain ? tone : inks.surface;
    ctx.fillRect(x, y, width, height);
    const isMarked = selected.has(node.id) || node.state !== 'good';
    if (!isPlain || isMarked) {
      ctx.strokeStyle = selected.has(node.id)
        ? inks.accent
        : node.state === 'error'
          ? inks.bad
          : node.state === 'warning'
            ? inks.warn
            : tone;
      ctx.lineWidth = isMarked ? 3 / view.zoom : 1.5;
      ctx.strokeRect(x, y, width, height);
    }
    const word = fitted(wordsOf(node), { width: width - 20, height }, [9, 13], view.zoom);
    if (word === null) continue;
    ctx.font = `600 ${word.size}px ${inks.font}`;
    ctx.textAlign = 'center';
    ctx.textBaseline = 'middle';
    ctx.fillStyle = isPlain ? inks.surface : inks.text;
    ctx.fillText(word.text, x + 0.5 * width, y + 0.5 * height);
    ctx.textAlign = 'left';
  }
}

/** Draws everything that is not a card. @param ratio device pixels of a CSS pixel */
export function drawScene(ctx: CanvasRenderingContext2D, drawing: GraphDrawing, ratio: number): void {
  const { scene, view, shift, moving, cards } = drawing;
  ctx.setTransform(1, 0, 0, 1, 0, 0);
  ctx.clearRect(0, 0, ctx.canvas.width, ctx.canvas.height);
  if (cards.size === scene.nodes.length) return;
  ctx.setTransform(ratio * view.zoom, 0, 0, ratio * view.zoom, ratio * view.x, ratio * view.y);
  const isShifted = shift.x !== 0 || shift.y !== 0;
  const at = (node: SceneNode): Rectangle =>
    isShifted && moving.has(node.id)
      ? { x: node.x + shift.x, y: node.y + shift.y, width: node.width, height: node.height }
      : node;
  drawFrames(ctx, drawing, at);
  drawLinks(ctx, drawing, at);
  drawNodes(ctx, drawing, at);
}

/** The node drawn at a point, not among the cards; the one in front first. */
export function drawnAt(
  scene: GraphScene,
  cards: ReadonlySet<string>,
  point: { readonly x: number; readonly y: number },
): SceneNode | null {
  const spot = { ...point, width: 0, height: 0 };
  // Of a frame only the strip of its name is taken hold of: what it encloses is the drawing.
  const hit = (node: SceneNode): Rectangle =>
    node.kind === 'frame' ? { ...node, height: FRAME_HEAD } : node;
  for (let i = scene.nodes.length - 1; i >= 0; i--) {
    const node = scene.nodes[i];
    if (node !== undefined && rectanglesOverlap(hit(node), spot) && !cards.has(node.id)) return node;
  }
  return null;
}
