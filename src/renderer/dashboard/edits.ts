/** Changes to the views of the document, each one undoable step. */
import type {
  ModelDocument,
  SectionDocument,
  SectionView,
  SpectrumView,
  TimeSeriesView,
  ViewDocument,
} from '@engine/document/types';
import { nextTick } from 'vue';
import { materialiseViews, newView } from '../document/views';
import { text } from '../i18n';
import { useDocumentStore } from '../stores/document';
import { useLayoutStore } from '../stores/layout';
import { useReportStore } from '../stores/report';
import { placeAdded, takeOut } from './board/dashboard-edits';

function editViews(label: string, recipe: (draft: ModelDocument) => void): void {
  const { signals } = useReportStore();
  useDocumentStore().edit(label, (draft) => {
    materialiseViews(draft, signals);
    recipe(draft);
  });
}

/** Shows or hides a signal in a time series. */
export function toggleSignal(viewId: string, signal: string): void {
  editViews(text('edit.view'), (draft) => {
    const view = draft.views.find((candidate) => candidate.id === viewId);
    if (view === undefined || !('signals' in view)) return;
    const index = view.signals.indexOf(signal);
    if (index < 0) view.signals.push(signal);
    else view.signals.splice(index, 1);
  });
}

/** Chooses the signal of one axis of a plane. */
export function setPlaneAxis(viewId: string, axis: 'x' | 'y', signal: string): void {
  editViews(text('edit.view'), (draft) => {
    const view = draft.views.find((candidate) => candidate.id === viewId);
    if (view !== undefined && axis in view) Object.assign(view, { [axis]: signal });
  });
}

/** Chooses the section of a plot, or the quantity of one of its axes. */
export function editSection(viewId: string, change: Partial<Pick<SectionView, 'section' | 'x' | 'y'>>): void {
  editViews(text('edit.view'), (draft) => {
    const view = draft.views.find((candidate) => candidate.id === viewId);
    if (view?.type === 'section') Object.assign(view, change);
  });
}

/** Adds a section to the simulation, which a view shows from then on. */
export function addSection(viewId: string, section: SectionDocument): void {
  editViews(text('edit.addSection'), (draft) => {
    draft.simulation.sections = [...(draft.simulation.sections ?? []), section];
    const view = draft.views.find((candidate) => candidate.id === viewId);
    if (view !== undefined && ('section' in view || view.type === 'table')) view.section = section.id;
  });
}

/** Chooses the section whose points a table shows; undefined: the rows of the run. */
export function editTable(viewId: string, section: string | undefined): void {
  editViews(text('edit.view'), (draft) => {
    const view = draft.views.find((candidate) => candidate.id === viewId);
    if (view?.type !== 'table') return;
    if (section === undefined) delete view.section;
    else view.section = section;
  });
}

/** Changes the options of a spectrum; undefined takes one back to its default. */
export function editSpectrum(
  viewId: string,
  change: { readonly [K in keyof SpectrumView]?: SpectrumView[K] | undefined },
): void {
  editViews(text('edit.view'), (draft) => {
    const view = draft.views.find((candidate) => candidate.id === viewId);
    if (view?.type !== 'spectrum') return;
    for (const [key, value] of Object.entries(change)) {
      const members = view as unknown as Record<string, unknown>;
      if (value === undefined) delete members[key];
      else members[key] = value;
    }
  });
}

const timeSeriesOf = (views: readonly ViewDocument[]): TimeSeriesView[] =>
  views.filter((view): view is TimeSeriesView => view.type === 'time-series');

/** Whether all time series draw errors as bands. */
export function hasErrorBands(): boolean {
  const all = timeSeriesOf(useDocumentStore().model.views);
  return all.length > 0 && all.every((view) => view.hasErrorBand === true);
}

/** Draws errors as bands around the curves of all time series, or of none. */
export function toggleErrorBands(): void {
  const isOn = hasErrorBands();
  editViews(text(isOn ? 'command.noErrorBands' : 'command.errorBands'), (draft) => {
    for (const view of timeSeriesOf(draft.views)) {
      if (isOn) delete view.hasErrorBand;
      else view.hasErrorBand = true;
    }
  });
}

export function addView(type: ViewDocument['type']): void {
  const { signals } = useReportStore();
  let id = '';
  editViews(text('edit.addView'), (draft) => {
    const view = newView(type, draft, signals);
    id = view.id;
    draft.views.push(view);
    placeAdded(draft, view.id);
  });
  useLayoutStore().reveal('plots');
  void nextTick(() => bringIntoSight(id));
}

/** A plot that has been added below the others may be out of sight. */
function bringIntoSight(viewId: string): void {
  const panel = document.querySelector(`[data-testid="plot-${CSS.escape(viewId)}"]`);
  if (typeof panel?.scrollIntoView === 'function') panel.scrollIntoView({ block: 'nearest' });
}

export function removeView(viewId: string): void {
  editViews(text('edit.removeView'), (draft) => {
    draft.views = draft.views.filter((view) => view.id !== viewId);
    takeOut(draft, [viewId]);
  });
}
