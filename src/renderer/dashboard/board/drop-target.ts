/** Where a panel that is dragged would stand: pure. */
import { type LayoutBox, placementOf, type PlacedTabs, type ShownLayout } from '@figures/dashboard-layout';
import { type PaneSide, tabAt, type Target, withView } from '../../document/dashboards';

/** So near to the side of everything, a panel takes the whole side, px. */
const EDGE = 18;
/** Part of a panel at each of its sides that means beside it; the middle means a tab. */
const RIM = 0.28;

export interface Drop {
  target: Target;
  /** what the panel would cover, as fractions of the board */
  box: LayoutBox;
}

/** The side of a panel that a point is nearest to, and how near, as a fraction of the panel. */
function nearest(x: number, y: number): { side: PaneSide; distance: number } {
  const distances: readonly { side: PaneSide; distance: number }[] = [
    { side: 'left', distance: x },
    { side: 'right', distance: 1 - x },
    { side: 'up', distance: y },
    { side: 'down', distance: 1 - y },
  ];
  return distances.reduce((best, one) => (one.distance < best.distance ? one : best));
}

/** What a point of the board means; null outside of it, and where the panel stands already. */
function targetAt(
  places: readonly PlacedTabs[],
  dragged: string,
  { x, y }: { x: number; y: number },
  { width, height }: { width: number; height: number },
  header: number,
): Target | null {
  const place = places.find(
    (one) =>
      x >= one.left * width &&
      x <= (one.left + one.width) * width &&
      y >= one.top * height &&
      y <= (one.top + one.height) * height,
  );
  if (place === undefined) return null;
  const edges: readonly { side: PaneSide; distance: number }[] = [
    { side: 'left', distance: x },
    { side: 'right', distance: width - x },
    { side: 'down', distance: height - y },
  ];
  const edge = edges.find(({ distance }) => distance < EDGE);
  if (edge !== undefined && places.length > 1) return { kind: 'edge', side: edge.side };
  const isOwn = place.tabs.includes(dragged);
  if (isOwn && place.tabs.length === 1) return null;
  const down = y - place.top * height;
  const near = nearest((x - place.left * width) / (place.width * width), down / (place.height * height));
  if (down < header || near.distance > RIM) return isOwn ? null : { kind: 'tab', view: place.active };
  return { kind: 'beside', view: isOwn ? dragged : place.active, side: near.side };
}

/**
 * @param at the pointer, px from the upper left corner of the board
 * @param size of the board, px
 * @param header height of the bar or header of a panel, whose whole width means a tab, px
 */
export function dropAt(
  layout: ShownLayout | null,
  dragged: string,
  at: { x: number; y: number },
  size: { width: number; height: number },
  header: number,
): Drop | null {
  const target = targetAt(placementOf(layout).places, dragged, at, size, header);
  return target === null ? null : dropOf(layout, dragged, target);
}

/** The drop of a panel on the tab of another one: it takes the place of that tab. Null on its own. */
export function dropOnTab(layout: ShownLayout | null, dragged: string, tab: string): Drop | null {
  const place = placementOf(layout).places.find(({ tabs }) => tabs.includes(tab));
  if (place === undefined || tab === dragged) return null;
  return dropOf(layout, dragged, tabAt(place.tabs, dragged, tab));
}

function dropOf(layout: ShownLayout | null, dragged: string, target: Target): Drop | null {
  const { places } = placementOf(withView(layout, dragged, target));
  const box = places.find(({ tabs }) => tabs.includes(dragged));
  return box === undefined ? null : { target, box };
}
