/**
 * Edits of dashboards: each is one step of the document, and a document whose dashboard is not arranged
 * says nothing of it.
 */
import { beforeEach, expect, it } from 'vitest';
import type { DashboardDocument } from '@engine/document/types';
import {
  addDashboard,
  duplicatePanel,
  moveDashboard,
  movePanel,
  movePanelTo,
  putPanel,
  removeDashboard,
  renameDashboard,
  renamePanel,
  resizePanels,
} from '@renderer/dashboard/board/dashboard-edits';
import { dropAt } from '@renderer/dashboard/board/drop-target';
import { addView, removeView } from '@renderer/dashboard/edits';
import { useDashboardsStore } from '@renderer/stores/dashboards';
import { useDocumentStore } from '@renderer/stores/document';
import { removeNode } from '@renderer/tree/edits';
import { modelTree } from '@renderer/tree/nodes';
import { useReportStore } from '@renderer/stores/report';
import { openCamFollower } from '../setup';

const model = (): ReturnType<typeof useDocumentStore>['model'] => useDocumentStore().model;
const ids = (): string[] => model().views.map(({ id }) => id);
const dashboards = (): DashboardDocument[] | undefined => model().dashboards;

beforeEach(async () => {
  await openCamFollower();
  useDocumentStore().edit('views', (draft) => {
    draft.views = ['a', 'b', 'c'].map((id) => ({ type: 'time-series', id, signals: [] }));
  });
});

it('plots are added, copied, named and closed without a word on dashboards', () => {
  addView('time-series');
  duplicatePanel('a');
  // Regions of the page have names of their own.
  const names = ids().map((id) => useDashboardsStore().nameOf(id));
  expect(new Set(names).size).toBe(names.length);
  renamePanel('a-2', 'Copy');
  removeView('b');
  expect(ids()).toEqual(['a', 'a-2', 'c', 'time-series']);
  expect(model().views[1]).toMatchObject({ title: 'Copy' });
  expect(dashboards()).toBeUndefined();
});

it('what is arranged is written down, one step each, and undone to nothing', () => {
  const documents = useDocumentStore();
  const before = documents.model;
  putPanel('c', { kind: 'edge', side: 'right' });
  expect(dashboards()).toEqual([
    {
      id: 'dashboard',
      layout: {
        split: 'horizontal',
        children: [{ split: 'vertical', children: [{ tabs: ['a'] }, { tabs: ['b'] }] }, { tabs: ['c'] }],
      },
    },
  ]);
  movePanel('b', 'right');
  putPanel('a', { kind: 'tab', view: 'c' });
  for (let k = 0; k < 5; k++) resizePanels([], 0, 0.02, 'keys');
  documents.endGesture();
  for (let k = 0; k < 4; k++) documents.undo();
  expect(documents.model).toEqual(before);
  // What changes nothing is no step.
  movePanel('a', 'up');
  putPanel('a', { kind: 'tab', view: 'a' });
  expect(documents.model).toEqual(before);
});

it('dashboards are added, filled, named, moved and removed with their views', () => {
  const store = useDashboardsStore();
  const documents = useDocumentStore();
  addDashboard();
  expect(store.currentId).toBe('dashboard-2');
  addView('time-series');
  expect(dashboards()?.[1]).toEqual({ id: 'dashboard-2', layout: { tabs: ['time-series'] } });
  movePanelTo('b', 'dashboard-2');
  duplicatePanel('b');
  expect(dashboards()?.[1].layout).toMatchObject({
    children: [{ tabs: ['time-series'] }, { tabs: ['b'] }, { tabs: ['b-2'] }],
  });
  renameDashboard('dashboard-2', 'Second');
  moveDashboard('dashboard-2', 0);
  expect(dashboards()?.map(({ title }) => title)).toEqual(['Second', undefined]);
  removeView('b-2');
  const tree = modelTree({ document: model(), report: useReportStore().report, title: (_, type) => type });
  const [first] = tree.find(({ key }) => key === 'section:views')?.children() ?? [];
  removeNode(first, undefined);
  expect(ids()).toEqual(['b', 'c', 'time-series']);
  removeDashboard('dashboard-2');
  expect(ids()).toEqual(['c']);
  expect(dashboards()).toEqual([{ id: 'dashboard', layout: { tabs: ['c'] } }]);
  expect(store.currentId).toBe('dashboard');
  removeDashboard('dashboard');
  expect(dashboards()).toHaveLength(1);
  documents.undo();
  expect(ids()).toEqual(['b', 'c', 'time-series']);
});

it('looking at a tab is no change; the next change keeps it', () => {
  const store = useDashboardsStore();
  putPanel('a', { kind: 'tab', view: 'b' });
  const step = useDocumentStore().step;
  store.show('b');
  expect(store.seen).toEqual(['b', 'c']);
  store.toggleMaximised();
  expect(store.maximised).toBe('b');
  store.show('a');
  expect(store.maximised).toBe('a');
  store.show('b');
  expect(useDocumentStore().step).toBe(step);
  resizePanels([], 0, 0.1);
  expect(dashboards()?.[0].layout).toMatchObject({ children: [{ tabs: ['b', 'a'] }, { tabs: ['c'] }] });
});

it('a panel is dropped beside another one, into its tabs, or at a side of everything', () => {
  const { layout } = useDashboardsStore();
  const size = { width: 600, height: 900 };
  const drop = (view: string, x: number, y: number) =>
    dropAt(layout, view, { x, y }, size, 34)?.target ?? null;
  expect(drop('a', 300, 450)).toEqual({ kind: 'tab', view: 'b' });
  expect(drop('a', 300, 310)).toEqual({ kind: 'tab', view: 'b' });
  expect(drop('a', 80, 450)).toEqual({ kind: 'beside', view: 'b', side: 'left' });
  expect(drop('a', 300, 570)).toEqual({ kind: 'beside', view: 'b', side: 'down' });
  expect(drop('a', 5, 450)).toEqual({ kind: 'edge', side: 'left' });
  expect(drop('a', 300, 895)).toEqual({ kind: 'edge', side: 'down' });
  expect(drop('a', 300, 100)).toBeNull();
  expect(drop('a', -5, 100)).toBeNull();
});
