/**
 * Changes of layouts of dashboards: pure, each gives another layout, in which every other view stays where it
 * was.
 */
import {
  normalised,
  type PlacedTabs,
  placementOf,
  type ShownLayout,
  withBelow,
} from '@figures/dashboard-layout';

export const SIDES = ['left', 'right', 'up', 'down'] as const;
export type PaneSide = (typeof SIDES)[number];

/**
 * Where a view may be put: beside the place of another one, into its place as a tab, or at a side of
 * everything.
 */
export type Target =
  | { kind: 'beside'; view: string; side: PaneSide }
  | { kind: 'tab'; view: string; before?: string | undefined }
  | { kind: 'edge'; side: PaneSide };

type Direction = 'horizontal' | 'vertical';
type Split = Extract<ShownLayout, { split: Direction }>;
type Tabs = Extract<ShownLayout, { active: string }>;

interface Part {
  node: ShownLayout;
  size: number;
}

/** Stands for a view that is on its way; no view is called so. */
const GONE = '';

const leaf = (id: string): Tabs => ({ tabs: [id], active: id });
const directionOf = (side: PaneSide): Direction =>
  side === 'left' || side === 'right' ? 'horizontal' : 'vertical';
const isBefore = (side: PaneSide): boolean => side === 'left' || side === 'up';
const partsOf = ({ children, sizes }: Split): Part[] =>
  children.map((node, k) => ({ node, size: sizes[k] ?? 0 }));

/** A split whose parts of its own direction are taken into it; of a single part, that part. */
function joined(split: Direction, parts: readonly Part[]): ShownLayout | null {
  const flat = parts.flatMap(({ node, size }) =>
    'split' in node && node.split === split
      ? partsOf(node).map((part) => ({ ...part, size: part.size * size }))
      : [{ node, size }],
  );
  const [only] = flat;
  if (only === undefined || flat.length === 1) return only?.node ?? null;
  return {
    split,
    children: flat.map(({ node }) => node),
    sizes: normalised(flat.map(({ size }) => size)),
  };
}

/** Two parts, the added one at a side of the other. */
function paired(node: ShownLayout, added: Part, side: PaneSide): ShownLayout {
  const parts = [{ node, size: 1 }, added];
  return joined(directionOf(side), isBefore(side) ? parts.reverse() : parts) ?? node;
}

/** The layout with the place of a view changed. */
function atPlace(layout: ShownLayout, view: string, change: (place: Tabs) => ShownLayout): ShownLayout {
  if ('tabs' in layout) return layout.tabs.includes(view) ? change(layout) : layout;
  const parts = partsOf(layout).map(({ node, size }) => ({ node: atPlace(node, view, change), size }));
  return joined(layout.split, parts) ?? layout;
}

/** The layout without a view; null when nothing is left. Its room goes to the other parts. */
export function without(layout: ShownLayout | null, view: string): ShownLayout | null {
  if (layout === null) return null;
  if ('split' in layout) {
    const parts = partsOf(layout).flatMap(({ node, size }) => {
      const rest = without(node, view);
      return rest === null ? [] : [{ node: rest, size }];
    });
    return joined(layout.split, parts);
  }
  const at = layout.tabs.indexOf(view);
  if (at < 0) return layout;
  const tabs = layout.tabs.filter((id) => id !== view);
  const next = tabs[Math.min(at, tabs.length - 1)];
  return next === undefined ? null : { tabs, active: layout.active === view ? next : layout.active };
}

/** The layout in which a view stands in the place of another one. */
const renamed = (layout: ShownLayout, from: string, to: string): ShownLayout =>
  atPlace(layout, from, ({ tabs, active }) => ({
    tabs: tabs.map((id) => (id === from ? to : id)),
    active: active === from ? to : active,
  }));

/** The views of the place of a view; itself alone where it has none. */
function tabsAround(layout: ShownLayout | null, view: string): readonly string[] {
  return placementOf(layout).places.find(({ tabs }) => tabs.includes(view))?.tabs ?? [view];
}

/** A list with a name before another one, at the end where there is none. */
function inserted(list: readonly string[], name: string, before: string | undefined): string[] {
  const at = before === undefined ? -1 : list.indexOf(before);
  return at < 0 ? [...list, name] : list.toSpliced(at, 0, name);
}

/**
 * Where a tab is put that takes the place of another one: before it, behind it when it comes from before it.
 */
export function tabAt(tabs: readonly string[], view: string, other: string): Target {
  const [from, to] = [tabs.indexOf(view), tabs.indexOf(other)];
  return { kind: 'tab', view: other, before: from >= 0 && from < to ? tabs[to + 1] : other };
}

/** The layout with a view put where it is wanted; one that stands in it already is moved there. */
export function withView(layout: ShownLayout | null, view: string, target: Target): ShownLayout {
  if (layout === null) return leaf(view);
  const isOwn = target.kind !== 'edge' && target.view === view;
  if (isOwn && (target.kind === 'tab' || tabsAround(layout, view).length === 1)) return layout;
  const anchor = isOwn ? GONE : target.kind === 'edge' ? null : target.view;
  const marked = renamed(layout, view, GONE);
  if (target.kind === 'edge' || anchor === null) {
    const others = without(marked, GONE);
    const { side } = target as Extract<Target, { side: PaneSide }>;
    if (others === null) return leaf(view);
    if (side === 'down') return withBelow(others, leaf(view));
    const count = 'split' in others && others.split === directionOf(side) ? others.children.length : 1;
    return paired(others, { node: leaf(view), size: 1 / count }, side);
  }
  const put = atPlace(marked, anchor, (place) =>
    target.kind === 'tab'
      ? { tabs: inserted(place.tabs, view, target.before), active: view }
      : paired(place, { node: leaf(view), size: 1 }, target.side),
  );
  return without(put, GONE) ?? leaf(view);
}

/** Places among children from the root to the place of a view; null where it has none. */
function pathTo(layout: ShownLayout, view: string): number[] | null {
  if ('tabs' in layout) return layout.tabs.includes(view) ? [] : null;
  for (const [k, child] of layout.children.entries()) {
    const rest = pathTo(child, view);
    if (rest !== null) return [k, ...rest];
  }
  return null;
}

/** The layout with one of its splits changed. */
export function atPath(
  layout: ShownLayout,
  path: readonly number[],
  change: (node: ShownLayout) => ShownLayout,
): ShownLayout {
  const [first, ...rest] = path;
  if (first === undefined) return change(layout);
  if (!('split' in layout)) return layout;
  const parts = partsOf(layout).map(({ node, size }, k) => ({
    node: k === first ? atPath(node, rest, change) : node,
    size,
  }));
  return joined(layout.split, parts) ?? layout;
}

/**
 * The layout with a view moved by one step to a side: out of its tabs; past its neighbour in a row or column,
 * or into the row or column that is its neighbour; out of a row or column at the end of it; at last along the
 * side of everything. Null where it stands there.
 */
export function moved(layout: ShownLayout | null, view: string, side: PaneSide): ShownLayout | null {
  const path = layout === null ? null : pathTo(layout, view);
  if (layout === null || path === null) return null;
  if (tabsAround(layout, view).length > 1) return withView(layout, view, { kind: 'beside', view, side });
  const direction = directionOf(side);
  const step = isBefore(side) ? -1 : 1;
  for (let depth = path.length - 1; depth >= 0; depth--) {
    const above = path.slice(0, depth);
    const at = path[depth] ?? 0;
    const split = nodeAt(layout, above);
    if (split === null || !('split' in split) || split.split !== direction) continue;
    if (depth < path.length - 1) {
      // Out of the row or column it stands in, to the side of that.
      const marked = renamed(layout, view, GONE);
      const put = atPath(marked, [...above, at], (node) => paired(node, { node: leaf(view), size: 1 }, side));
      return without(put, GONE);
    }
    const other = split.children[at + step];
    if (other === undefined) continue;
    if ('tabs' in other)
      return atPath(layout, above, () => {
        const parts = partsOf(split);
        const [own] = parts.splice(at, 1);
        if (own !== undefined) parts.splice(at + step, 0, own);
        return joined(direction, parts) ?? split;
      });
    const marked = renamed(layout, view, GONE);
    const put = atPath(marked, [...above, at + step], (node) =>
      paired(
        node,
        { node: leaf(view), size: 1 / other.children.length },
        other.split === 'vertical' ? 'up' : 'left',
      ),
    );
    return without(put, GONE);
  }
  if ('split' in layout && layout.split === direction) return null;
  return 'tabs' in layout ? null : withView(layout, view, { kind: 'edge', side });
}

function nodeAt(layout: ShownLayout, path: readonly number[]): ShownLayout | null {
  let node: ShownLayout | undefined = layout;
  for (const k of path) node = node !== undefined && 'split' in node ? node.children[k] : undefined;
  return node ?? null;
}

/**
 * The layout with the border behind a part of a split moved.
 * @param change share of the split
 * @param least share that a part keeps
 */
export function resized(
  layout: ShownLayout,
  path: readonly number[],
  index: number,
  change: number,
  least: number,
): ShownLayout {
  return atPath(layout, path, (node) => {
    if (!('split' in node)) return node;
    const a = node.sizes[index] ?? 0;
    const b = node.sizes[index + 1] ?? 0;
    const floor = Math.min(least, a, b);
    const next = Math.min(a + b - floor, Math.max(floor, a + change));
    const sizes = node.sizes.with(index, next).with(index + 1, a + b - next);
    return { ...node, sizes };
  });
}

/** The layout in which a view is seen. */
export const withInFront = (layout: ShownLayout, view: string): ShownLayout =>
  atPlace(layout, view, (place) => ({ ...place, active: view }));

/** Rounding of places. */
const PLACE_ROUNDING = 1e-6;

/**
 * The place that lies on one side of a view: of several, the one whose middle is nearest. Null where none
 * does.
 */
export function besideView(layout: ShownLayout | null, view: string, side: PaneSide): PlacedTabs | null {
  const { places } = placementOf(layout);
  const own = places.find(({ tabs }) => tabs.includes(view));
  if (own === undefined) return null;
  const isAcross = directionOf(side) === 'horizontal';
  const along = (one: PlacedTabs): [number, number] =>
    isAcross ? [one.left, one.left + one.width] : [one.top, one.top + one.height];
  const across = (one: PlacedTabs): [number, number] =>
    isAcross ? [one.top, one.top + one.height] : [one.left, one.left + one.width];
  const [start, end] = along(own);
  const [low, high] = across(own);
  const distance = (one: PlacedTabs): number => Math.abs(across(one)[0] + across(one)[1] - low - high);
  const touching = places.filter((one) => {
    const [from, to] = along(one);
    const [least, most] = across(one);
    const touches = isBefore(side)
      ? Math.abs(to - start) < PLACE_ROUNDING
      : Math.abs(from - end) < PLACE_ROUNDING;
    return touches && least < high - PLACE_ROUNDING && most > low + PLACE_ROUNDING;
  });
  return touching.sort((a, b) => distance(a) - distance(b))[0] ?? null;
}
