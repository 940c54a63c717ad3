/**
 * Where the views of a document stand: pure, so that the window, pictures of a whole dashboard and the
 * command line place them alike. Documents may say anything here; what cannot be meant is left out, and no
 * view is lost.
 */
import type { DashboardDocument, DashboardLayout, DashboardTabs, ViewDocument } from '@engine/document/types';

/** A layout as it is drawn: each part has its size, each place a view that is seen. */
export type ShownLayout =
  | { split: 'horizontal' | 'vertical'; children: ShownLayout[]; sizes: number[] }
  | { tabs: string[]; active: string };

export interface ShownDashboard {
  id: string;
  title?: string | undefined;
  /** null: it has no views */
  layout: ShownLayout | null;
}

/** Height that a view takes relative to that of curves. */
export type ShareOf = (view: ViewDocument) => number;

/** Of the dashboard of a document that has none. */
export const FIRST_DASHBOARD = 'dashboard';

/** Deeper splits are not followed. */
const MOST_DEPTH = 12;

type Loose = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isSize = (value: unknown): value is number =>
  typeof value === 'number' && value > 0 && Number.isFinite(value);

/** Shares that add up to 1. */
export function normalised(sizes: readonly number[]): number[] {
  const sum = sizes.reduce((all, size) => all + size, 0);
  return sizes.map((size) => size / sum);
}

/** Views one below the other, each with its share of the height. */
function stacked(views: readonly ViewDocument[], shareOf: ShareOf): ShownLayout | null {
  const leaves = views.map(({ id }): ShownLayout => ({ tabs: [id], active: id }));
  if (leaves.length < 2) return leaves[0] ?? null;
  return { split: 'vertical', children: leaves, sizes: normalised(views.map(shareOf)) };
}

/**
 * The layout without what is unknown or stands elsewhere; splits of one part are that part.
 * @param left views that may still be placed
 */
function sound(node: unknown, left: Set<string>, depth: number): ShownLayout | null {
  if (!isObject(node) || depth > MOST_DEPTH) return null;
  if (Array.isArray(node['tabs'])) {
    const tabs = node['tabs'].filter((id): id is string => typeof id === 'string' && left.delete(id));
    const [first] = tabs;
    if (first === undefined) return null;
    const { active } = node;
    return { tabs, active: typeof active === 'string' && tabs.includes(active) ? active : first };
  }
  const { split, children, sizes } = node;
  if (!Array.isArray(children)) return null;
  const given =
    Array.isArray(sizes) && sizes.length === children.length && sizes.every(isSize) ? sizes : null;
  const parts = children.flatMap((child, k) => {
    const part = sound(child, left, depth + 1);
    return part === null ? [] : [{ part, size: given?.[k] ?? 1 }];
  });
  if (parts.length < 2) return parts[0]?.part ?? null;
  return {
    split: split === 'horizontal' ? 'horizontal' : 'vertical',
    children: parts.map(({ part }) => part),
    sizes: normalised(parts.map(({ size }) => size)),
  };
}

/** A further part at the bottom, as high as the others are on average. */
export function withBelow(layout: ShownLayout | null, added: ShownLayout): ShownLayout {
  if (layout === null) return added;
  if (!('split' in layout) || layout.split === 'horizontal')
    return { split: 'vertical', children: [layout, added], sizes: [0.5, 0.5] };
  const size = 1 / layout.children.length;
  return {
    split: 'vertical',
    children: [...layout.children, added],
    sizes: normalised([...layout.sizes, size]),
  };
}

/** The dashboards as they are shown: each view once, those that none names below in the last one. */
export function shownDashboards(
  views: readonly ViewDocument[],
  dashboards: readonly DashboardDocument[] | undefined,
  shareOf: ShareOf,
): ShownDashboard[] {
  if (!Array.isArray(dashboards) || dashboards.length === 0)
    return [{ id: FIRST_DASHBOARD, layout: stacked(views, shareOf) }];
  const left = new Set(views.map(({ id }) => id));
  const ids = new Set<unknown>();
  const shown = (dashboards as readonly DashboardDocument[])
    .filter((one) => isObject(one) && typeof one.id === 'string' && !ids.has(one.id) && ids.add(one.id))
    .map(({ id, title, layout }): ShownDashboard => ({ id, title, layout: sound(layout, left, 0) }));
  const last = shown.at(-1);
  if (last === undefined) return shownDashboards(views, undefined, shareOf);
  for (const { id } of views)
    if (left.delete(id)) last.layout = withBelow(last.layout, { tabs: [id], active: id });
  return shown;
}

/** Ids of the views of a layout, in reading order. */
export function viewsIn(layout: ShownLayout | DashboardLayout | null | undefined): string[] {
  if (layout === null || layout === undefined) return [];
  return 'tabs' in layout ? layout.tabs : layout.children.flatMap(viewsIn);
}

/** A part of the whole, as fractions of its sides. */
export interface LayoutBox {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** A place with its views, of which one is seen. */
export interface PlacedTabs extends LayoutBox, Readonly<DashboardTabs> {
  active: string;
}

/** The border between two parts of a split. */
export interface PlacedBorder extends LayoutBox {
  /** from the root to the split: places among children */
  path: readonly number[];
  /** of the part before it */
  index: number;
  split: 'horizontal' | 'vertical';
  /** what it divides: extent of the split along it */
  extent: number;
}

export interface Placement {
  places: PlacedTabs[];
  borders: PlacedBorder[];
}

/** Where everything of a layout stands. */
export function placementOf(layout: ShownLayout | null): Placement {
  const placement: Placement = { places: [], borders: [] };
  const place = (node: ShownLayout, box: LayoutBox, path: readonly number[]): void => {
    if ('tabs' in node) {
      placement.places.push({ ...box, tabs: node.tabs, active: node.active });
      return;
    }
    const isBeside = node.split === 'horizontal';
    const extent = isBeside ? box.width : box.height;
    let before = 0;
    node.children.forEach((child, index) => {
      const share = node.sizes[index] ?? 0;
      const start = (isBeside ? box.left : box.top) + before * extent;
      const part = isBeside
        ? { ...box, left: start, width: share * extent }
        : { ...box, top: start, height: share * extent };
      if (index > 0)
        placement.borders.push({
          ...part,
          ...(isBeside ? { width: 0 } : { height: 0 }),
          path,
          index: index - 1,
          split: node.split,
          extent,
        });
      place(child, part, [...path, index]);
      before += share;
    });
  };
  if (layout !== null) place(layout, { left: 0, top: 0, width: 1, height: 1 }, []);
  return placement;
}

/**
 * Height below which a layout is not pressed: what stands below each other adds up.
 * @param least of a view, px
 */
export function leastHeight(layout: ShownLayout | null, least: (viewId: string) => number): number {
  if (layout === null) return 0;
  if ('tabs' in layout) return Math.max(...layout.tabs.map(least));
  const heights = layout.children.map((child) => leastHeight(child, least));
  return layout.split === 'vertical'
    ? heights.reduce((sum, height) => sum + height, 0)
    : Math.max(...heights);
}
