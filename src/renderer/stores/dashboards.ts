/**
 * Which dashboard is shown, what it shows, and where: the document's own, with what the window remembers of
 * looking at it.
 */
import type { ViewDocument } from '@engine/document/types';
import { leastHeight, placementOf, type ShownDashboard, shownDashboards } from '@figures/dashboard-layout';
import { defineStore } from 'pinia';
import { computed, nextTick, shallowRef } from 'vue';
import { focusWhenShown } from '../components/focus-when-shown';
import { withInFront } from '../document/dashboards';
import { effectiveViews, shareOf, viewName } from '../document/views';
import { useDocumentStore } from './document';
import { perDocument } from './per-document';
import { useReportStore } from './report';
import { useRunsStore } from './runs';
import { useWorkspaceStore } from './workspace';

/** Least height of a plot of curves, and height of a bar of tabs, px; more plots than fit scroll. */
const LEAST_HEIGHT = 210;
const TAB_BAR = 31;

/** What is given another name. */
export interface Renaming {
  kind: 'view' | 'dashboard';
  id: string;
}

export const useDashboardsStore = defineStore('dashboards', () => {
  const documents = useDocumentStore();
  const report = useReportStore();
  const runs = useRunsStore();
  const workspace = useWorkspaceStore();

  /** id of the dashboard that was chosen last */
  const chosen = perDocument<string | null>(() => null);
  /** views whose tab was chosen, the last one last: looking at a tab is no change of the document */
  const fronts = perDocument<readonly string[]>(() => []);
  /** id of the view that fills the dashboard for now */
  const maximisedView = perDocument<string | null>(() => null);
  const renaming = shallowRef<Renaming | null>(null);

  const views = computed(() => effectiveViews(documents.model, runs.current?.signals ?? report.signals));
  const viewOf = (id: string): ViewDocument | undefined => views.value.find((view) => view.id === id);
  /** What each view is called, no two of them alike: the second of a name has a number. */
  const names = computed(() => {
    const taken = new Map<string, number>();
    return new Map(
      views.value.map((view) => {
        const name = viewName(view);
        const count = (taken.get(name) ?? 0) + 1;
        taken.set(name, count);
        return [view.id, count === 1 ? name : `${name} (${count})`];
      }),
    );
  });
  const nameOf = (id: string): string => names.value.get(id) ?? '';
  const stored = computed(() => shownDashboards(views.value, documents.model.dashboards, shareOf));
  const withFronts = (one: ShownDashboard): ShownDashboard =>
    one.layout === null ? one : { ...one, layout: fronts.value.reduce(withInFront, one.layout) };
  const all = computed(() => stored.value.map(withFronts));
  const current = computed(() => all.value.find(({ id }) => id === chosen.value) ?? all.value[0]);
  const currentId = computed(() => current.value?.id ?? '');
  const layout = computed(() => current.value?.layout ?? null);
  const placement = computed(() => placementOf(layout.value));
  /** ids of the views that are seen */
  const seen = computed(() => placement.value.places.map(({ active }) => active));
  const maximised = computed(() =>
    maximisedView.value !== null && seen.value.includes(maximisedView.value) ? maximisedView.value : null,
  );
  /** the view that commands act on: the active one, else the first */
  const target = computed(() => {
    const { activeView } = workspace;
    return activeView !== null && seen.value.includes(activeView) ? activeView : (seen.value[0] ?? null);
  });
  const least = computed(() =>
    leastHeight(layout.value, (id) => {
      const view = viewOf(id);
      const place = placement.value.places.find(({ tabs }) => tabs.includes(id));
      const bar = (place?.tabs.length ?? 1) > 1 ? TAB_BAR : 0;
      return bar + LEAST_HEIGHT * (view === undefined ? 1 : shareOf(view));
    }),
  );

  /** Brings a view to the front of its tabs, and its dashboard with it. */
  function show(id: string): void {
    const home = stored.value.find(({ layout: one }) =>
      placementOf(one).places.some(({ tabs }) => tabs.includes(id)),
    );
    if (home === undefined) return;
    const isOneMaximised = maximised.value !== null;
    chosen.value = home.id;
    fronts.value = [...fronts.value.filter((other) => other !== id), id];
    if (isOneMaximised) maximisedView.value = id;
    workspace.activeView = id;
  }

  /** Shows a view, and its options. */
  function select(id: string): void {
    show(id);
    workspace.select({ kind: 'view', id });
  }

  function choose(id: string): void {
    chosen.value = id;
    maximisedView.value = null;
  }

  function toggleMaximised(id: string | null = target.value): void {
    maximisedView.value = maximised.value === null ? id : null;
  }

  const panelOf = (id: string): HTMLElement | null =>
    document.querySelector<HTMLElement>(`[data-place="${CSS.escape(id)}"]`);

  /**
   * Gives a panel the keyboard, where nothing else has taken it: a panel that is moved in the page loses it.
   */
  function keepFocus(id: string): void {
    void nextTick(() => {
      if (document.activeElement !== null && document.activeElement !== document.body) return;
      focusWhenShown(() => panelOf(id)?.querySelector<HTMLElement>('[data-panel-menu]') ?? null);
    });
  }

  /** Goes on to the next panel that is seen. */
  function focusNext(): void {
    const at = target.value === null ? -1 : seen.value.indexOf(target.value);
    const next = seen.value[(at + 1) % Math.max(1, seen.value.length)];
    if (next === undefined) return;
    if (maximised.value !== null) maximisedView.value = next;
    workspace.activeView = next;
    focusWhenShown(() => {
      const panel = panelOf(next);
      panel?.scrollIntoView({ block: 'nearest' });
      return panel?.querySelector<HTMLElement>('[data-panel-menu]') ?? null;
    });
  }

  return {
    views,
    viewOf,
    nameOf,
    all,
    current,
    currentId,
    layout,
    placement,
    seen,
    maximised,
    target,
    least,
    renaming,
    show,
    select,
    choose,
    toggleMaximised,
    keepFocus,
    focusNext,
  };
});
