/** Changes to the views of the document, each one undoable step. */
import type { ModelDocument, SectionView, ViewDocument } from '@engine/document/types';
import { materialiseViews, newView } from '../document/views';
import { text } from '../i18n';
import { useDocumentStore } from '../stores/document';
import { useReportStore } from '../stores/report';

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
    if (view?.type !== 'time-series') return;
    const index = view.signals.indexOf(signal);
    if (index < 0) view.signals.push(signal);
    else view.signals.splice(index, 1);
  });
}

/** Chooses the quantity of one axis of a portrait. */
export function setPortraitAxis(viewId: string, axis: 'x' | 'y', signal: string): void {
  editViews(text('edit.view'), (draft) => {
    const view = draft.views.find((candidate) => candidate.id === viewId);
    if (view?.type === 'phase-portrait') view[axis] = signal;
  });
}

/** Chooses the section of a plot, or the quantity of one of its axes. */
export function editSection(viewId: string, change: Partial<Pick<SectionView, 'section' | 'x' | 'y'>>): void {
  editViews(text('edit.view'), (draft) => {
    const view = draft.views.find((candidate) => candidate.id === viewId);
    if (view?.type === 'section') Object.assign(view, change);
  });
}

export function addView(type: ViewDocument['type']): void {
  const { signals } = useReportStore();
  editViews(text('edit.addView'), (draft) => void draft.views.push(newView(type, draft, signals)));
}

export function removeView(viewId: string): void {
  editViews(text('edit.removeView'), (draft) => {
    draft.views = draft.views.filter((view) => view.id !== viewId);
  });
}
