/** Positions for nodes the author has not placed. */
import { Graph, layout } from '@dagrejs/dagre';
import { rankedLayout, type Sized } from './ranks';
import { boundsOf, type Point, type Rectangle } from '../frames/rectangles';
import { FRAME_HEAD, FRAME_ROOM, groupNode } from '../nodes/group-node';

export type { Point } from '../frames/rectangles';

/** Size every node card is drawn with, px. */
export const NODE_SIZE = { width: 196, height: 76 } as const;

/** Room between the columns of the layout, px. */
const RANK_GAP = 84;

/** Links of an interaction with more than this are not drawn: the fan of lines would be unreadable. */
export const MOST_LINKS = 48;
/** Systems without a line, if there are more, stand in a block below the others. */
const MOST_LOOSE = 8;

/** What a layout needs to know of elements. */
export interface LaidOutElements {
  readonly systems: readonly { readonly id: string }[];
  readonly interactions: readonly { readonly id: string; readonly systems: readonly string[] }[];
  /** elements that stay together */
  readonly groups?: readonly GroupExtent[];
}

/** A group as a layout sees it. */
export interface GroupExtent {
  readonly id: string;
  readonly members: readonly string[];
  readonly collapsed: boolean;
}

type Interaction = LaidOutElements['interactions'][number];

/**
 * Links as arrows of the drawing: first system → interaction → second system, so that chains read as chains.
 */
function arrows(interaction: Interaction): [string, string][] {
  if (interaction.systems.length > MOST_LINKS) return [];
  return interaction.systems.map((system, index) =>
    index === 0 ? [system, interaction.id] : [interaction.id, system],
  );
}

/** Room between the bands of a folded layout, px. */
const BAND_GAP = 60;
/** Width to height a folded layout aims at: that of the pane it is shown in. */
const ASPECT = 1.7;
/** A layout wider than this many times its height is folded. */
const WIDEST = 6;

/**
 * Folds a long chain into bands, every second one from right to left, so that it can be read at one look.
 * Layouts of ordinary shape stay as they are.
 */
function folded(positions: Record<string, Point>): Record<string, Point> {
  const points = Object.values(positions);
  const width = Math.max(...points.map((point) => point.x)) + NODE_SIZE.width;
  const height = Math.max(...points.map((point) => point.y)) + NODE_SIZE.height;
  if (points.length === 0 || width < WIDEST * Math.max(height, 3 * NODE_SIZE.height)) return positions;
  const bands = Math.max(2, Math.round(Math.sqrt(width / (ASPECT * (height + BAND_GAP)))));
  const pitch = NODE_SIZE.width + RANK_GAP;
  const columns = Math.ceil((width + RANK_GAP) / pitch / bands);
  const next: Record<string, Point> = {};
  for (const [id, { x, y }] of Object.entries(positions)) {
    const column = Math.round(x / pitch);
    const band = Math.floor(column / columns);
    const place = column % columns;
    next[id] = {
      x: (band % 2 === 0 ? place : columns - 1 - place) * pitch,
      y: y + band * (height + BAND_GAP),
    };
  }
  return next;
}

/** Room between the rows of a block, px. */
const ROW_GAP = 36;

/** Systems in rows below what is placed already. */
function placeBlock(ids: readonly string[], positions: Record<string, Point>): void {
  const pitch = { x: NODE_SIZE.width + RANK_GAP / 2, y: NODE_SIZE.height + ROW_GAP };
  const columns = Math.max(1, Math.round(Math.sqrt((ids.length * ASPECT * pitch.y) / pitch.x)));
  const bottom = Math.max(0, ...Object.values(positions).map(({ y }) => y + NODE_SIZE.height + BAND_GAP));
  ids.forEach((id, i) => {
    positions[id] = { x: (i % columns) * pitch.x, y: bottom + Math.floor(i / columns) * pitch.y };
  });
}

/**
 * The elements in an order that keeps linked ones together, in rows of which every second runs backwards. For
 * any number of them.
 */
export function gridLayout(elements: LaidOutElements): Record<string, Point> {
  const order = linkOrder(elements);
  const pitch = { x: NODE_SIZE.width + RANK_GAP / 2, y: NODE_SIZE.height + ROW_GAP };
  const columns = Math.max(1, Math.round(Math.sqrt((order.length * ASPECT * pitch.y) / pitch.x)));
  const positions: Record<string, Point> = {};
  order.forEach((id, i) => {
    const row = Math.floor(i / columns);
    const place = i % columns;
    positions[id] = { x: (row % 2 === 0 ? place : columns - 1 - place) * pitch.x, y: row * pitch.y };
  });
  return positions;
}

/** Ids of all elements, each followed by what it is linked to. */
function linkOrder({ systems, interactions }: LaidOutElements): string[] {
  const neighbours = new Map<string, string[]>([...systems, ...interactions].map(({ id }) => [id, []]));
  for (const { id, systems: linked } of interactions) {
    if (linked.length > MOST_LINKS) continue;
    for (const system of linked) {
      neighbours.get(system)?.push(id);
      if (neighbours.has(system)) neighbours.get(id)?.push(system);
    }
  }
  const seen = new Set<string>();
  const order: string[] = [];
  for (const start of neighbours.keys()) {
    const stack = [start];
    for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
      if (seen.has(id)) continue;
      seen.add(id);
      order.push(id);
      stack.push(...(neighbours.get(id) ?? []).filter((other) => !seen.has(other)).reverse());
    }
  }
  return order;
}

/** Layered layout of all elements, left to right, those of a group together. */
export function layeredLayout(elements: LaidOutElements): Record<string, Point> {
  const { systems, interactions, groups = [] } = elements;
  if (groups.length > 0) return groupedLayout(elements, groups);
  const joined = new Set(interactions.flatMap(arrows).flat());
  const loose = systems.filter(({ id }) => !joined.has(id)).map(({ id }) => id);
  const block = new Set(loose.length > MOST_LOOSE ? loose : []);
  const layered = layers({ systems: systems.filter(({ id }) => !block.has(id)), interactions });
  if (block.size > 0) placeBlock(loose, layered);
  return layered;
}

function layers({ systems, interactions }: LaidOutElements): Record<string, Point> {
  const nodes = [...systems, ...interactions].map(({ id }) => ({ id, ...NODE_SIZE }));
  return folded(inLayers(nodes, interactions.flatMap(arrows)));
}

/**
 * More nodes than this are laid out without the recursion of the library, which would be slow and run out of
 * stack.
 */
const MOST_RECURSIVE = 600;
const NODE_GAP = 36;

/** Upper left corners of nodes in layers. */
function inLayers(
  nodes: readonly Sized[],
  links: readonly (readonly [string, string])[],
): Record<string, Point> {
  const ranked = (): Record<string, Point> => rankedLayout(nodes, links, { x: RANK_GAP, y: NODE_GAP });
  if (nodes.length > MOST_RECURSIVE) return ranked();
  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: NODE_GAP, ranksep: RANK_GAP, marginx: 0, marginy: 0 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, width, height } of nodes) graph.setNode(id, { width, height });
  for (const [from, to] of links) if (graph.hasNode(from) && graph.hasNode(to)) graph.setEdge(from, to);
  try {
    layout(graph);
  } catch (error) {
    // How deep it may go depends on the machine.
    if (error instanceof RangeError) return ranked();
    throw error;
  }
  const positions: Record<string, Point> = {};
  for (const { id, width, height } of nodes) {
    const node = graph.node(id) as Point;
    positions[id] = { x: Math.round(node.x - width / 2), y: Math.round(node.y - height / 2) };
  }
  return positions;
}

/** Each group laid out for itself, and then all as blocks. */
function groupedLayout(
  { systems, interactions }: LaidOutElements,
  groups: readonly GroupExtent[],
): Record<string, Point> {
  const known = new Set([...systems, ...interactions].map(({ id }) => id));
  const blockOf = new Map<string, string>();
  const blocks: (Sized & { at: Record<string, Point> })[] = [];
  for (const { id, members, collapsed } of groups) {
    const inside = new Set(members.filter((member) => known.has(member) && !blockOf.has(member)));
    if (inside.size === 0) continue;
    for (const member of inside) blockOf.set(member, groupNode(id));
    const at = layeredLayout({
      systems: systems.filter((system) => inside.has(system.id)),
      interactions: interactions.filter((interaction) => inside.has(interaction.id)),
    });
    const box = boundsOf(Object.values(at).map((place) => ({ ...place, ...NODE_SIZE })));
    const size = collapsed
      ? NODE_SIZE
      : { width: box.width + 2 * FRAME_ROOM, height: box.height + FRAME_HEAD + FRAME_ROOM };
    const corner = collapsed
      ? { x: 0.5 * (NODE_SIZE.width - box.width), y: 0.5 * (NODE_SIZE.height - box.height) }
      : { x: FRAME_ROOM, y: FRAME_HEAD };
    for (const place of Object.values(at)) {
      place.x += corner.x - box.x;
      place.y += corner.y - box.y;
    }
    blocks.push({ id: groupNode(id), ...size, at });
  }
  const single = [...systems, ...interactions].filter(({ id }) => !blockOf.has(id));
  const ends = interactions
    .flatMap(arrows)
    .map(([from, to]): [string, string] => [blockOf.get(from) ?? from, blockOf.get(to) ?? to]);
  const positions = inLayers(
    [...single.map(({ id }) => ({ id, ...NODE_SIZE })), ...blocks],
    ends.filter(([from, to]) => from !== to),
  );
  for (const { id, at } of blocks) {
    const corner = positions[id] ?? { x: 0, y: 0 };
    delete positions[id];
    for (const [member, { x, y }] of Object.entries(at))
      positions[member] = { x: Math.round(corner.x + x), y: Math.round(corner.y + y) };
  }
  return positions;
}

/** Places computed ones below those of the author. */
export function placedBelow(
  placed: Readonly<Record<string, Point>>,
  computed: Readonly<Record<string, Point>>,
): Record<string, Point> {
  const known = Object.values(placed);
  if (known.length === 0) return { ...computed };
  const left = Math.min(...known.map((point) => point.x));
  const bottom = Math.max(...known.map((point) => point.y)) + NODE_SIZE.height + 40;
  const positions = { ...placed };
  for (const [id, { x, y }] of Object.entries(computed)) positions[id] = { x: left + x, y: bottom + y };
  return positions;
}

/**
 * Positions of all elements of a small drawing: the author's where there are any, computed ones for the rest.
 */
export function nodePositions(
  elements: LaidOutElements,
  placed: Readonly<Record<string, Point>>,
): Record<string, Point> {
  const missing = withoutPlace(elements, placed);
  if (missing === null) return placed;
  return placedBelow(ofElements(elements, placed), layeredLayout(missing));
}

/** The places of elements that exist. */
export function ofElements(
  { systems, interactions }: LaidOutElements,
  placed: Readonly<Record<string, Point>>,
): Record<string, Point> {
  const own: Record<string, Point> = {};
  for (const list of [systems, interactions])
    for (const { id } of list) {
      const place = placed[id];
      if (place !== undefined) own[id] = place;
    }
  return own;
}

/** Elements without a place; null where every one has its own. */
export function withoutPlace(
  { systems, interactions }: LaidOutElements,
  placed: Readonly<Record<string, Point>>,
): LaidOutElements | null {
  const missing = {
    systems: systems.filter(({ id }) => placed[id] === undefined),
    interactions: interactions.filter(({ id }) => placed[id] === undefined),
  };
  return missing.systems.length + missing.interactions.length === 0 ? null : missing;
}

/** A free place to the right of an element, beside or below what stands there already. */
export function rightOf(id: string, positions: Readonly<Record<string, Point>>): Point {
  const origin = positions[id] ?? { x: 0, y: 0 };
  const place = { x: origin.x + NODE_SIZE.width + RANK_GAP, y: origin.y };
  const isInWay = (other: Point): boolean =>
    Math.abs(other.x - place.x) < NODE_SIZE.width && Math.abs(other.y - place.y) < NODE_SIZE.height;
  const others = Object.values(positions);
  for (let hit = others.find(isInWay); hit !== undefined; hit = others.find(isInWay))
    place.y = hit.y + NODE_SIZE.height + 36;
  return place;
}

/**
 * The free place nearest to the middle of an area, all of it inside; null where there is none. For any number
 * of nodes.
 */
export function freeWithin(area: Rectangle, places: Iterable<Point>): Point | null {
  const room = { x: NODE_SIZE.width + ROW_GAP / 2, y: NODE_SIZE.height + ROW_GAP / 2 };
  const step = { x: 0.5 * room.x, y: 0.5 * room.y };
  const free = { x: area.width - NODE_SIZE.width, y: area.height - NODE_SIZE.height };
  const columns = Math.floor(free.x / step.x) + 1;
  const rows = Math.floor(free.y / step.y) + 1;
  if (columns < 1 || rows < 1) return null;
  const first = {
    x: area.x + 0.5 * (free.x - (columns - 1) * step.x),
    y: area.y + 0.5 * (free.y - (rows - 1) * step.y),
  };
  const taken = new Uint8Array(columns * rows);
  for (const { x, y } of places) {
    const [left, right] = [(x - first.x - room.x) / step.x, (x - first.x + room.x) / step.x];
    const [top, bottom] = [(y - first.y - room.y) / step.y, (y - first.y + room.y) / step.y];
    for (let row = Math.max(0, Math.ceil(top)); row <= Math.min(rows - 1, Math.floor(bottom)); row++)
      for (let at = Math.max(0, Math.ceil(left)); at <= Math.min(columns - 1, Math.floor(right)); at++)
        taken[row * columns + at] = 1;
  }
  let best: Point | null = null;
  let least = Infinity;
  for (let row = 0; row < rows; row++)
    for (let at = 0; at < columns; at++) {
      const distance = Math.hypot((at - 0.5 * (columns - 1)) * step.x, (row - 0.5 * (rows - 1)) * step.y);
      if (taken[row * columns + at] === 1 || distance >= least) continue;
      best = { x: Math.round(first.x + at * step.x), y: Math.round(first.y + row * step.y) };
      least = distance;
    }
  return best;
}
