/** Changes to views of analyses, each one undoable step. */
import type { HeatMapView } from '@engine/document/types';
import { materialiseViews, newView } from '../../document/views';
import { placeAdded } from '../board/dashboard-edits';
import { text } from '../../i18n';
import { useDocumentStore } from '../../stores/document';
import { useReportStore } from '../../stores/report';

/** @param change what is other; the analyses that are shown, or the vertical axis */
export function editDiagram(viewId: string, change: { analyses?: readonly string[]; y?: string }): void {
  useDocumentStore().edit(text('edit.view'), (draft) => {
    const view = draft.views.find((candidate) => candidate.id === viewId);
    if (view?.type !== 'bifurcation') return;
    if (change.analyses !== undefined) view.analyses = [...change.analyses];
    if (change.y !== undefined) view.y = change.y;
  });
}

/** In the first diagram there is, or in a new one. */
export function showInDiagram(analysisId: string): void {
  const { signals } = useReportStore();
  useDocumentStore().edit(text('edit.addView'), (draft) => {
    materialiseViews(draft, signals);
    const diagram = draft.views.find((view) => view.type === 'bifurcation');
    if (diagram?.type === 'bifurcation') {
      if (!diagram.analyses.includes(analysisId)) diagram.analyses.push(analysisId);
      return;
    }
    const made = newView('bifurcation', draft, signals);
    draft.views.push(made.type === 'bifurcation' ? { ...made, analyses: [analysisId] } : made);
    placeAdded(draft, made.id);
  });
}

/** Chooses the analysis whose basins a view shows. */
export function chooseBasins(viewId: string, analysisId: string): void {
  useDocumentStore().edit(text('edit.view'), (draft) => {
    const view = draft.views.find((candidate) => candidate.id === viewId);
    if (view?.type === 'basins') view.analysis = analysisId;
  });
}

/** What a heat map shows. */
export function editHeatMap(
  viewId: string,
  change: { analysis?: string; y?: string; direction?: HeatMapView['direction'] },
): void {
  useDocumentStore().edit(text('edit.view'), (draft) => {
    const view = draft.views.find((candidate) => candidate.id === viewId);
    if (view?.type === 'heat-map') Object.assign(view, change);
  });
}

/** In a view of its own. */
export function showAnalysis(type: 'basins' | 'heat-map', analysisId: string): void {
  const { signals } = useReportStore();
  useDocumentStore().edit(text('edit.addView'), (draft) => {
    materialiseViews(draft, signals);
    const made = newView(type, draft, signals);
    draft.views.push('analysis' in made ? { ...made, analysis: analysisId } : made);
    placeAdded(draft, made.id);
  });
}
