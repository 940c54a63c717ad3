/** Moves chosen nodes in step: alignment, even distances, and single steps. */
import { text, type TextKey } from '../../i18n';
import { moveNodes } from '../editing/edits';
import { useCircuitStore } from '../circuit/circuit-store';
import { useGraphStore } from '../graph-store';
import type { Point } from './layout';
import { useNodePlaces } from './node-places';
import { boundsOf, type Rectangle } from '../frames/rectangles';
import { buildScene, isMovableCard } from '../canvas/scene';
import { documentId, groupNode } from '../frames/frames';
import { useDrawingStore } from '../../stores/drawing';

export type Alignment = 'left' | 'centre' | 'right' | 'top' | 'middle' | 'bottom';

export interface Placed extends Rectangle {
  readonly id: string;
}

/** Places of rectangles with one edge, or the middle, on a line. Pure. */
export function aligned(nodes: readonly Placed[], way: Alignment): Record<string, Point> {
  const box = boundsOf(nodes);
  return Object.fromEntries(
    nodes.map(({ id, x, y, width, height }): [string, Point] => {
      switch (way) {
        case 'left':
          return [id, { x: box.x, y }];
        case 'centre':
          return [id, { x: box.x + 0.5 * (box.width - width), y }];
        case 'right':
          return [id, { x: box.x + box.width - width, y }];
        case 'top':
          return [id, { x, y: box.y }];
        case 'middle':
          return [id, { x, y: box.y + 0.5 * (box.height - height) }];
        case 'bottom':
          return [id, { x, y: box.y + box.height - height }];
      }
    }),
  );
}

/** Places of rectangles with the same room between each and the next; the outermost two stay. Pure. */
export function distributed(nodes: readonly Placed[], along: 'x' | 'y'): Record<string, Point> {
  const size = along === 'x' ? 'width' : 'height';
  const sorted = [...nodes].sort((a, b) => a[along] - b[along]);
  const [first] = sorted;
  const last = sorted.at(-1);
  if (first === undefined || last === undefined || sorted.length < 3) return {};
  const room = last[along] + last[size] - first[along] - sorted.reduce((sum, node) => sum + node[size], 0);
  const gap = room / (sorted.length - 1);
  const places: Record<string, Point> = {};
  let at = first[along];
  for (const node of sorted) {
    places[node.id] = { x: node.x, y: node.y, [along]: at };
    at += node[size] + gap;
  }
  return places;
}

/** The chosen nodes that may be moved, with their places. */
function chosenPlaces(): Placed[] {
  const { chosen } = useGraphStore();
  const places = useNodePlaces();
  const { layout } = useDrawingStore().model;
  const { byId } = buildScene(
    places.drawn,
    useDrawingStore().report,
    places.positions,
    layout,
    useCircuitStore().components,
  );
  const groups = (layout.groups ?? []).filter(({ id }) => chosen.has(groupNode(id)));
  const carried = new Set(groups.flatMap(({ members }) => members));
  return [...chosen].flatMap((id): Placed[] => {
    const node = byId.get(id);
    // Members go where their group goes.
    if (node === undefined || !isMovableCard(node) || carried.has(documentId(id))) return [];
    const { x, y, width, height } = node;
    return [{ id, x, y, width, height }];
  });
}

export function align(way: Alignment): void {
  const key: TextKey = `graphEditor.align.${way}`;
  moveNodes(aligned(chosenPlaces(), way), undefined, text(key));
}

export function distribute(along: 'x' | 'y'): void {
  const key: TextKey = `graphEditor.distribute.${along}`;
  moveNodes(distributed(chosenPlaces(), along), undefined, text(key));
}

/** Step of an arrow key, px, and with Shift. */
const STEP = 10;
const FINE_STEP = 2;
/** Components stay on their grid. */
const COMPONENT_STEP = 20;

/** Moves what is chosen by one step; steps in quick succession are undone together. */
export function nudge(way: Point, isFine: boolean): void {
  const nodes = chosenPlaces();
  if (nodes.length === 0) return;
  const { components } = useCircuitStore();
  const isCircuit = nodes.some(({ id }) => components.has(id));
  const step = isCircuit ? COMPONENT_STEP : isFine ? FINE_STEP : STEP;
  const moved = nodes.map(({ id, x, y }): [string, Point] => [
    id,
    { x: x + way.x * step, y: y + way.y * step },
  ]);
  const ids = nodes.map(({ id }) => id);
  moveNodes(Object.fromEntries(moved), `move:${ids.join(',')}`);
}
