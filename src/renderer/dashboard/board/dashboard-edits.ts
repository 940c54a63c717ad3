/**
 * Changes of dashboards, each one undoable step. What was shown by default is written down with the first of
 * them.
 */
import type { DashboardDocument, DashboardLayout, ModelDocument, ViewDocument } from '@engine/document/types';
import {
  FIRST_DASHBOARD,
  type ShownDashboard,
  shownDashboards,
  type ShownLayout,
  viewsIn,
  withBelow,
} from '@figures/dashboard-layout';
import {
  atPath,
  moved,
  resized,
  type PaneSide,
  type Target,
  without,
  withView,
} from '../../document/dashboards';
import { freshName } from '../../document/factory';
import type { EditOptions } from '../../document/history';
import { materialiseViews, shareOf } from '../../document/views';
import { text } from '../../i18n';
import { useDashboardsStore } from '../../stores/dashboards';
import { useDocumentStore } from '../../stores/document';
import { useReportStore } from '../../stores/report';

/** Digits of a share in the file: a thousandth of a screen is a few pixels. */
const DIGITS = 1000;
/** Part of a split that every panel keeps. */
export const LEAST_SHARE = 0.08;
/** Difference of shares that are equal. */
const EQUAL = 1e-9;

/** A layout as the document says it: without what goes without saying. */
function written(layout: ShownLayout): DashboardLayout {
  if ('tabs' in layout) {
    const { tabs, active } = layout;
    return active === tabs[0] ? { tabs: [...tabs] } : { tabs: [...tabs], active };
  }
  const { split, sizes, children } = layout;
  const isEqual = sizes.every((size) => Math.abs(size - (sizes[0] ?? 0)) < EQUAL);
  const rounded = sizes.map((size) => Math.max(1, Math.round(DIGITS * size)) / DIGITS);
  return { split, ...(isEqual ? {} : { sizes: rounded }), children: children.map(written) };
}

const writtenDashboard = ({ id, title, layout }: ShownDashboard): DashboardDocument => ({
  id,
  ...(title === undefined ? {} : { title }),
  ...(layout === null ? {} : { layout: written(layout) }),
});

/** What is shown: dashboards with the tabs that are in front now, and the views that they name. */
interface Plan {
  readonly dashboards: readonly ShownDashboard[];
  readonly views: readonly ViewDocument[];
}

/** Changes what is shown. A recipe that returns null leaves the document as it was. */
function editDashboards(
  label: string,
  recipe: (plan: Plan) => Partial<Plan> | null,
  options: EditOptions = {},
): void {
  const documents = useDocumentStore();
  const { all, views } = useDashboardsStore();
  const next = recipe({ dashboards: all, views });
  if (next === null) return;
  const { model } = documents;
  const stored = new Map((model.dashboards ?? []).map((one) => [one.id, one]));
  const entries = (next.dashboards ?? all).map((one): DashboardDocument => {
    const before = stored.get(one.id);
    const isSame = all.includes(one) && viewsIn(before?.layout).join() === viewsIn(one.layout).join();
    return isSame && before !== undefined ? before : writtenDashboard(one);
  });
  documents.edit(
    label,
    (draft) => {
      const shown = next.views ?? views;
      if (shown !== model.views) draft.views = [...shown];
      draft.dashboards = entries;
    },
    options,
  );
}

const leafOf = (view: string): ShownLayout => ({ tabs: [view], active: view });

const homeOf = (dashboards: readonly ShownDashboard[], view: string): ShownDashboard | undefined =>
  dashboards.find(({ layout }) => viewsIn(layout).includes(view));

/** Changes the layout of the dashboard that a view stands in. */
function editLayout(view: string, change: (layout: ShownLayout) => ShownLayout | null): void {
  editDashboards(text('dashboard.edit.layout'), ({ dashboards }) => {
    const home = homeOf(dashboards, view);
    const next = home === undefined || home.layout === null ? null : change(home.layout);
    if (next === null || next === home?.layout) return null;
    return { dashboards: dashboards.map((one) => (one === home ? { ...one, layout: next } : one)) };
  });
  const store = useDashboardsStore();
  store.show(view);
  store.keepFocus(view);
}

/** Puts a panel beside another one, into a tab, or at a side of the dashboard. */
export const putPanel = (view: string, target: Target): void =>
  editLayout(view, (layout) => withView(layout, view, target));

/** Moves a panel by one step to a side. */
export const movePanel = (view: string, side: PaneSide): void =>
  editLayout(view, (layout) => moved(layout, view, side));

/** Whether a panel can be moved to a side. */
export function canMove(view: string | null, side: PaneSide): boolean {
  const { layout } = useDashboardsStore();
  return view !== null && moved(layout, view, side) !== null;
}

/** Moves a panel to another dashboard. */
export function movePanelTo(view: string, dashboard: string): void {
  editDashboards(text('dashboard.edit.layout'), ({ dashboards }) => {
    const home = homeOf(dashboards, view);
    if (home === undefined || home.id === dashboard) return null;
    const changed = dashboards.map((one) => {
      if (one === home) return { ...one, layout: without(one.layout, view) };
      return one.id === dashboard ? { ...one, layout: withBelow(one.layout, leafOf(view)) } : one;
    });
    return { dashboards: changed };
  });
}

/** Changes the layout of the dashboard that is shown. */
function editShown(change: (layout: ShownLayout) => ShownLayout, options?: EditOptions): void {
  const { currentId } = useDashboardsStore();
  editDashboards(
    text('dashboard.edit.layout'),
    ({ dashboards }) => ({
      dashboards: dashboards.map((one) =>
        one.id === currentId && one.layout !== null ? { ...one, layout: change(one.layout) } : one,
      ),
    }),
    options,
  );
}

/**
 * Moves the border behind a part of a split.
 * @param change share of the split
 * @param gesture edits of one gesture are one step
 */
export function resizePanels(path: readonly number[], index: number, change: number, gesture?: string): void {
  editShown(
    (layout) => resized(layout, path, index, change, LEAST_SHARE),
    gesture === undefined ? {} : { mergeKey: gesture },
  );
}

/** Makes all parts of a split equally large. */
export function equalPanels(path: readonly number[]): void {
  editShown((layout) =>
    atPath(layout, path, (node) =>
      'split' in node ? { ...node, sizes: node.sizes.map(() => 1 / node.sizes.length) } : node,
    ),
  );
}

/** Adds a copy of a panel below it. */
export function duplicatePanel(view: string): void {
  const store = useDashboardsStore();
  const at = store.views.findIndex(({ id }) => id === view);
  const original = store.views[at];
  if (original === undefined) return;
  const id = freshName(
    view.replace(/-\d+$/, ''),
    store.views.map((one) => one.id),
  );
  const views = store.views.toSpliced(at + 1, 0, { ...original, id });
  const label = text('dashboard.edit.duplicate');
  const documents = useDocumentStore();
  // Without dashboards the copy stands below by its place in the list.
  if (documents.model.dashboards === undefined) documents.edit(label, (draft) => void (draft.views = views));
  else
    editDashboards(label, ({ dashboards }) => ({
      views,
      dashboards: dashboards.map((one) =>
        viewsIn(one.layout).includes(view)
          ? { ...one, layout: withView(one.layout, id, { kind: 'beside', view, side: 'down' }) }
          : one,
      ),
    }));
  store.show(id);
}

/** Gives a panel another title; an empty one is the usual one. */
export function renamePanel(view: string, title: string): void {
  const { signals } = useReportStore();
  useDocumentStore().edit(text('dashboard.edit.renameView'), (draft) => {
    materialiseViews(draft, signals);
    const found = draft.views.find(({ id }) => id === view);
    if (found === undefined) return;
    if (title === '') delete found.title;
    else found.title = title;
  });
}

/** Adds an empty dashboard behind the others and shows it. */
export function addDashboard(): void {
  const store = useDashboardsStore();
  const id = freshName(
    FIRST_DASHBOARD,
    store.all.map((one) => one.id),
  );
  editDashboards(text('dashboard.edit.add'), ({ dashboards }) => ({
    dashboards: [...dashboards, { id, layout: null }],
  }));
  store.choose(id);
}

/** Removes a dashboard together with its views; the only one stays. */
export function removeDashboard(id: string): void {
  const store = useDashboardsStore();
  const at = store.all.findIndex((one) => one.id === id);
  const gone = store.all[at];
  if (gone === undefined || store.all.length < 2) return;
  const ids = new Set(viewsIn(gone.layout));
  editDashboards(text('dashboard.edit.remove'), ({ dashboards, views }) => ({
    views: views.filter((view) => !ids.has(view.id)),
    dashboards: dashboards.filter((one) => one !== gone),
  }));
  const next = store.all[Math.min(at, store.all.length - 1)];
  if (next !== undefined) store.choose(next.id);
}

export function renameDashboard(id: string, title: string): void {
  editDashboards(text('dashboard.edit.rename'), ({ dashboards }) => ({
    dashboards: dashboards.map((one) =>
      one.id === id ? { ...one, title: title === '' ? undefined : title } : one,
    ),
  }));
}

/** Gives a dashboard another place among the tabs. */
export function moveDashboard(id: string, to: number): void {
  editDashboards(text('dashboard.edit.order'), ({ dashboards }) => {
    const at = dashboards.findIndex((one) => one.id === id);
    const one = dashboards[at];
    if (one === undefined || to < 0 || to >= dashboards.length || to === at) return null;
    return { dashboards: dashboards.toSpliced(at, 1).toSpliced(to, 0, one) };
  });
}

/**
 * Puts a view that was added to a draft below in the dashboard that is shown; without dashboards it stands
 * below by itself.
 */
export function placeAdded(draft: ModelDocument, view: string): void {
  if (draft.dashboards === undefined) return;
  const { currentId } = useDashboardsStore();
  const others = draft.views.filter(({ id }) => id !== view);
  const shown = shownDashboards(others, draft.dashboards, shareOf);
  const home = shown.find(({ id }) => id === currentId) ?? shown.at(-1);
  const entry = draft.dashboards.find(({ id }) => id === home?.id);
  if (home === undefined || entry === undefined) return;
  entry.layout = written(withBelow(home.layout, leafOf(view)));
}

/** Takes views out of the dashboards of a draft, which has them no longer. */
export function takeOut(draft: ModelDocument, ids: readonly string[]): void {
  for (const entry of draft.dashboards ?? []) {
    if (entry.layout === undefined) continue;
    const left = layoutWithout(entry.layout, ids);
    if (left === null) delete entry.layout;
    else if (left !== entry.layout) entry.layout = left;
  }
}

/** A layout of the document without some views; the same one where it has none of them. */
function layoutWithout(layout: DashboardLayout, ids: readonly string[]): DashboardLayout | null {
  if (!viewsIn(layout).some((id) => ids.includes(id))) return layout;
  const views = viewsIn(layout).map((id) => ({ type: 'animation' as const, id }));
  const [shown] = shownDashboards(views, [{ id: FIRST_DASHBOARD, layout }], () => 1);
  const left = ids.reduce((rest, id) => without(rest, id), shown?.layout ?? null);
  return left === null ? null : written(left);
}
