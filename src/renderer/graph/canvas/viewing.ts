/** What of a scene is drawn how: cards for what is looked at closely, plain shapes for the rest. Pure. */
import { rectanglesOverlap, type Rectangle } from '../frames/rectangles';
import type { GraphScene } from './scene';

/** How much of a card is drawn. */
export type Detail = 'full' | 'name' | 'plain';

/** From this zoom on cards are drawn in full. */
const FULL_FROM = 0.52;
/** Names are read from this zoom on. */
const NAMES_FROM = 0.28;
/** More cards at once make panning slow. */
const MOST_CARDS = 110;
/** Fewer are drawn as cards however far away, so that each can be reached as what it is. */
export const ALWAYS_CARDS = 40;
/** What lies so far outside, as share of the view, is made ready. */
const MARGIN = 0.3;

export const detailAt = (zoom: number): Detail =>
  zoom >= FULL_FROM ? 'full' : zoom >= NAMES_FROM ? 'name' : 'plain';

export interface View {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
  /** of the pane, px */
  readonly width: number;
  readonly height: number;
}

/** The part of the drawing that a view shows. */
export const seenBy = ({ x, y, zoom, width, height }: View): Rectangle => ({
  x: -x / zoom,
  y: -y / zoom,
  width: width / zoom,
  height: height / zoom,
});

/** The same with what is made ready around it. */
export function around({ x, y, width, height }: Rectangle): Rectangle {
  return {
    x: x - MARGIN * width,
    y: y - MARGIN * height,
    width: (1 + 2 * MARGIN) * width,
    height: (1 + 2 * MARGIN) * height,
  };
}

/**
 * Ids of the nodes that are drawn as cards.
 * @param area part of the drawing, with what is made ready
 * @param pinned always among them: what has the focus or is being dragged
 */
export function cardsIn(
  scene: GraphScene,
  area: Rectangle,
  detail: Detail,
  pinned: Iterable<string> = [],
): Set<string> {
  const ids = new Set<string>();
  if (scene.nodes.length <= ALWAYS_CARDS) for (const { id } of scene.nodes) ids.add(id);
  else {
    for (const node of scene.nodes) if (rectanglesOverlap(node, area)) ids.add(node.id);
    if (ids.size > ALWAYS_CARDS && (detail === 'plain' || ids.size > MOST_CARDS)) ids.clear();
    else withNeighbours(scene, ids);
  }
  for (const id of pinned) if (scene.byId.has(id)) ids.add(id);
  return ids;
}

/** Adds what is linked, so that edges that lead out of the view can be taken hold of. */
function withNeighbours(scene: GraphScene, ids: Set<string>): void {
  const most = ids.size + MOST_CARDS / 2;
  for (const id of [...ids])
    for (const { source, target } of scene.linksOf.get(id) ?? []) {
      if (ids.size >= most) return;
      ids.add(source);
      ids.add(target);
    }
}
